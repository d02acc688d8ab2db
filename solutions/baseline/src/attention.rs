//! Attention of one layer: hidden states (B, L, E) in, what each position learned from the earlier ones (B, L, E) out.

use kit::{Config, Result, Weights};
use mlx_rs::{
    Array,
    fast::{ScaledDotProductAttentionMask, rms_norm, rope, scaled_dot_product_attention},
};

use crate::linear;

/// The tensors of `self_attn`, named like the checkpoint's, and the sizes they are used with.
pub struct Attention {
    q_proj: Array, // (H_q·D, E)
    k_proj: Array, // (H·D, E)
    v_proj: Array, // (H·D, E)
    o_proj: Array, // (E, H_q·D)
    q_norm: Array, // (D,)
    k_norm: Array, // (D,)
    num_attention_heads: i32,
    num_key_value_heads: i32,
    head_dim: i32,
    rms_norm_eps: f32,
    rope_theta: f32,
}

impl Attention {
    /// `weights` stands at `self_attn` of a layer. Errors: `Checkpoint`.
    pub fn load(weights: &Weights<'_>, config: &Config) -> Result<Self> {
        Ok(Self {
            q_proj: weights.dense("q_proj")?,
            k_proj: weights.dense("k_proj")?,
            v_proj: weights.dense("v_proj")?,
            o_proj: weights.dense("o_proj")?,
            q_norm: weights.dense("q_norm")?,
            k_norm: weights.dense("k_norm")?,
            num_attention_heads: config.num_attention_heads,
            num_key_value_heads: config.num_key_value_heads,
            head_dim: config.head_dim,
            rms_norm_eps: config.rms_norm_eps,
            rope_theta: config.rope_theta,
        })
    }

    /// `x` (B, L, E) → (B, L, E), causal, positions from 0.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        let (batch, length, width) = (x.dim(0), x.dim(1), self.head_dim); // B, L, D
        let heads = |weight: &Array, count: i32| -> Result<Array> {
            Ok(linear(x, weight)?.reshape(&[batch, length, count, width])?) // (B, L, count, D)
        };
        let turned = |projected: Array, norm: &Array| -> Result<Array> {
            let normed = rms_norm(projected, Some(norm), self.rms_norm_eps)?.swap_axes(1, 2)?;
            Ok(rope(normed, width, false, self.rope_theta, 1.0, 0, None)?) // (B, count, L, D)
        };
        let queries = turned(heads(&self.q_proj, self.num_attention_heads)?, &self.q_norm)?;
        let keys = turned(heads(&self.k_proj, self.num_key_value_heads)?, &self.k_norm)?;
        let values = heads(&self.v_proj, self.num_key_value_heads)?.swap_axes(1, 2)?;
        let scale = (width as f32).powf(-0.5);
        let mask = ScaledDotProductAttentionMask::Causal;
        let attended = scaled_dot_product_attention(queries, keys, values, scale, mask, None)?; // (B, H_q, L, D)
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, self.num_attention_heads * width])?;
        linear(&joined, &self.o_proj)
    }
}
