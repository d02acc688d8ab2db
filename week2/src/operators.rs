//! The operators of the model, in one place: the layers call these, and a rung decides what they run on.
//!
//! Arrays flow in and out as in Week 1. So far every operator is Week 1's.

use kit::{Result, Weights};
use mlx_rs::Array;
use week1::{
    basics::linear,
    grouped_attention::scaled_dot_product_attention_grouped,
    mask::Mask,
    mlp::silu,
    rms_norm::RMSNorm,
    rope::{Offset, RoPE},
};

/// A linear layer without bias.
#[derive(Debug, Clone)]
pub enum Linear {
    /// (O, I), unpacked.
    Dense(Array),
}

impl Linear {
    /// Reads the module `name`. Errors: `Checkpoint` where it is missing.
    pub fn load(weights: &Weights<'_>, name: &str) -> Result<Self> {
        Ok(Self::Dense(weights.dense(name)?))
    }

    /// `x` (.., I) → (.., O). Errors: as Week 1's `linear`.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        match self {
            Self::Dense(weight) => linear(x, weight, None),
        }
    }

    /// O, the features that come out.
    pub fn outputs(&self) -> i32 {
        match self {
            Self::Dense(weight) => weight.dim(0),
        }
    }

    /// I, the features that go in.
    pub fn inputs(&self) -> i32 {
        match self {
            Self::Dense(weight) => weight.dim(1),
        }
    }
}

/// `norm` over the last axis of `x`. Errors: as `RMSNorm::forward`.
pub fn rms_norm(norm: &RMSNorm, x: &Array) -> Result<Array> {
    norm.forward(x)
}

/// Rotates `x` (B, L, H, D), whose first token stands at `offset`.
///
/// Errors: as `RoPE::forward`.
pub fn rotate(rope: &RoPE, x: &Array, offset: i32) -> Result<Array> {
    rope.forward(x, Offset::One(offset))
}

/// `silu(gate) · up`, both (.., I). Errors: as `silu`.
pub fn swiglu(gate: &Array, up: &Array) -> Result<Array> {
    Ok(silu(gate)?.multiply(up)?)
}

/// Causal attention of the last L of S tokens: `query` (B, H_q, L, D),
/// `keys` and `values` (B, H, S, D) → (B, H_q, L, D).
///
/// Errors: as Week 1's grouped attention.
pub fn causal_attention(query: &Array, keys: &Array, values: &Array) -> Result<Array> {
    // A single query is the newest token and sees all; it needs no mask.
    let mask = if query.dim(-2) == 1 { Mask::None } else { Mask::Causal };
    scaled_dot_product_attention_grouped(query, keys, values, None, mask)
}
