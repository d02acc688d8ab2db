//! From a law to a token.

use rand::{Rng, SeedableRng, rngs::StdRng};

use super::{Distribution, check_weight};
use crate::{Error, Result};

/// The first entry of `law` whose cumulative probability exceeds `u`: with u uniform in [0, 1), a draw from `law`.
/// Ids of probability 0 are never drawn.
///
/// The probabilities are divided by their sum. Errors: `InvalidArgument` for a `u` outside [0, 1) and a negative
/// probability; `NonFinite` for NaN, infinities and a law without mass.
pub fn sample_from_distribution(law: &(impl Distribution + ?Sized), u: f64) -> Result<usize> {
    if !(0.0..1.0).contains(&u) {
        let must = "be at least 0 and below 1".into();
        return Err(Error::InvalidArgument { name: "u".into(), value: u.to_string(), must });
    }
    let mut mass = 0.0;
    let mut last = None;
    for (id, prob) in law.entries() {
        check_weight(prob)?;
        mass += prob;
        last = if prob > 0.0 { Some(id) } else { last };
    }
    let Some(last) = last else {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    };
    let mut before = 0.0;
    for (id, prob) in law.entries() {
        before += prob / mass;
        if prob > 0.0 && before > u {
            return Ok(id);
        }
    }
    // The cumulative sum may end a rounding error below 1.
    Ok(last)
}

/// Where chance enters a sampler: a coin and a draw, and nothing else. [`Uniforms`] tosses them;
/// [`every_outcome`](super::every_outcome) takes each of them both ways and adds up.
pub trait Chance {
    /// True with probability `acceptance`. Errors: `InvalidArgument` unless in [0, 1].
    fn accept(&mut self, acceptance: f64) -> Result<bool>;
    /// An id of `law`. Errors: as [`sample_from_distribution`].
    fn draw(&mut self, law: &dyn Distribution) -> Result<usize>;
}

/// Chance from a stream of uniform numbers in [0, 1); a coin and a draw spend one each.
pub struct Uniforms<F>(pub F);

impl Uniforms<Box<dyn FnMut() -> f64>> {
    /// A stream of its own: the same seed gives the same numbers, whatever else draws in between.
    pub fn seeded(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        Self(Box::new(move || random.random()))
    }
}

impl<F: FnMut() -> f64> Chance for Uniforms<F> {
    fn accept(&mut self, acceptance: f64) -> Result<bool> {
        check_acceptance(acceptance)?;
        // Strictly below: u can be 0, and a draft that must never be accepted has acceptance 0.
        Ok((self.0)() < acceptance)
    }

    fn draw(&mut self, law: &dyn Distribution) -> Result<usize> {
        sample_from_distribution(law, (self.0)())
    }
}

pub(super) fn check_acceptance(acceptance: f64) -> Result<()> {
    if !(0.0..=1.0).contains(&acceptance) {
        let must = "be at least 0 and at most 1".into();
        return Err(Error::InvalidArgument {
            name: "an acceptance probability".into(),
            value: acceptance.to_string(),
            must,
        });
    }
    Ok(())
}
