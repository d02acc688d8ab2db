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
    kit::stub!("1.3.2", query, key, value, scale, mask)
}
