//! Softmax at a temperature.

use super::config::refuse_nan;
use crate::{Error, Result};

/// `exp((z - max z) / T)`, divided by its sum. T at 0 and below is the limit with ties broken: all mass on the first
/// maximum. T = +inf is the uniform law.
///
/// The maximum is subtracted before the division, so that no finite temperature and no finite logits overflow.
/// `logits` (V,); returns probabilities (V,); -inf gives 0.
/// Errors: `NonFinite` for a row with NaN or +inf, or without a finite entry, and for -inf at T = +inf, where the limit
/// depends on the way; `InvalidArgument` for a NaN temperature.
pub fn softmax(logits: &[f64], temperature: f64) -> Result<Vec<f64>> {
    refuse_nan("temperature", temperature)?;
    let best = first_maximum(logits)?;
    if temperature <= 0.0 {
        let mut one_hot = vec![0.0; logits.len()];
        one_hot[best] = 1.0;
        return Ok(one_hot);
    }
    if temperature == f64::INFINITY {
        if logits.contains(&f64::NEG_INFINITY) {
            return Err(Error::NonFinite { row: 0, what: "holds -inf, which has no limit at temperature inf".into() });
        }
        return Ok(vec![1.0 / logits.len() as f64; logits.len()]);
    }
    let max = logits[best];
    let mut weights: Vec<f64> = logits.iter().map(|&z| ((z - max) / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    Ok(weights)
}

/// The first index of the largest logit. Errors: `NonFinite` for a row that no token can be drawn from.
fn first_maximum(logits: &[f64]) -> Result<usize> {
    let refuse = |what: &str| Err(Error::NonFinite { row: 0, what: what.into() });
    let (mut best, mut max) = (0, f64::NEG_INFINITY);
    for (id, &z) in logits.iter().enumerate() {
        if z.is_nan() {
            return refuse("contains NaN");
        }
        if z > max {
            (best, max) = (id, z);
        }
    }
    match max {
        f64::INFINITY => refuse("contains +inf"),
        f64::NEG_INFINITY => refuse("has no finite entry"),
        _ => Ok(best),
    }
}
