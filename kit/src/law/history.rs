//! What a completion holds so far, as the penalties see it.

use std::collections::BTreeMap;

use crate::{Error, Result};

/// How often each token stands in the completion (the prompt does not count), and what a loop guard takes away.
///
/// ```
/// use kit::law::History;
/// let history = History::of(&[7, 3, 7]);
/// assert_eq!(history.count(7), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    counts: BTreeMap<usize, u64>,
    guard: BTreeMap<usize, f64>,
}

impl History {
    /// The history of a completion.
    pub fn of(completion: &[usize]) -> Self {
        let mut history = Self::default();
        completion.iter().for_each(|&id| history.push(id));
        history
    }

    /// From pairs of id and count. Errors: `InvalidArgument` for a negative id or count and for an id named twice.
    pub fn from_counts(pairs: impl IntoIterator<Item = (i64, i64)>) -> Result<Self> {
        let mut history = Self::default();
        for (id, count) in pairs {
            let refuse = |name: &str, value: String, must: &str| {
                Err(Error::InvalidArgument { name: name.into(), value, must: must.into() })
            };
            let Ok(index) = usize::try_from(id) else {
                return refuse("a token id", id.to_string(), "be at least 0");
            };
            let Ok(count) = u64::try_from(count) else {
                return refuse(&format!("the count of token {id}"), count.to_string(), "be at least 0");
            };
            if history.counts.insert(index, count).is_some() {
                return refuse("a token id", id.to_string(), "be counted once");
            }
        }
        Ok(history)
    }

    /// One more token of the completion.
    pub fn push(&mut self, id: usize) {
        *self.counts.entry(id).or_insert(0) += 1;
    }

    /// A loop guard's own amount, subtracted from the token's logit after the penalties and not limited to [-2, 2].
    /// Errors: `InvalidArgument` for NaN and infinities.
    pub fn guard(mut self, id: usize, amount: f64) -> Result<Self> {
        if !amount.is_finite() {
            let name = format!("the guard's amount for token {id}");
            return Err(Error::InvalidArgument { name, value: amount.to_string(), must: "be finite".into() });
        }
        self.guard.insert(id, amount);
        Ok(self)
    }

    /// How often the completion holds `id`.
    pub fn count(&self, id: usize) -> u64 {
        self.counts.get(&id).copied().unwrap_or(0)
    }

    /// Ids and counts, ids ascending; a count may be 0.
    pub fn counts(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().map(|(&id, &count)| (id, count))
    }

    /// Ids and amounts of the loop guard, ids ascending.
    pub fn guarded(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.guard.iter().map(|(&id, &amount)| (id, amount))
    }

    /// True when there is nothing to subtract at any penalty.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.guard.is_empty()
    }
}
