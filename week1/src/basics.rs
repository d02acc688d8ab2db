//! The two operations that everything else is made of.
//!
//! In: arrays with any number of axes in front. Out: arrays of the same dtype. `linear` mixes the features of one
//! position, `softmax` turns scores into shares that sum to one.

use kit::Result;
use mlx_rs::Array;

/// `x · wᵀ + bias`: every output feature is a weighted sum of the inputs.
///
/// `x` (.., I), `w` (O, I), `bias` (O,). Returns (.., O), dtype of `x`.
/// Errors: `Shape` where these do not fit together; `Dtype` unless all are
/// of one dtype among f32, f16 and bf16.
pub fn linear(x: &Array, w: &Array, bias: Option<&Array>) -> Result<Array> {
    kit::stub!("1.1.1", x, w, bias)
}

/// `exp(x) / sum(exp(x))` along `axis`, computed in f32.
///
/// The largest value is subtracted first, so that nothing overflows.
/// `x` any shape; `axis` counts from the end when negative. Returns the
/// shape and dtype of `x`. -inf becomes 0; only -inf, or +inf, gives NaN.
/// Errors: `InvalidArgument` for an `axis` that `x` does not have; `Dtype`
/// unless f32, f16 or bf16.
pub fn softmax(x: &Array, axis: i32) -> Result<Array> {
    kit::stub!("1.1.2", x, axis)
}
