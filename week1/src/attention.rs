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
    kit::stub!("1.1.3", query, key, value, scale, mask)
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
        kit::stub!("1.1.4", hidden_size, num_heads, wq, wk, wv, wo)
    }

    /// Projects, attends in every head, joins the heads, projects back.
    ///
    /// `query` (.., L, E), `key` and `value` (.., S, E). `mask` broadcasts
    /// to (.., H, L, S). Returns (.., L, E). Head h owns the features
    /// h·D to (h+1)·D.
    /// Errors: as [`scaled_dot_product_attention`].
    pub fn forward(&self, query: &Array, key: &Array, value: &Array, mask: Option<&Array>) -> Result<Array> {
        kit::stub!("1.1.4", self, query, key, value, mask)
    }
}
