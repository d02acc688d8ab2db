//! One ranking for both filters: by value, ties by id.

use std::cmp::Ordering;

use crate::{Error, Result};

/// The ids of the `k` largest values, largest first, equals by ascending id. A negative `k` gives none, a `k` above the
/// length all. -0.0 equals 0.0.
///
/// O(n + k log k): the k largest are partitioned off, then sorted alone.
/// Errors: `NonFinite` for NaN, which has no rank.
pub fn deterministic_top_k_order(values: &[f64], k: i64) -> Result<Vec<usize>> {
    if values.iter().any(|value| value.is_nan()) {
        return Err(Error::NonFinite { row: 0, what: "contains NaN".into() });
    }
    let k = usize::try_from(k).unwrap_or(0).min(values.len());
    let before = |a: &usize, b: &usize| match values[*b].partial_cmp(&values[*a]) {
        Some(Ordering::Equal) | None => a.cmp(b),
        Some(by_value) => by_value,
    };
    let mut ids: Vec<usize> = (0..values.len()).collect();
    if 0 < k && k < ids.len() {
        ids.select_nth_unstable_by(k - 1, before);
    }
    ids.truncate(k);
    ids.sort_unstable_by(before);
    Ok(ids)
}
