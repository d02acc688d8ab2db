//! From probabilities to token ids, with a key of its own for every row.

use kit::{Error, Result};
use mlx_rs::{Array, Dtype, ops, ops::indexing::IndexOp, random};

use super::mass::shares;
use super::support::Survivors;

/// One random key for each of `count` rows, all from `seed`: the same seed gives the same keys, and the first keys do not
/// depend on how many follow. Keys are (2,) u32. A key is spent by one draw. Waits for the device.
pub fn row_keys(seed: u64, count: usize) -> Result<Vec<Array>> {
    // Counted up from a random number of 64 bits, so that the keys of neighbouring seeds are no neighbours.
    let (root, _) = random::split(random::key(seed)?, 2)?;
    root.eval()?;
    let words = root.as_slice::<u32>();
    let first = u64::from(words[0]) << 32 | u64::from(words[1]);
    (0..count).map(|row| Ok(random::key(first.wrapping_add(row as u64))?)).collect()
}

/// Errors: `InvalidArgument` unless there are `rows` keys, each (2,) u32.
pub(super) fn check_keys(keys: &[Array], rows: usize) -> Result<()> {
    if keys.len() != rows {
        let must = format!("be the number of rows, {rows}");
        return Err(Error::InvalidArgument { name: "the number of keys".into(), value: keys.len().to_string(), must });
    }
    for key in keys {
        kit::check_shape("device law: a key", key, "(2,)", &[2])?;
        kit::check_dtype("device law: a key", key, Dtype::Uint32)?;
    }
    Ok(())
}

/// One id for each row, (B,) u32.
///
/// A row's random number is 32 bits long. Its token is the first whose cumulative share exceeds that number, scaled to
/// the row's total: a token with share 0, thus below 2^-32, is never drawn.
pub(super) fn drawn(survivors: &Survivors, keys: &[&Array]) -> Result<Array> {
    // MLX makes new keys from the same bits that its random numbers come from: two words for each row, one of them used.
    let words = keys.iter().map(|key| Ok(random::split(key, 2)?.0)).collect::<Result<Vec<_>>>()?;
    let words = ops::concatenate(&words, 0)?.reshape(&[-1, 2])?; // (B, 2) u32
    let numbers = words.index((.., ..1)).as_dtype(Dtype::Uint64)?; // (B, 1)
    let cumulative = shares(&survivors.probabilities)?.cumsum(-1, None, None)?; // (B, N)
    let total = cumulative.index((.., -1)).reshape(&[-1, 1])?.as_dtype(Dtype::Uint64)?; // (B, 1)
    let scale = Array::from_slice(&[1_u64 << 32], &[1]);
    let target = numbers.multiply(total)?.floor_divide(scale)?.as_dtype(Dtype::Uint32)?; // below the total
    let place = cumulative.le(target)?.as_dtype(Dtype::Uint32)?.sum_axis(-1, true)?; // (B, 1), how many do not exceed it
    let ids = match &survivors.ids {
        Some(ids) => ids.take_along_axis(place, -1)?,
        None => place,
    };
    Ok(ids.reshape(&[-1])?.as_dtype(Dtype::Uint32)?)
}
