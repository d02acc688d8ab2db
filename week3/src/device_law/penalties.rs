//! Presence and frequency penalties and the loop guard, for a batch.

use std::collections::BTreeMap;

use kit::{Error, Result};
use mlx_rs::{Array, ops, ops::indexing::scatter_add_single};

use super::Row;
use super::rows::{check_batch, single};

/// What the loop guard may take from one logit: f32 then still holds the difference.
const MOST: f64 = 1e30;

/// Subtracts from every row what its settings and its history say, as [`kit::law::apply_penalties`] does for one row.
///
/// `logits` (B, V) in f32, f16 or bf16, left unchanged; `rows` B. Returns (B, V), always f32: half precision would round
/// a penalty away. -inf stays -inf.
/// Errors: `Shape`, `Dtype`; `InvalidArgument` for an id of a history outside the vocabulary, and for a guard's amount
/// above 1e30 in size.
pub fn apply_penalties_mlx(logits: &Array, rows: &[Row<'_>]) -> Result<Array> {
    check_batch(logits, rows.len())?;
    subtracted(&single(logits)?, amounts(rows, logits.dim(1))?.as_ref())
}

/// `raw` (B, V) f32 less `amounts`.
pub(super) fn subtracted(raw: &Array, amounts: Option<&Array>) -> Result<Array> {
    Ok(match amounts {
        None => raw.clone(),
        Some(amounts) => raw.subtract(amounts)?,
    })
}

/// What each token loses, (B, V) f32; `None` when no row loses anything. Errors: as [`apply_penalties_mlx`].
pub(super) fn amounts(rows: &[Row<'_>], vocabulary: i32) -> Result<Option<Array>> {
    let (mut places, mut sizes) = (Vec::new(), Vec::new());
    for (index, row) in rows.iter().enumerate() {
        for (id, amount) in row_amounts(row) {
            let refuse = |name: String, value: String, must: String| Err(Error::InvalidArgument { name, value, must });
            if id >= vocabulary as usize {
                let must = format!("be below the vocabulary, {vocabulary}");
                return refuse("a token id".into(), id.to_string(), must);
            }
            if amount.abs() > MOST {
                let must = format!("be at most {MOST:e} in size");
                return refuse(format!("what token {id} loses"), format!("{amount:e}"), must);
            }
            if amount != 0.0 {
                places.push((index * vocabulary as usize + id) as u32);
                sizes.push(amount as f32);
            }
        }
    }
    if places.is_empty() {
        return Ok(None);
    }
    let count = places.len() as i32;
    let flat = ops::zeros::<f32>(&[rows.len() as i32 * vocabulary])?;
    let (places, sizes) = (Array::from_slice(&places, &[count]), Array::from_slice(&sizes, &[count, 1]));
    Ok(Some(scatter_add_single(flat, places, sizes, 0)?.reshape(&[rows.len() as i32, vocabulary])?))
}

/// Ids and what each of them loses, in f64.
fn row_amounts(row: &Row<'_>) -> BTreeMap<usize, f64> {
    let mut amounts = BTreeMap::new();
    let Some(history) = row.history else { return amounts };
    let presence = row.config.presence_penalty().clamp(-2.0, 2.0);
    let frequency = row.config.frequency_penalty().clamp(-2.0, 2.0);
    for (id, count) in history.counts() {
        let once = if count > 0 { presence } else { 0.0 };
        amounts.insert(id, frequency * count as f64 + once);
    }
    for (id, amount) in history.guarded() {
        *amounts.entry(id).or_insert(0.0) += amount;
    }
    amounts
}
