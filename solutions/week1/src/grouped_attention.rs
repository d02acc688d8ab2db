//! Grouped-query attention: several query heads read one key/value head, so that the cache of week 2 stays small.
//!
//! In: queries (.., H_q, L, D), keys and values (.., H, S, D). Out: (.., H_q, L, D). The H_q query heads form H groups
//! of G = H_q / H neighbours; groups of one are ordinary multi-head attention, a single group is multi-query attention.

use crate::mask::Mask;
use kit::Result;
use mlx_rs::Array;

/// Attention in which query head h reads key/value head h / G.
///
/// `query` (.., H_q, L, D), `key` and `value` (.., H, S, D), H divides H_q,
/// any axes in front. `scale` is 1/sqrt(D) when `None`. Computed in f32,
/// returned as (.., H_q, L, D) in the dtype of `query`. Keys and values are
/// broadcast to the G heads of a group, never copied. A query that sees no
/// key at all, every score -inf, gets zeros.
/// Errors: `Shape` where these do not fit together or the mask does not
/// broadcast to (.., H_q, L, S); `Dtype`; as [`causal_mask`] for L > S.
///
/// [`causal_mask`]: crate::mask::causal_mask
pub fn scaled_dot_product_attention_grouped(
    query: &Array,
    key: &Array,
    value: &Array,
    scale: Option<f32>,
    mask: Mask<'_>,
) -> Result<Array> {
    // SOLUTION 1.3.2 query, key, value, scale, mask
    use crate::{basics::softmax, mask::causal_mask};
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("grouped attention: query", query)?;
    check_axes("grouped attention: query", query, "(.., H_q, L, D)", 3)?;
    check_axes("grouped attention: key", key, "(.., H, S, D)", 3)?;
    let front = &query.shape()[..query.ndim() - 3];
    let (query_heads, l, width) = (query.dim(-3), query.dim(-2), query.dim(-1));
    let (heads, s) = (key.dim(-3), key.dim(-2));
    check_shape("grouped attention: key", key, "(.., H, S, D)", &[front, &[heads, s, width]].concat())?;
    check_shape("grouped attention: value", value, "(.., H, S, D)", key.shape())?;
    check_dtype("grouped attention: key", key, query.dtype())?;
    check_dtype("grouped attention: value", value, query.dtype())?;
    if heads == 0 || query_heads % heads != 0 {
        let expected = format!("(.., H, S, D) whose H divides {query_heads}, the query heads");
        return Err(Error::Shape { op: "grouped attention: key".into(), expected, got: format!("{:?}", key.shape()) });
    }

    let group = query_heads / heads; // G
    let grouped = |rows: i32, columns: i32| [front, &[heads, group, rows, columns]].concat();
    let shared = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-3)?) }; // (.., H, 1, S, D)
    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., H_q, L, D)
    let scaled = scaled.reshape(&grouped(l, width))?; // (.., H, G, L, D)
    let mut scores = scaled.matmul(shared(key)?.swap_axes(-1, -2)?)?; // (.., H, G, L, S)
    match mask {
        Mask::None => {}
        Mask::Causal => scores = scores.add(causal_mask(l, s, Float32)?)?,
        Mask::Array(mask) => {
            let full = [front, &[query_heads, l, s]].concat();
            check_float("grouped attention: mask", mask)?;
            check_broadcast("grouped attention: mask", mask, "(.., H_q, L, S)", &full)?;
            let mask = ops::broadcast_to(mask.as_dtype(Float32)?, &full)?.reshape(&grouped(l, s))?;
            scores = scores.add(mask)?;
        }
    }
    let sees_something = scores.max_axis(-1, true)?.ne(Array::from_f32(f32::NEG_INFINITY))?; // (.., H, G, L, 1)
    let shares = ops::select(sees_something, softmax(&scores, -1)?, Array::from_f32(0.0))?; // (.., H, G, L, S)
    let mixed = shares.matmul(shared(value)?)?; // (.., H, G, L, D)
    Ok(mixed.reshape(query.shape())?.as_dtype(query.dtype())?)
    // END SOLUTION
}
