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
        // SOLUTION 1.4.1 weight, eps
        use kit::{ANY, Error, check_float, check_shape};

        check_shape("rms_norm: weight", &weight, "(E,)", &[ANY])?;
        check_float("rms_norm: weight", &weight)?;
        if !(eps > 0.0 && eps.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "eps".into(), value: eps.to_string(), must });
        }
        Ok(Self { weight, eps })
        // END SOLUTION
    }

    /// `x / sqrt(mean(x²) + eps) · weight` over the last axis.
    ///
    /// `x` (.., E). Returns the shape and dtype of `x`. Order of rounding:
    /// square, mean and division in f32; the quotient is rounded to the
    /// dtype of `x`, the weight too, and their product once more.
    /// Errors: `Shape` for another E; `Dtype` unless f32, f16 or bf16.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        // SOLUTION 1.4.1 self, x
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
        // END SOLUTION
    }
}
