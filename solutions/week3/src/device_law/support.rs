//! Which tokens stay, and what they weigh: the survivors of rows that ask for the same kind of filter.

use kit::Result;
use mlx_rs::{Array, Dtype, ops, ops::indexing::IndexOp};

use super::Row;
use super::mass::{Scores, WHOLE, masses_before, sums};
use super::ranking::{counting, ranked};

/// How far a nucleus that nothing bounds is looked for at first; then eight times as far.
const FIRST_WIDTH: i32 = 256;

/// The survivors of B rows, N places each.
pub(super) struct Survivors {
    /// Token ids (B, N) u32, most likely first; `None` when place and id are the same and nothing is ranked.
    pub ids: Option<Array>,
    /// (B, N) bool: the places that survive. A token may survive with a probability that f32 gives as 0.
    pub kept: Array,
    /// (B, N) f32, 0 where nothing survives; they sum to 1.
    pub probabilities: Array,
}

/// The scores of B rows, and for each of them its best token.
pub(super) struct Tempered<'a> {
    rows: &'a [Row<'a>],
    scores: Scores,
    penalised: Array,
    best: Scores,
    divisor: Array,
}

impl<'a> Tempered<'a> {
    /// `penalised` (B, V) are the scores in one piece; no row of them is refused.
    pub fn new(rows: &'a [Row<'a>], scores: Scores, penalised: Array) -> Result<Self> {
        let first = ranked(&penalised, 1)?;
        let best = scores.map(|part| Ok(part.take_along_axis(&first, -1)?))?;
        let divisor = Array::from_iter(rows.iter().map(Row::divisor), &[rows.len() as i32, 1]);
        Ok(Self { rows, scores, penalised, best, divisor })
    }

    /// The whole vocabulary.
    pub fn all(&self) -> Result<Survivors> {
        let weights = self.scores.weights(&self.best, &self.divisor)?;
        let kept = self.penalised.gt(Array::from_f32(f32::NEG_INFINITY))?;
        Ok(Survivors { ids: None, kept, probabilities: weights.divide(sums(&weights)?)? })
    }

    /// Rows with top-k, with or without a nucleus.
    pub fn bounded(&self) -> Result<Survivors> {
        let most = self.rows.iter().filter_map(|row| row.top_k(self.vocabulary() as usize)).max().unwrap_or(1);
        Ok(self.within(most as i32, self.full_mass()?.as_ref())?.0)
    }

    /// Rows with a nucleus and no top-k. Waits for the device, to see whether it has looked far enough.
    pub fn unbounded(&self) -> Result<Survivors> {
        let mass = self.full_mass()?;
        let mut width = FIRST_WIDTH.min(self.vocabulary());
        loop {
            let (survivors, inside) = self.within(width, mass.as_ref())?;
            let last = inside.index((.., -1)).any(None)?;
            if width == self.vocabulary() || !last.item_exact::<bool>() {
                return Ok(survivors);
            }
            width = width.saturating_mul(8).min(self.vocabulary());
        }
    }

    /// The first `width` places of the ranking through both filters, and (B, width) which places both filters keep.
    fn within(&self, width: i32, full_mass: Option<&Array>) -> Result<(Survivors, Array)> {
        let ids = ranked(&self.penalised, width)?;
        let weights =
            self.scores.map(|part| Ok(part.take_along_axis(&ids, -1)?))?.weights(&self.best, &self.divisor)?;
        let vocabulary = self.vocabulary() as usize;
        let column = [self.rows.len() as i32, 1];
        let seats = self.rows.iter().map(|row| row.top_k(vocabulary).unwrap_or(vocabulary) as u32);
        let mut inside = counting(width)?.lt(Array::from_iter(seats, &column))?; // (B, width)
        if let Some(full_mass) = full_mass {
            // The mass strictly before a token is below p exactly where its integer is below p · 2^31, rounded up.
            let before = masses_before(&weights.divide(full_mass)?)?;
            let limits = self.rows.iter().map(|row| row.top_p().map_or(u32::MAX, |p| (p * WHOLE).ceil() as u32));
            inside = inside.logical_and(before.lt(Array::from_iter(limits, &column))?)?;
        }
        let none = Array::from_f32(0.0);
        let weights = ops::select(&inside, weights, none)?;
        let finite = self.penalised.take_along_axis(&ids, -1)?.gt(Array::from_f32(f32::NEG_INFINITY))?;
        let kept = inside.logical_and(finite)?;
        let probabilities = weights.divide(sums(&weights)?)?;
        Ok((Survivors { ids: Some(ids), kept, probabilities }, inside))
    }

    /// The mass of the vocabulary (B, 1), in units of the best token; `None` when no row has a nucleus.
    fn full_mass(&self) -> Result<Option<Array>> {
        if self.rows.iter().all(|row| row.top_p().is_none()) {
            return Ok(None);
        }
        Ok(Some(sums(&self.scores.weights(&self.best, &self.divisor)?)?))
    }

    fn vocabulary(&self) -> i32 {
        self.penalised.dim(1)
    }
}

impl Survivors {
    /// Probabilities by id, (B, V) f32.
    pub fn to_dense(&self, vocabulary: i32) -> Result<Array> {
        let Some(ids) = &self.ids else { return Ok(self.probabilities.clone()) };
        let nothing = ops::zeros::<f32>(&[ids.dim(0), vocabulary])?;
        Ok(nothing.put_along_axis(ids.as_dtype(Dtype::Uint32)?, &self.probabilities, -1)?)
    }
}
