//! Attention of a few new queries over all keys. The node is in src/decode_attention.cpp.

use std::ffi::c_int;

use kit::{ANY, Error, Result, check_broadcast, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype, ops::broadcast_to};
use mlx_sys::{mlx_array, mlx_stream};

use crate::border;

unsafe extern "C" {
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

/// The widest head of [`decode_attention`].
const MOST_DIMS: i32 = 256;

/// Which keys a query may see in [`decode_attention`].
#[derive(Debug, Clone, Copy)]
pub enum Mask<'a> {
    /// All of them.
    None,
    /// Query `i` of `L` sees the keys up to `S - L + i`.
    Causal,
    /// Those whose entry, added to the score, is not -inf; any float dtype, broadcasts to (B, Hq, L, S).
    Array(&'a Array),
}

/// `softmax(scale * query @ key^T + mask) @ value`: `query` (B, Hq, L, D), `key` and `value` (B, H, S, D), Hq a multiple of
/// H → (B, Hq, L, D).
///
/// One dtype of Float32, Float16 and Bfloat16; computed in f32 and rounded once. D is at most 256, L and S are anything: a
/// query that sees no key gets zeros. Query heads `h * Hq/H` and on share key head `h`. Keys and values may be slices of a
/// cache and are then read where they lie. Lazy, on the current stream.
///
/// Errors: `Dtype`, `Shape`; `InvalidArgument` about `query heads`, `D` and `scale`.
pub fn decode_attention(query: &Array, key: &Array, value: &Array, mask: Mask<'_>, scale: f32) -> Result<Array> {
    check_float("decode_attention: query", query)?;
    check_shape("decode_attention: query", query, "(B, Hq, L, D)", &[ANY; 4])?;
    let &[batch, query_heads, length, dims] = query.shape() else {
        return Err(Error::Other("decode_attention: query has not four axes".to_string()));
    };
    check_dtype("decode_attention: key", key, query.dtype())?;
    check_shape("decode_attention: key", key, "(B, H, S, D)", &[batch, ANY, ANY, dims])?;
    check_dtype("decode_attention: value", value, query.dtype())?;
    check_shape("decode_attention: value", value, "(B, H, S, D)", key.shape())?;
    let (heads, keys) = (key.shape()[1], key.shape()[2]);
    if heads == 0 || query_heads % heads != 0 {
        return Err(invalid(
            "query heads",
            &query_heads.to_string(),
            &format!("be a multiple of the key heads, {heads}"),
        ));
    }
    if !(1..=MOST_DIMS).contains(&dims) {
        return Err(invalid("D", &dims.to_string(), &format!("be from 1 to {MOST_DIMS}")));
    }
    if !scale.is_finite() {
        return Err(invalid("scale", &scale.to_string(), "be a number"));
    }
    let broadcast = match mask {
        Mask::Array(mask) => {
            let scores = [batch, query_heads, length, keys];
            check_float("decode_attention: mask", mask)?;
            check_broadcast("decode_attention: mask", mask, "(B, Hq, L, S)", &scores)?;
            Some(broadcast_to(mask.as_dtype(Dtype::Float32)?, &scores)?)
        }
        _ => None,
    };
    let kind = match mask {
        Mask::None => 0,
        Mask::Causal => 1,
        Mask::Array(_) => 2,
    };
    let mask = broadcast.as_ref().map_or_else(border::no_array, Array::as_ptr);
    let (query, key, value) = (query.as_ptr(), key.as_ptr(), value.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_decode_attention(result, query, key, value, kind, mask, scale, stream) })
}

fn invalid(name: &str, value: &str, must: &str) -> Error {
    Error::InvalidArgument { name: name.to_string(), value: value.to_string(), must: must.to_string() }
}
