//! Attention: every position asks, every position answers, and the answers are mixed by how well they match.
//!
//! In: queries (.., L, D), keys and values (.., S, D). Out: one mixture of the values for every query, (.., L, D).
//! `SimpleMultiHeadAttention` cuts the features into heads, lets each head attend on its own and joins them again.

use kit::Result;
use mlx_rs::Array;

/// `softmax(query · keyᵀ · scale + mask) · value`, computed in f32.
///
/// `query` (.., L, D), `key` and `value` (.., S, D) with the same axes in
/// front, any number of them. `scale` is 1/sqrt(D) when `None`. `mask` is
/// added to the scores, of any float dtype, and broadcasts to (.., L, S).
/// Returns (.., L, D) in the dtype of `query`.
/// Errors: `Shape`; `Dtype` for mixed or other than f32, f16, bf16.
pub fn scaled_dot_product_attention(
    query: &Array,
    key: &Array,
    value: &Array,
    scale: Option<f32>,
    mask: Option<&Array>,
) -> Result<Array> {
    // SOLUTION 1.1.3 query, key, value, scale, mask
    use crate::basics::softmax;
    use kit::{check_axes, check_broadcast, check_dtype, check_float, check_shape};
    use mlx_rs::Dtype::Float32;

    check_float("attention: query", query)?;
    check_axes("attention: query", query, "(.., L, D)", 2)?;
    check_axes("attention: key", key, "(.., S, D)", 2)?;
    let (front, width) = (&query.shape()[..query.ndim() - 2], query.dim(-1));
    check_shape("attention: key", key, "(.., S, D)", &[front, &[key.dim(-2), width]].concat())?;
    check_shape("attention: value", value, "(.., S, D)", key.shape())?;
    check_dtype("attention: key", key, query.dtype())?;
    check_dtype("attention: value", value, query.dtype())?;

    let scale = scale.unwrap_or(1.0 / (width as f32).sqrt());
    let scaled = query.as_dtype(Float32)?.multiply(Array::from_f32(scale))?; // (.., L, D)
    let mut scores = scaled.matmul(key.as_dtype(Float32)?.swap_axes(-1, -2)?)?; // (.., L, S)
    if let Some(mask) = mask {
        check_float("attention: mask", mask)?;
        check_broadcast("attention: mask", mask, "(.., L, S)", scores.shape())?;
        scores = scores.add(mask.as_dtype(Float32)?)?;
    }
    let mixed = softmax(&scores, -1)?.matmul(value.as_dtype(Float32)?)?; // (.., L, D)
    Ok(mixed.as_dtype(query.dtype())?)
    // END SOLUTION
}

/// Attention in `num_heads` independent slices of the features.
///
/// E is the hidden size, H the number of heads, D = E / H.
#[derive(Debug, Clone)]
pub struct SimpleMultiHeadAttention {
    /// H
    pub num_heads: i32,
    /// (E, E), for the queries
    pub wq: Array,
    /// (E, E), for the keys
    pub wk: Array,
    /// (E, E), for the values
    pub wv: Array,
    /// (E, E), for the joined heads
    pub wo: Array,
}

impl SimpleMultiHeadAttention {
    /// Checks and keeps the four weights, (E, E) each, for [`linear`].
    ///
    /// Errors: `InvalidArgument` about `num_heads` unless it is at least 1
    /// and divides `hidden_size`; `Shape` for a weight that is not (E, E).
    ///
    /// [`linear`]: crate::basics::linear
    pub fn new(hidden_size: i32, num_heads: i32, wq: Array, wk: Array, wv: Array, wo: Array) -> Result<Self> {
        // SOLUTION 1.1.4 hidden_size, num_heads, wq, wk, wv, wo
        use kit::{Error, check_shape};

        if num_heads < 1 || hidden_size % num_heads != 0 {
            let must = format!("be at least 1 and divide the hidden size, {hidden_size}");
            return Err(Error::InvalidArgument { name: "num_heads".into(), value: num_heads.to_string(), must });
        }
        for (name, weight) in [("wq", &wq), ("wk", &wk), ("wv", &wv), ("wo", &wo)] {
            check_shape(&format!("multi-head attention: {name}"), weight, "(E, E)", &[hidden_size, hidden_size])?;
        }
        Ok(Self { num_heads, wq, wk, wv, wo })
        // END SOLUTION
    }

    /// Projects, attends in every head, joins the heads, projects back.
    ///
    /// `query` (.., L, E), `key` and `value` (.., S, E). `mask` broadcasts
    /// to (.., H, L, S). Returns (.., L, E). Head h owns the features
    /// h·D to (h+1)·D.
    /// Errors: as [`scaled_dot_product_attention`].
    pub fn forward(&self, query: &Array, key: &Array, value: &Array, mask: Option<&Array>) -> Result<Array> {
        // SOLUTION 1.1.4 self, query, key, value, mask
        use crate::basics::linear;
        use kit::check_axes;

        let heads = |name: &str, x: &Array, w: &Array| -> Result<Array> {
            check_axes(&format!("multi-head attention: {name}"), x, "(.., L, E)", 2)?;
            let (front, width) = (&x.shape()[..x.ndim() - 1], w.dim(0) / self.num_heads);
            let split = linear(x, w, None)?.reshape(&[front, &[self.num_heads, width]].concat())?; // (.., L, H, D)
            Ok(split.swap_axes(-3, -2)?) // (.., H, L, D)
        };
        let q = heads("query", query, &self.wq)?;
        let (k, v) = (heads("key", key, &self.wk)?, heads("value", value, &self.wv)?);
        let attended = scaled_dot_product_attention(&q, &k, &v, None, mask)?; // (.., H, L, D)
        let joined = attended.swap_axes(-3, -2)?.reshape(query.shape())?; // (.., L, E)
        linear(&joined, &self.wo, None)
        // END SOLUTION
    }
}
