//! What dense and sparse laws have in common.

use crate::{Error, Result};

/// Probabilities over the ids 0..V.
pub trait Distribution {
    /// V.
    fn vocabulary(&self) -> usize;
    /// The probability of `id`; 0 outside the support. Errors: `InvalidArgument` for an id outside the vocabulary.
    fn probability(&self, id: usize) -> Result<f64>;
    /// Ids and probabilities that the law stores, in its own order; every other id has probability 0.
    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_>;
}

/// A dense row (V,).
impl Distribution for [f64] {
    fn vocabulary(&self) -> usize {
        self.len()
    }

    fn probability(&self, id: usize) -> Result<f64> {
        check_id(id, self.len())?;
        Ok(self[id])
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.iter().copied().enumerate())
    }
}

impl<const V: usize> Distribution for [f64; V] {
    fn vocabulary(&self) -> usize {
        V
    }

    fn probability(&self, id: usize) -> Result<f64> {
        self.as_slice().probability(id)
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.iter().copied().enumerate())
    }
}

impl Distribution for Vec<f64> {
    fn vocabulary(&self) -> usize {
        self.len()
    }

    fn probability(&self, id: usize) -> Result<f64> {
        self.as_slice().probability(id)
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.iter().copied().enumerate())
    }
}

/// Errors: `InvalidArgument` for an id outside the vocabulary.
pub(super) fn check_id(id: usize, vocabulary: usize) -> Result<()> {
    if id >= vocabulary {
        let must = format!("be below the vocabulary, {vocabulary}");
        return Err(Error::InvalidArgument { name: "a token id".into(), value: id.to_string(), must });
    }
    Ok(())
}

/// Errors: `NonFinite` for NaN and infinities, `InvalidArgument` for a negative number.
pub fn check_weight(weight: f64) -> Result<()> {
    if !weight.is_finite() {
        let what = if weight.is_nan() { "contains NaN" } else { "contains an infinity" };
        return Err(Error::NonFinite { row: 0, what: what.into() });
    }
    if weight < 0.0 {
        let must = "be at least 0".into();
        return Err(Error::InvalidArgument { name: "a probability".into(), value: weight.to_string(), must });
    }
    Ok(())
}
