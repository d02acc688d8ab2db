//! The attention of a Qwen3 layer that remembers.
//!
//! In: the hidden states of the newest tokens, (B, L, E), and the layer's cache. Out: what each of them learned from
//! all tokens so far, (B, L, E). Old tokens are not computed again: their keys and values come from the cache.

use crate::{kv_cache::KvCache, operators::Linear};
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
}

impl Qwen3Attention {
    /// Reads one layer's attention; `weights` stands at `self_attn`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config, rope: RoPE) -> Result<Self> {
        Ok(Self {
            q_proj: Linear::load(weights, "q_proj")?,
            k_proj: Linear::load(weights, "k_proj")?,
            v_proj: Linear::load(weights, "v_proj")?,
            o_proj: Linear::load(weights, "o_proj")?,
            q_norm: RMSNorm::new(weights.dense("q_norm")?, config.rms_norm_eps)?,
            k_norm: RMSNorm::new(weights.dense("k_norm")?, config.rms_norm_eps)?,
            num_attention_heads: config.num_attention_heads,
            num_key_value_heads: config.num_key_value_heads,
            rope,
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
        kit::stub!("2.1.3", self, x, offset, cache)
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
