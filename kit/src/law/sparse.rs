//! A law that names its support.

use std::collections::HashMap;

use super::{Distribution, distribution::check_id};
use crate::{Error, Result};

/// Ids and their probabilities, which sum to 1; every other id of the vocabulary has probability 0.
///
/// ```
/// use kit::law::{Distribution, SparseDistribution};
/// let law = SparseDistribution::new(vec![3, 0], vec![1.0, 3.0], 5)?;
/// assert_eq!((law.probability(0)?, law.probability(4)?), (0.75, 0.0));
/// # Ok::<(), kit::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseDistribution {
    ids: Vec<usize>,
    probs: Vec<f64>,
    vocabulary: usize,
    place: HashMap<usize, usize>,
}

impl SparseDistribution {
    /// Ids in any order, kept as they are, with weights that are divided by their sum. NaN and infinite weights count
    /// as 0; entries of 0 stay listed.
    ///
    /// Errors: `InvalidArgument` for no ids, ids and weights of two lengths, a negative weight, an id named twice or
    /// outside the vocabulary; `NonFinite` when no weight is left.
    pub fn new(ids: Vec<usize>, weights: Vec<f64>, vocabulary: usize) -> Result<Self> {
        let refuse =
            |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
        if ids.is_empty() {
            return refuse("ids", "empty".into(), "hold at least one id".into());
        }
        if ids.len() != weights.len() {
            return refuse("the number of probabilities", weights.len().to_string(), format!("be {}", ids.len()));
        }
        if let Some(negative) = weights.iter().find(|weight| weight.is_finite() && **weight < 0.0) {
            return refuse("a probability", negative.to_string(), "be at least 0".into());
        }
        let mut place = HashMap::with_capacity(ids.len());
        for (index, &id) in ids.iter().enumerate() {
            check_id(id, vocabulary)?;
            if place.insert(id, index).is_some() {
                return refuse("a token id", id.to_string(), "be listed once".into());
            }
        }
        let clean = |weight: f64| if weight.is_finite() { weight } else { 0.0 };
        // Divided by the largest first, so that no sum of finite weights overflows.
        let largest = weights.iter().map(|&weight| clean(weight)).fold(0.0, f64::max);
        let unit = if largest > 1.0 { largest } else { 1.0 };
        let mut probs: Vec<f64> = weights.into_iter().map(|weight| clean(weight) / unit).collect();
        let mass: f64 = probs.iter().sum();
        if mass <= 0.0 {
            return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
        }
        probs.iter_mut().for_each(|prob| *prob /= mass);
        Ok(Self { ids, probs, vocabulary, place })
    }

    /// The positive entries of a dense row, ids ascending. Errors: as [`SparseDistribution::new`].
    pub fn from_dense(probs: &[f64]) -> Result<Self> {
        let (ids, weights) = probs.iter().enumerate().filter(|(_, prob)| **prob != 0.0).unzip();
        Self::new(ids, weights, probs.len())
    }

    /// The ids, in the order in which they were given.
    pub fn ids(&self) -> &[usize] {
        &self.ids
    }

    /// Their probabilities.
    pub fn probs(&self) -> &[f64] {
        &self.probs
    }

    /// A row (V,).
    pub fn to_dense(&self) -> Vec<f64> {
        let mut dense = vec![0.0; self.vocabulary];
        self.entries().for_each(|(id, prob)| dense[id] = prob);
        dense
    }
}

impl Distribution for SparseDistribution {
    fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    fn probability(&self, id: usize) -> Result<f64> {
        check_id(id, self.vocabulary)?;
        Ok(self.place.get(&id).map_or(0.0, |&place| self.probs[place]))
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.ids.iter().copied().zip(self.probs.iter().copied()))
    }
}
