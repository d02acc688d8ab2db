//! Unnormalised probabilities, their sums, and sums of integers where a decision hangs on them.

use kit::Result;
use mlx_rs::{Array, Dtype, ops};

use super::ranking::padded;

/// A probability of 1 as an integer. A row's shares sum to at most this plus half of V, which u32 holds.
pub(super) const WHOLE: f64 = (1_u64 << 31) as f64;

/// Steps between two neighbouring integers, in the sums of what they leave out: N · 2^10 fits u32 for any vocabulary.
const PARTS: u32 = 1 << 10;

/// The exponent of a weight is capped here, so that no sum of weights overflows. Only penalties reach it, where they set
/// apart what is one in f32 and the temperature is tiny.
const STEEPEST: f32 = 64.0;

/// Entries that are added in one step.
const BLOCK: i32 = 8;

/// Logits before penalties and what the penalties take, each (B, N) f32.
///
/// They are kept apart because distances between logits are small numbers: `z - z'` and `a - a'` round little, while
/// `(z - a) - (z' - a')` has lost as much as a large z rounds away.
#[derive(Clone)]
pub(super) struct Scores {
    pub raw: Array,
    pub amounts: Option<Array>,
}

impl Scores {
    /// The same with every part mapped.
    pub fn map(&self, each: impl Fn(&Array) -> Result<Array>) -> Result<Self> {
        Ok(Self { raw: each(&self.raw)?, amounts: self.amounts.as_ref().map(each).transpose()? })
    }

    /// `exp((z - z of best) / T)`, (B, N): 1 for the best token, finite for all. `best` holds (B, 1), `divisor` is (B, 1).
    pub fn weights(&self, best: &Scores, divisor: &Array) -> Result<Array> {
        let mut above = self.raw.subtract(&best.raw)?;
        if let (Some(amounts), Some(of_best)) = (&self.amounts, &best.amounts) {
            above = above.subtract(amounts.subtract(of_best)?)?;
        }
        Ok(ops::minimum(above.divide(divisor)?, Array::from_f32(STEEPEST))?.exp()?)
    }
}

/// Sums of rows, (B, N) to (B, 1), block by block and then blocks of blocks. Zeros behind a row change nothing, not even
/// the rounding. Blocks are short: beside a weight of 1 each tiny one may lose half a unit of f32, always in one direction.
pub(super) fn sums(rows: &Array) -> Result<Array> {
    let mut sums = rows.clone();
    while sums.dim(1) > 1 {
        let blocks = (sums.dim(1) + BLOCK - 1) / BLOCK;
        let blocked = padded(&sums, blocks * BLOCK, 0.0)?.reshape(&[sums.dim(0), blocks, BLOCK])?;
        sums = blocked.sum_axis(-1, false)?;
    }
    Ok(sums)
}

/// The mass strictly before each place of (B, N) f32 probabilities, as whole multiples of 2^-31, rounded down, u32.
///
/// What the multiples leave out is summed too: in a flat row of a large vocabulary it is the same for all tokens, and would
/// add up to several of them.
pub(super) fn masses_before(probabilities: &Array) -> Result<Array> {
    let scaled = probabilities.multiply(Array::from_f32(WHOLE as f32))?;
    let whole = ops::floor(&scaled)?;
    let parts = scaled.subtract(&whole)?.multiply(Array::from_f32(PARTS as f32))?.as_dtype(Dtype::Uint32)?;
    let carried = parts.cumsum(-1, None, false)?.floor_divide(Array::from_slice(&[PARTS], &[1]))?;
    Ok(whole.as_dtype(Dtype::Uint32)?.cumsum(-1, None, false)?.add(carried)?)
}

/// Probabilities (B, N) f32 as whole multiples of 2^-31, u32.
pub(super) fn shares(probabilities: &Array) -> Result<Array> {
    let scaled = probabilities.multiply(Array::from_f32(WHOLE as f32))?;
    Ok(ops::round(scaled, None)?.as_dtype(Dtype::Uint32)?)
}
