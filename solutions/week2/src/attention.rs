//! The attention of a Qwen3 layer that remembers.
//!
//! In: the hidden states of the newest tokens, (B, L, E), and the layer's cache. Out: what each of them learned from
//! all tokens so far, (B, L, E). Old tokens are not computed again: their keys and values come from the cache.

use crate::{kv_cache::KvCache, operators::Linear, rung::Rung};
use kit::{Config, Error, Result, Weights};
use mlx_rs::Array;
pub use week1::{rms_norm::RMSNorm, rope::RoPE};

/// The modules of one layer's attention, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct Qwen3Attention {
    /// E → H_q·D
    pub q_proj: Linear,
    /// E → H·D
    pub k_proj: Linear,
    /// E → H·D
    pub v_proj: Linear,
    /// H_q·D → E
    pub o_proj: Linear,
    /// (D,), shared by all query heads
    pub q_norm: RMSNorm,
    /// (D,), shared by all key heads
    pub k_norm: RMSNorm,
    /// H_q
    pub num_attention_heads: i32,
    /// H
    pub num_key_value_heads: i32,
    /// Turns queries and keys; `dims` is D.
    pub rope: RoPE,
    /// What the operators run on.
    pub rung: Rung,
}

impl Qwen3Attention {
    /// Reads one layer's attention; `weights` stands at `self_attn`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config, rope: RoPE, rung: Rung) -> Result<Self> {
        let linear = |name| Linear::load(weights, name, rung);
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        Ok(Self {
            q_proj: linear("q_proj")?,
            k_proj: linear("k_proj")?,
            v_proj: linear("v_proj")?,
            o_proj: linear("o_proj")?,
            q_norm: norm("q_norm")?,
            k_norm: norm("k_norm")?,
            num_attention_heads: config.num_attention_heads,
            num_key_value_heads: config.num_key_value_heads,
            rope,
            rung,
        })
    }

    /// `x` (B, L, E), the tokens at positions `offset` to `offset` + L - 1 →
    /// (B, L, E), dtype of `x`. Their keys, rotated, and values go into
    /// `cache`; a token sees itself and all before it.
    ///
    /// Errors: `InvalidArgument` about `offset` unless it is the cache's;
    /// `Shape` and `Dtype` for an `x` that does not fit. The cache has not
    /// changed then.
    pub fn forward(&self, x: &Array, offset: i32, cache: &mut dyn KvCache) -> Result<Array> {
        // SOLUTION 2.1.3 self, x, offset, cache
        use crate::operators::{causal_attention, rms_norm, rotate};
        use kit::{ANY, check_shape};

        check_offset(offset, cache)?;
        check_shape("cached attention: x", x, "(B, L, E)", &[ANY, ANY, self.q_proj.inputs()])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |projection: &Linear, heads: i32| -> Result<Array> {
            Ok(projection.forward(x)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(self.rung, &self.q_norm, &split(&self.q_proj, self.num_attention_heads)?)?;
        let k = rms_norm(self.rung, &self.k_norm, &split(&self.k_proj, self.num_key_value_heads)?)?;
        let q = rotate(self.rung, &self.rope, &q, offset)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = rotate(self.rung, &self.rope, &k, offset)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let (keys, values) = cache.update_and_fetch(&k, &v)?; // (B, H, S, D)
        let attended = causal_attention(self.rung, &q, &keys, &values)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.o_proj.inputs()])?; // (B, L, H_q·D)
        self.o_proj.forward(&joined) // (B, L, E)
        // END SOLUTION
    }
}

/// Refuses an `offset` that is not the number of tokens in `cache`.
pub fn check_offset(offset: i32, cache: &dyn KvCache) -> Result<()> {
    if offset == cache.offset() {
        return Ok(());
    }
    let must = format!("be {}, the number of tokens in the cache", cache.offset());
    Err(Error::InvalidArgument { name: "offset".into(), value: offset.to_string(), must })
}
