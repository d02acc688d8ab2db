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
    // SOLUTION 1.1.1 x, w, bias
    use kit::{ANY, check_axes, check_dtype, check_float, check_shape};

    check_float("linear: x", x)?;
    check_axes("linear: x", x, "(.., I)", 1)?;
    check_dtype("linear: w", w, x.dtype())?;
    check_shape("linear: w", w, "(O, I)", &[ANY, x.dim(-1)])?;
    let y = x.matmul(w.transpose()?)?; // (.., I) x (I, O) -> (.., O)
    let Some(bias) = bias else { return Ok(y) };
    check_dtype("linear: bias", bias, x.dtype())?;
    check_shape("linear: bias", bias, "(O,)", &[w.dim(0)])?;
    Ok(y.add(bias)?)
    // END SOLUTION
}

/// `exp(x) / sum(exp(x))` along `axis`, computed in f32.
///
/// The largest value is subtracted first, so that nothing overflows.
/// `x` any shape; `axis` counts from the end when negative. Returns the
/// shape and dtype of `x`. -inf becomes 0; only -inf, or +inf, gives NaN.
/// Errors: `InvalidArgument` for an `axis` that `x` does not have; `Dtype`
/// unless f32, f16 or bf16.
pub fn softmax(x: &Array, axis: i32) -> Result<Array> {
    // SOLUTION 1.1.2 x, axis
    use kit::{Error, check_float};
    use mlx_rs::Dtype;

    check_float("softmax: x", x)?;
    let axes = x.ndim() as i32;
    if !(-axes..axes).contains(&axis) {
        let must = format!("be at least {} and below {axes}, the number of axes", -axes);
        return Err(Error::InvalidArgument { name: "axis".into(), value: axis.to_string(), must });
    }
    let wide = x.as_dtype(Dtype::Float32)?;
    let powers = wide.subtract(wide.max_axis(axis, true)?)?.exp()?; // all in 0..=1, the largest is 1
    let shares = powers.divide(powers.sum_axis(axis, true)?)?;
    Ok(shares.as_dtype(x.dtype())?)
    // END SOLUTION
}
