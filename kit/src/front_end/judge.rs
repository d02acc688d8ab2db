//! Judges another engine's answer: its ids in, how far each is from the best by this engine's logits out.
//!
//! Engines that round differently part ways at the first near tie, and nothing after it can be compared. But a greedy
//! answer has at every place an id whose logit is close to the largest, and an engine that computes something else has
//! one that is not: of random logits, the largest of V lies more than four standard deviations above the mean.

use mlx_rs::{Array, Dtype, ops::indexing::TryIndexOp};
use serde_json::{Value, json};

use crate::{Engine, Error, Request, Result, testing::values};

/// The answer is a JSON array of ids. Errors: another text; whatever the engine returns.
pub(super) fn answer(engine: &dyn Engine, request: &Request, answer: &str) -> Result<Value> {
    let ids: Vec<u32> =
        serde_json::from_str(answer).map_err(|e| Error::Other(format!("{answer:?} is no list of ids: {e}")))?;
    let Some((_, before)) = ids.split_last() else {
        return Err(Error::Other("an empty answer cannot be judged".into()));
    };
    let text = [&request.prompt[..], before].concat();
    let logits = engine.logits(&Array::from_slice(&text, &[1, text.len() as i32]))?; // (1, L, V)
    let rows = logits.try_index((0, request.prompt.len() as i32 - 1.., ..))?.as_dtype(Dtype::Float32)?;
    let width = rows.dim(1) as usize;
    let gaps =
        values(&rows)?.chunks_exact(width).zip(&ids).map(|(row, &id)| gap(row, id)).collect::<Result<Vec<_>>>()?;
    Ok(json!({
        "best_ids": gaps.iter().filter(|gap| **gap == 0.0).count(),
        "worst_gap": gaps.iter().copied().fold(0.0, f64::max),
    }))
}

/// From the largest logit of a row down to that of `id`, in standard deviations of the row.
fn gap(row: &[f32], id: u32) -> Result<f64> {
    let Some(&logit) = row.get(id as usize) else {
        return Err(Error::Other(format!("the answer has id {id}, but there are {} logits", row.len())));
    };
    let count = row.len() as f64;
    let mean = row.iter().map(|&z| f64::from(z)).sum::<f64>() / count;
    let variance = row.iter().map(|&z| (f64::from(z) - mean).powi(2)).sum::<f64>() / count;
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    Ok(f64::from(largest - logit) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_counted_in_deviations() {
        // Mean 0, standard deviation 2.
        let row = [2.0, -2.0, 2.0, -2.0];
        assert_eq!((gap(&row, 0).expect("a gap"), gap(&row, 3).expect("a gap")), (0.0, 2.0));
        assert!(gap(&row, 4).is_err());
    }
}
