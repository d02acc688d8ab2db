//! `alpha * x + beta * y` as one kernel (src/axpby.cpp, kernels/axpby.metal).

use std::ffi::c_int;

use kit::{Result, check_dtype, check_float, check_shape};
use mlx_rs::Array;
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "axpby")]
    fn c_axpby(result: *mut mlx_array, x: mlx_array, y: mlx_array, alpha: f32, beta: f32, stream: mlx_stream) -> c_int;
}

/// `alpha * x + beta * y`, element by element.
///
/// `x` and `y` have one shape and one dtype of Float32, Float16 and Bfloat16, in any layout; the result has that shape
/// and dtype and is row contiguous. Nothing is broadcast: give `y.broadcast_to(x.shape())`, a view without a copy.
/// Computed in f32 and rounded once. Lazy: nothing runs before the values are asked for. On the current stream.
/// Errors: `Dtype`, `Shape`.
pub fn axpby(x: &Array, y: &Array, alpha: f32, beta: f32) -> Result<Array> {
    check_float("axpby: x", x)?;
    check_dtype("axpby: y", y, x.dtype())?;
    check_shape("axpby: y", y, "the shape of x", x.shape())?;
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_axpby(result, x.as_ptr(), y.as_ptr(), alpha, beta, stream) })
}
