//! The kernels of week 2, announced: each passes its arguments to a C symbol that refuses with the id of its task.
//!
//! Nothing is checked here yet; the checks come with the kernels. A packed weight holds eight unsigned 4-bit codes a
//! u32, lowest nibble first, and a value is `scale * code + bias` of its group.

use std::ffi::c_int;

use kit::Result;
use mlx_rs::Array;
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "quantized_matmul")]
    fn c_quantized_matmul(
        result: *mut mlx_array,
        x: mlx_array,
        weight: mlx_array,
        scales: mlx_array,
        biases: mlx_array,
        group_size: c_int,
        bits: c_int,
        path: c_int,
        splits: c_int,
        stream: mlx_stream,
    ) -> c_int;
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
    #[link_name = concat!(env!("EXT_PREFIX"), "decode_attention")]
    fn c_decode_attention(
        result: *mut mlx_array,
        query: mlx_array,
        key: mlx_array,
        value: mlx_array,
        mask_kind: c_int,
        mask: mlx_array,
        scale: f32,
        stream: mlx_stream,
    ) -> c_int;
}

/// Which implementation of [`quantized_matmul`] runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// One output after the other.
    Vanilla,
    /// For few rows of `x`, as in decoding.
    Matvec,
    /// In blocks, for prefill.
    Tiled,
    /// Partial sums over so many parts of the inner axis, added at the end.
    SplitK(i32),
}

/// Which keys a query may see in [`decode_attention`].
#[derive(Debug, Clone, Copy)]
pub enum Mask<'a> {
    /// All of them.
    None,
    /// Query `i` of `L` sees the keys up to `S - L + i`.
    Causal,
    /// Those whose entry, added to the score, is not -inf; broadcasts to (B, H, L, S).
    Array(&'a Array),
}

/// `x @ weight^T` of a packed weight: `x` (.., N), `weight` K×N/8 u32, `scales` and `biases` K×N/group_size → (.., K).
///
/// Errors: `NotImplemented` with task 2.3.2, 2.3.3, 2.6.1 or 2.7.1, by path.
pub fn quantized_matmul(
    x: &Array,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    group_size: i32,
    bits: i32,
    path: Path,
) -> Result<Array> {
    let (path, splits) = match path {
        Path::Vanilla => (0, 1),
        Path::Matvec => (1, 1),
        Path::Tiled => (2, 1),
        Path::SplitK(splits) => (3, splits),
    };
    let (x, weight, scales, biases) = (x.as_ptr(), weight.as_ptr(), scales.as_ptr(), biases.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe {
        c_quantized_matmul(result, x, weight, scales, biases, group_size, bits, path, splits, stream)
    })
}

/// `x / sqrt(mean(x²) + eps) * weight` over the last axis: `x` (.., D), `weight` (D,) → (.., D).
///
/// Errors: `NotImplemented` with task 2.4.1.
pub fn rms_norm(x: &Array, weight: &Array, eps: f32) -> Result<Array> {
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe { c_rms_norm(result, x.as_ptr(), weight.as_ptr(), eps, stream) })
}

/// Rotates the first `dims` of every head: `x` (B, L, H, D), `offsets` (B,) i32, the position of each row's first token.
///
/// `traditional` pairs neighbours, otherwise the two halves. Errors: `NotImplemented` with task 2.4.2.
pub fn rope(x: &Array, offsets: &Array, dims: i32, base: f32, traditional: bool) -> Result<Array> {
    let (x, offsets) = (x.as_ptr(), offsets.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe { c_rope(result, x, offsets, dims, base, traditional, stream) })
}

/// `silu(gate) * up`, element by element; one shape. Errors: `NotImplemented` with task 2.4.3.
pub fn swiglu(gate: &Array, up: &Array) -> Result<Array> {
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe { c_swiglu(result, gate.as_ptr(), up.as_ptr(), stream) })
}

/// Attention of few queries: `query` (B, Hq, L, D), `key` and `value` (B, H, S, D), Hq a multiple of H → (B, Hq, L, D).
///
/// Errors: `NotImplemented` with task 2.5.1.
pub fn decode_attention(query: &Array, key: &Array, value: &Array, mask: Mask<'_>, scale: f32) -> Result<Array> {
    let (kind, mask) = match mask {
        Mask::None => (0, border::no_array()),
        Mask::Causal => (1, border::no_array()),
        Mask::Array(mask) => (2, mask.as_ptr()),
    };
    let (query, key, value) = (query.as_ptr(), key.as_ptr(), value.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe { c_decode_attention(result, query, key, value, kind, mask, scale, stream) })
}
