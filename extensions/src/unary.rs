//! `exp`, `sin` and `cos` of every element: practice (task 1.7.6). The loops are in src/unary.cpp and kernels/unary.metal.

use std::ffi::c_int;

use kit::{Result, check_float};
use mlx_rs::Array;
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "unary")]
    fn c_unary(result: *mut mlx_array, x: mlx_array, function: c_int, stream: mlx_stream) -> c_int;
}

/// The numbers are those of `Function` in src/unary.cpp.
#[derive(Clone, Copy)]
enum Function {
    Exp = 0,
    Sin = 1,
    Cos = 2,
}

/// `e^x`, element by element.
///
/// `x` has any shape and layout and the dtype Float32, Float16 or Bfloat16; the result has its shape and dtype. Computed
/// in f32 and rounded once; an overflow is infinity. Lazy, on the current stream. Errors: `Dtype`.
pub fn exp(x: &Array) -> Result<Array> {
    unary("exp: x", x, Function::Exp)
}

/// `sin(x)`, x in radians; otherwise as [`exp`].
pub fn sin(x: &Array) -> Result<Array> {
    unary("sin: x", x, Function::Sin)
}

/// `cos(x)`, x in radians; otherwise as [`exp`].
pub fn cos(x: &Array) -> Result<Array> {
    unary("cos: x", x, Function::Cos)
}

fn unary(op: &str, x: &Array, function: Function) -> Result<Array> {
    check_float(op, x)?;
    // SAFETY: the handle lives through the call, and the C side keeps its own reference to the array.
    border::array(|result, stream| unsafe { c_unary(result, x.as_ptr(), function as c_int, stream) })
}
