//! The attention of a Qwen3 layer.
//!
//! In: the hidden states of a text, (B, L, E). Out: what every position learned from the ones it may see, (B, L, E).
//! Projections without bias, a norm over each head of Q and K, rotary positions from 0, grouped attention.

use crate::{mask::Mask, rope::RoPE};
use kit::Result;
use mlx_rs::Array;

/// The tensors of one layer's attention, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct Qwen3AttentionWeights {
    /// (H_q·D, E)
    pub q_proj: Array,
    /// (H·D, E)
    pub k_proj: Array,
    /// (H·D, E)
    pub v_proj: Array,
    /// (E, H_q·D)
    pub o_proj: Array,
    /// (D,), shared by all query heads
    pub q_norm: Array,
    /// (D,), shared by all key heads
    pub k_norm: Array,
}

/// Attention of one layer; D is the checkpoint's own choice, not E / H_q.
#[derive(Debug, Clone)]
pub struct Qwen3Attention {
    /// The projections and the norms of the heads.
    pub weights: Qwen3AttentionWeights,
    /// H_q
    pub num_attention_heads: i32,
    /// H
    pub num_key_value_heads: i32,
    /// Of both norms.
    pub rms_norm_eps: f32,
    /// Turns queries and keys; shared with the other layers.
    pub rope: RoPE,
}

impl Qwen3Attention {
    /// Checks the weights against the head counts and each other.
    ///
    /// D is `rope.dims`. Both layouts of a rope are accepted and used as
    /// they are; Qwen3's is not `traditional`. Its clones share their tables
    /// over all layers.
    /// Errors: `InvalidArgument` about `num_attention_heads` unless a
    /// multiple of `num_key_value_heads`, both at least 1; `Shape` for a
    /// weight that does not fit.
    pub fn new(
        weights: Qwen3AttentionWeights,
        num_attention_heads: i32,
        num_key_value_heads: i32,
        rms_norm_eps: f32,
        rope: RoPE,
    ) -> Result<Self> {
        // SOLUTION 1.3.3 weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope
        use kit::{ANY, Error, check_shape};

        if num_key_value_heads < 1 || num_attention_heads < 1 || num_attention_heads % num_key_value_heads != 0 {
            let must = format!("be a multiple of num_key_value_heads, {num_key_value_heads}, both at least 1");
            let value = num_attention_heads.to_string();
            return Err(Error::InvalidArgument { name: "num_attention_heads".into(), value, must });
        }
        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &weights;
        let width = rope.dims; // D
        check_shape("qwen3 attention: q_norm", q_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: k_norm", k_norm, "(D,)", &[width])?;
        check_shape("qwen3 attention: q_proj", q_proj, "(H_q·D, E)", &[num_attention_heads * width, ANY])?;
        let hidden = q_proj.dim(1); // E
        check_shape("qwen3 attention: k_proj", k_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: v_proj", v_proj, "(H·D, E)", &[num_key_value_heads * width, hidden])?;
        check_shape("qwen3 attention: o_proj", o_proj, "(E, H_q·D)", &[hidden, num_attention_heads * width])?;
        Ok(Self { weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope })
        // END SOLUTION
    }

    /// `x` (B, L, E) and a mask over (L, L) → (B, L, E), dtype of `x`.
    ///
    /// Errors: `Shape` and `Dtype` for an `x` that does not fit the weights.
    pub fn forward(&self, x: &Array, mask: Mask<'_>) -> Result<Array> {
        // SOLUTION 1.3.3 self, x, mask
        use crate::{basics::linear, grouped_attention::scaled_dot_product_attention_grouped, rope::Offset};
        use kit::{ANY, check_shape};
        use mlx_rs::fast::rms_norm;

        let Qwen3AttentionWeights { q_proj, k_proj, v_proj, o_proj, q_norm, k_norm } = &self.weights;
        check_shape("qwen3 attention: x", x, "(B, L, E)", &[ANY, ANY, q_proj.dim(1)])?;
        let (batch, length, width) = (x.dim(0), x.dim(1), self.rope.dims); // B, L, D
        let split = |w: &Array, heads: i32| -> Result<Array> {
            Ok(linear(x, w, None)?.reshape(&[batch, length, heads, width])?) // (B, L, heads, D)
        };
        let q = rms_norm(split(q_proj, self.num_attention_heads)?, Some(q_norm), self.rms_norm_eps)?;
        let k = rms_norm(split(k_proj, self.num_key_value_heads)?, Some(k_norm), self.rms_norm_eps)?;
        let q = self.rope.forward(&q, Offset::None)?.swap_axes(1, 2)?; // (B, H_q, L, D)
        let k = self.rope.forward(&k, Offset::None)?.swap_axes(1, 2)?; // (B, H, L, D)
        let v = split(v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?; // (B, H, L, D)
        let attended = scaled_dot_product_attention_grouped(&q, &k, &v, None, mask)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, o_proj.dim(1)])?; // (B, L, H_q·D)
        linear(&joined, o_proj, None) // (B, L, E)
        // END SOLUTION
    }
}
