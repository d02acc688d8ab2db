//! Operators that read and write memory once. The nodes are in src/rms_norm.cpp, src/rope.cpp and src/swiglu.cpp.

use std::ffi::c_int;

use kit::{ANY, Error, Result, check_axes, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "rms_norm")]
    fn c_rms_norm(result: *mut mlx_array, x: mlx_array, weight: mlx_array, eps: f32, stream: mlx_stream) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "rope")]
    fn c_rope(
        result: *mut mlx_array,
        x: mlx_array,
        offsets: mlx_array,
        dims: c_int,
        base: f32,
        traditional: bool,
        stream: mlx_stream,
    ) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "swiglu")]
    fn c_swiglu(result: *mut mlx_array, gate: mlx_array, up: mlx_array, stream: mlx_stream) -> c_int;
}

/// `x / sqrt(mean(x²) + eps) * weight` over the last axis: `x` (.., D), `weight` (D,) → (.., D).
///
/// One dtype of Float32, Float16 and Bfloat16; computed in f32 and rounded once. Lazy, on the current stream.
/// Errors: `Dtype`, `Shape`; `InvalidArgument` about `eps` when it is negative or not a number.
pub fn rms_norm(x: &Array, weight: &Array, eps: f32) -> Result<Array> {
    check_float("rms_norm: x", x)?;
    check_axes("rms_norm: x", x, "(.., D)", 1)?;
    check_dtype("rms_norm: weight", weight, x.dtype())?;
    let width = x.shape()[x.ndim() - 1];
    check_shape("rms_norm: weight", weight, "(D,)", &[width])?;
    if width == 0 {
        return Err(invalid("D", "0", "be at least 1"));
    }
    if !(eps >= 0.0 && eps.is_finite()) {
        return Err(invalid("eps", &eps.to_string(), "be a number and not negative"));
    }
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_rms_norm(result, x.as_ptr(), weight.as_ptr(), eps, stream) })
}

/// Rotates the first `dims` of every head: `x` (B, L, H, D), `offsets` (B,) i32, the position of each row's first token.
///
/// Pair `i` turns by `position * base^(-2i/dims)` radians; `traditional` pairs neighbours, otherwise the two halves of the
/// first `dims`. Elements behind them are copied. Float32, Float16 or Bfloat16; computed in f32 and rounded once. Lazy, on
/// the current stream.
///
/// Errors: `Dtype`, `Shape`; `InvalidArgument` about `dims` unless even and from 2 to D, about `base` unless positive; a
/// sentence about an offset below 0, here where the offsets are known already, else from the evaluation.
pub fn rope(x: &Array, offsets: &Array, dims: i32, base: f32, traditional: bool) -> Result<Array> {
    check_float("rope: x", x)?;
    check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
    check_dtype("rope: offsets", offsets, Dtype::Int32)?;
    check_shape("rope: offsets", offsets, "(B,)", &x.shape()[..1])?;
    let width = x.shape()[3];
    if dims % 2 != 0 || !(2..=width).contains(&dims) {
        return Err(invalid("dims", &dims.to_string(), &format!("be even and from 2 to D, {width}")));
    }
    if !(base > 0.0 && base.is_finite()) {
        return Err(invalid("base", &base.to_string(), "be a positive number"));
    }
    let (x, offsets) = (x.as_ptr(), offsets.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_rope(result, x, offsets, dims, base, traditional, stream) })
}

/// `silu(gate) * up`, element by element: one shape, one dtype of Float32, Float16 and Bfloat16.
///
/// Computed in f32 and rounded once. Lazy, on the current stream. Errors: `Dtype`, `Shape`.
pub fn swiglu(gate: &Array, up: &Array) -> Result<Array> {
    check_float("swiglu: gate", gate)?;
    check_dtype("swiglu: up", up, gate.dtype())?;
    check_shape("swiglu: up", up, "the shape of gate", gate.shape())?;
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_swiglu(result, gate.as_ptr(), up.as_ptr(), stream) })
}

fn invalid(name: &str, value: &str, must: &str) -> Error {
    Error::InvalidArgument { name: name.to_string(), value: value.to_string(), must: must.to_string() }
}
