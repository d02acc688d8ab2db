//! The gated feed-forward layer of Qwen3.
//!
//! In: hidden states (.., E). Out: (.., E). Two projections widen to I features, one passes through `silu` and gates
//! the other, a third projection comes back; the form is SwiGLU of Shazeer, "GLU Variants Improve Transformer".

use kit::Result;
use mlx_rs::Array;

/// `x · sigmoid(x)`, exact to the last bits on both tails; computed in f32.
///
/// `x` any shape. Returns the shape and dtype of `x`.
/// With z = exp(-|x|), which cannot overflow, sigmoid(x) is z / (1 + z) for
/// negative x and 1 / (1 + z) otherwise.
/// Errors: `Dtype` unless f32, f16 or bf16.
pub fn silu(x: &Array) -> Result<Array> {
    kit::stub!("1.4.2", x)
}

/// `down_proj(silu(gate_proj(x)) · up_proj(x))`.
#[derive(Debug, Clone)]
pub struct Qwen3Mlp {
    /// (I, E), decides how much of a feature passes
    pub gate_proj: Array,
    /// (I, E)
    pub up_proj: Array,
    /// (E, I)
    pub down_proj: Array,
}

impl Qwen3Mlp {
    /// `gate_proj` and `up_proj` (I, E), `down_proj` (E, I).
    ///
    /// Errors: `Shape` for weights that do not fit together; `Dtype` unless
    /// of one dtype among f32, f16 and bf16.
    pub fn new(gate_proj: Array, up_proj: Array, down_proj: Array) -> Result<Self> {
        kit::stub!("1.4.3", gate_proj, up_proj, down_proj)
    }

    /// `x` (.., E), any axes in front → (.., E), dtype of `x`.
    ///
    /// Errors: as [`linear`](crate::basics::linear).
    pub fn forward(&self, x: &Array) -> Result<Array> {
        kit::stub!("1.4.3", self, x)
    }
}
