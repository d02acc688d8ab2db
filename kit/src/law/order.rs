//! One ranking for both filters: by value, ties by id.

use std::cmp::Ordering;

use crate::{Error, Result};

/// The ids of the `k` largest values, largest first, equals by ascending id. A negative `k` gives none, a `k` above the
/// length all. -0.0 equals 0.0.
///
/// O(n + k log k): the k largest are set apart in one pass, then sorted alone.
/// Errors: `NonFinite` for NaN, which has no rank.
pub fn deterministic_top_k_order(values: &[f64], k: i64) -> Result<Vec<usize>> {
    if values.iter().any(|value| value.is_nan()) {
        return Err(Error::NonFinite { row: 0, what: "contains NaN".into() });
    }
    let k = usize::try_from(k).unwrap_or(0).min(values.len());
    if k == 0 {
        return Ok(Vec::new());
    }
    let before = |a: &usize, b: &usize| match values[*b].partial_cmp(&values[*a]) {
        Some(Ordering::Equal) | None => a.cmp(b),
        Some(by_value) => by_value,
    };
    // Twice k at a time: of those the k largest stay, and the least of them is the bar for all that follow. An equal of
    // it has a higher id than it and comes after it.
    let room = k.saturating_mul(2).max(64);
    let mut ids = Vec::with_capacity(room.min(values.len()));
    let mut bar = f64::NAN;
    for (id, &value) in values.iter().enumerate() {
        if value <= bar {
            continue;
        }
        ids.push(id);
        if ids.len() == room {
            bar = values[*ids.select_nth_unstable_by(k - 1, before).1];
            ids.truncate(k);
        }
    }
    if k < ids.len() {
        ids.select_nth_unstable_by(k - 1, before);
        ids.truncate(k);
    }
    ids.sort_unstable_by(before);
    Ok(ids)
}
