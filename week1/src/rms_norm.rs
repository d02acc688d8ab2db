//! Root-mean-square normalisation, of Zhang and Sennrich, "Root Mean Square Layer Normalization".
//!
//! In: hidden states (.., E) of any size. Out: the same direction at unit size, times a learned weight a feature.

use kit::Result;
use mlx_rs::Array;

/// Brings the last axis to unit root mean square, then weighs each feature.
#[derive(Debug, Clone)]
pub struct RMSNorm {
    /// (E,)
    pub weight: Array,
    /// Added to the mean square, so that a row of zeros stays zeros.
    pub eps: f32,
}

impl RMSNorm {
    /// Keeps `weight` (E,) and `eps`, which is added to the mean square.
    ///
    /// Errors: `Shape` unless `weight` has one axis; `Dtype` unless f32,
    /// f16 or bf16; `InvalidArgument` about `eps` unless positive and
    /// finite.
    pub fn new(weight: Array, eps: f32) -> Result<Self> {
        kit::stub!("1.4.1", weight, eps)
    }

    /// `x / sqrt(mean(x²) + eps) · weight` over the last axis.
    ///
    /// `x` (.., E). Returns the shape and dtype of `x`. Order of rounding:
    /// square, mean and division in f32; the quotient is rounded to the
    /// dtype of `x`, the weight too, and their product once more.
    /// Errors: `Shape` for another E; `Dtype` unless f32, f16 or bf16.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        kit::stub!("1.4.1", self, x)
    }
}
