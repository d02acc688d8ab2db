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
        kit::stub!("1.3.3", weights, num_attention_heads, num_key_value_heads, rms_norm_eps, rope)
    }

    /// `x` (B, L, E) and a mask over (L, L) → (B, L, E), dtype of `x`.
    ///
    /// Errors: `Shape` and `Dtype` for an `x` that does not fit the weights.
    pub fn forward(&self, x: &Array, mask: Mask<'_>) -> Result<Array> {
        kit::stub!("1.3.3", self, x, mask)
    }
}
