//! Draws cannot be compared one by one, because two right samplers spend their randomness differently: they are counted.

use kit::Result;
use kit::testing::values;
use mlx_rs::{Array, ops};

/// Rows that are drawn at once.
pub const ROWS: i32 = 4096;

/// Two frequencies of 4096 draws are this far apart less than once in 10 million times: 5.4 standard deviations of
/// sqrt(2 · 0.25 / 4096).
pub const BOUND: f32 = 0.06;

/// The row (1, V) as often as it is drawn from.
pub fn repeated(row: &Array) -> Result<Array> {
    Ok(ops::broadcast_to(row, &[ROWS, row.dim(1)])?.contiguous()?)
}

/// How often each id of 0..V came, as shares of all draws: (V,) f32.
pub fn frequencies(ids: &Array, vocabulary: i32) -> Result<Array> {
    let mut counts = vec![0.0_f32; vocabulary as usize];
    for id in values(ids)? {
        if let Some(count) = counts.get_mut(id as usize) {
            *count += 1.0 / ROWS as f32;
        }
    }
    Ok(Array::from_slice(&counts, &[vocabulary]))
}
