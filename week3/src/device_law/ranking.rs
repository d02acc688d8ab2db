//! One ranking: by logit, ties by id, the same on every device.
//!
//! Logits are ranked as they are, never after the division by the temperature: f32 would make equals of neighbours.

use kit::{Error, Result};
use mlx_rs::{Array, Dtype, ops, ops::PadWidth, ops::indexing::IndexOp};

use super::rows::{check_batch, refuse_rows, single};

/// Entries of a block, of which only the largest is looked at in the first pass.
const BLOCK: i32 = 64;

/// The ids of the `k` largest logits of every row, largest first, equals by ascending id. -0.0 equals 0.0; a `k` above V
/// means V.
///
/// `logits` (B, V) in f32, f16 or bf16. Returns (B, k) u32.
/// Errors: `Shape`, `Dtype`; `InvalidArgument` for k = 0; `NonFinite` with the first row that has NaN or +inf or no
/// finite entry.
pub fn deterministic_mlx_top_k_support(logits: &Array, k: usize) -> Result<Array> {
    check_batch(logits, logits.dim(0) as usize)?;
    if k == 0 {
        return Err(Error::InvalidArgument { name: "k".into(), value: "0".into(), must: "be at least 1".into() });
    }
    let logits = single(logits)?;
    refuse_rows(&logits, &vec![false; logits.dim(0) as usize])?;
    ranked(&logits, i32::try_from(k).unwrap_or(i32::MAX).min(logits.dim(1)))
}

/// The first `k` ids of the ranking, (B, k) u32. `scores` (B, V) f32 without NaN; 1 <= k <= V.
///
/// The k largest entries lie in the k blocks with the largest maxima, equal maxima by place: any other block has k
/// entries before its own first one. So one pass over the vocabulary is enough, and what is sorted is small.
pub(super) fn ranked(scores: &Array, k: i32) -> Result<Array> {
    let (batch, vocabulary) = (scores.dim(0), scores.dim(1));
    let blocks = (vocabulary + BLOCK - 1) / BLOCK;
    if blocks <= 2 * k {
        return first(scores, &counting(vocabulary)?, k);
    }
    let blocked = padded(scores, blocks * BLOCK, f32::NEG_INFINITY)?.reshape(&[batch, blocks, BLOCK])?;
    let maxima = blocked.max_axis(-1, false)?; // (B, blocks)
    let chosen = first(&maxima, &counting(blocks)?, k)?.reshape(&[batch, k, 1])?; // (B, k, 1)
    let offsets = counting(BLOCK)?.reshape(&[1, 1, BLOCK])?;
    let ids = chosen.multiply(unsigned(BLOCK))?.add(offsets)?.reshape(&[batch, k * BLOCK])?; // (B, k·BLOCK)
    let candidates = blocked.reshape(&[batch, blocks * BLOCK])?.take_along_axis(&ids, -1)?;
    first(&candidates, &ids, k)
}

/// The `k` ids of the largest scores, in order. `scores` (B, N) f32, `ids` u32, broadcast to (B, N), different in a row.
///
/// A score and its id become one integer, so that no two are equal and every way of sorting gives the same.
fn first(scores: &Array, ids: &Array, k: i32) -> Result<Array> {
    let bits = scores.view_dtype(Dtype::Int32)?.as_dtype(Dtype::Int64)?;
    // The bits of negative floats grow downwards; -0.0 becomes 0.
    let mirrored = long(i64::from(i32::MIN)).subtract(&bits)?;
    let ordered = ops::select(bits.lt(long(0))?, mirrored, &bits)?;
    let mut places = ids.as_dtype(Dtype::Int64)?.subtract(ordered.multiply(long(1 << 32))?)?; // ascending
    if k < places.dim(1) {
        places = ops::partition_axis(places, k - 1, -1)?.index((.., ..k));
    }
    // The id is the lower half.
    Ok(ops::sort_axis(places, -1)?.as_dtype(Dtype::Uint32)?)
}

/// `array` (B, N) with `value` behind every row, up to `width`.
pub(super) fn padded(array: &Array, width: i32, value: f32) -> Result<Array> {
    if array.dim(1) == width {
        return Ok(array.clone());
    }
    let behind = [(0, 0), (0, width - array.dim(1))];
    Ok(ops::pad(array, PadWidth::Widths(&behind), Array::from_f32(value), None)?)
}

/// 0..n as a row (1, n) u32.
pub(super) fn counting(n: i32) -> Result<Array> {
    Ok(ops::arange::<_, u32>(None, n, None)?.reshape(&[1, n])?)
}

fn unsigned(value: i32) -> Array {
    Array::from_slice(&[value as u32], &[1])
}

fn long(value: i64) -> Array {
    Array::from_slice(&[value], &[1])
}
