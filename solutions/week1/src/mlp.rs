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
    // SOLUTION 1.4.2 x
    use kit::check_float;
    use mlx_rs::{Dtype, ops};

    check_float("silu: x", x)?;
    let wide = x.as_dtype(Dtype::Float32)?;
    let (zero, one) = (Array::from_f32(0.0), Array::from_f32(1.0));
    let z = wide.abs()?.negative()?.exp()?; // in 0..=1
    let numerator = ops::select(wide.lt(zero)?, &z, &one)?;
    let sigmoid = numerator.divide(one.add(&z)?)?;
    Ok(wide.multiply(sigmoid)?.as_dtype(x.dtype())?)
    // END SOLUTION
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
        // SOLUTION 1.4.3 gate_proj, up_proj, down_proj
        use kit::{ANY, check_dtype, check_float, check_shape};

        check_float("qwen3 mlp: gate_proj", &gate_proj)?;
        check_shape("qwen3 mlp: gate_proj", &gate_proj, "(I, E)", &[ANY, ANY])?;
        check_shape("qwen3 mlp: up_proj", &up_proj, "(I, E)", gate_proj.shape())?;
        check_shape("qwen3 mlp: down_proj", &down_proj, "(E, I)", &[gate_proj.dim(1), gate_proj.dim(0)])?;
        check_dtype("qwen3 mlp: up_proj", &up_proj, gate_proj.dtype())?;
        check_dtype("qwen3 mlp: down_proj", &down_proj, gate_proj.dtype())?;
        Ok(Self { gate_proj, up_proj, down_proj })
        // END SOLUTION
    }

    /// `x` (.., E), any axes in front → (.., E), dtype of `x`.
    ///
    /// Errors: as [`linear`](crate::basics::linear).
    pub fn forward(&self, x: &Array) -> Result<Array> {
        // SOLUTION 1.4.3 self, x
        use crate::basics::linear;

        let gate = silu(&linear(x, &self.gate_proj, None)?)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
        // END SOLUTION
    }
}
