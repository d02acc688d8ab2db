//! Nucleus and top-k, on the tempered law.

use super::{check_weight, config::refuse_nan, deterministic_top_k_order};
use crate::{Error, Result};

/// Keeps the tokens that are among the `top_k` most likely and in the nucleus of `top_p`, and divides by their sum.
///
/// Both filters read one ranking and the mass of the whole vocabulary, so that their order does not matter. A ranked
/// token is in the nucleus while the mass strictly before it is below `top_p`: the token that crosses `top_p` stays, and
/// the first always does. `top_k` is active in 0 < k < V, `top_p` in 0 < p < 1.
///
/// `probs` (V,), at least 0; they need not sum to 1, but then `top_p` is measured in their unit. Returns (V,). A row of
/// zeros becomes all mass on its first id.
/// Errors: `InvalidArgument` for a NaN `top_p`, an empty row and a negative entry; `NonFinite` for NaN and infinities.
pub fn apply_top_p_top_k(probs: &[f64], top_p: f64, top_k: i64) -> Result<Vec<f64>> {
    refuse_nan("top_p", top_p)?;
    check_weights(probs)?;
    let vocabulary = probs.len();
    let k = usize::try_from(top_k).ok().filter(|k| (1..vocabulary).contains(k));
    if k.is_none() && !(top_p > 0.0 && top_p < 1.0) {
        return Ok(normalised(probs, 0..vocabulary));
    }
    Ok(normalised(probs, ranked(probs, top_p, k.unwrap_or(vocabulary))?.into_iter()))
}

/// The probabilities of `kept` divided by their sum, 0 for all others; without mass, all of it on the first id.
fn normalised(probs: &[f64], kept: impl Iterator<Item = usize> + Clone) -> Vec<f64> {
    let mass: f64 = kept.clone().map(|id| probs[id]).sum();
    let mut filtered = vec![0.0; probs.len()];
    if mass <= 0.0 {
        filtered[0] = 1.0;
        return filtered;
    }
    kept.for_each(|id| filtered[id] = probs[id] / mass);
    filtered
}

/// The first ids of the ranking that both filters keep.
///
/// A nucleus without top-k may be long, but is mostly short: the ranking is read in growing parts, not sorted whole.
fn ranked(probs: &[f64], top_p: f64, k: usize) -> Result<Vec<usize>> {
    if !(top_p > 0.0 && top_p < 1.0) {
        return deterministic_top_k_order(probs, k as i64);
    }
    let mut part = k.min(256);
    loop {
        let mut ids = deterministic_top_k_order(probs, part as i64)?;
        let mut before = 0.0;
        let inside = ids.iter().take_while(|&&id| {
            let keep = before < top_p;
            before += probs[id];
            keep
        });
        let inside = inside.count();
        if inside < part || part == k {
            ids.truncate(inside);
            return Ok(ids);
        }
        part = (8 * part).min(k);
    }
}

fn check_weights(probs: &[f64]) -> Result<()> {
    if probs.is_empty() {
        let must = "hold at least one probability".into();
        return Err(Error::InvalidArgument { name: "probs".into(), value: "empty".into(), must });
    }
    probs.iter().try_for_each(|&p| check_weight(p))
}
