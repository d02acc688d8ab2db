//! What p and q must be before anything is computed from them.

use kit::law::{Distribution, check_weight};
use kit::{Error, Result};

/// How far the sum of a law may be from 1.
const ROUNDING: f64 = 1e-9;

/// Errors: `InvalidArgument` when the two laws are over different vocabularies.
pub fn check_same_vocabulary(p: &(impl Distribution + ?Sized), q: &(impl Distribution + ?Sized)) -> Result<()> {
    if p.vocabulary() == q.vocabulary() {
        return Ok(());
    }
    let (value, must) = (q.vocabulary().to_string(), format!("be {}, as p's", p.vocabulary()));
    Err(Error::InvalidArgument { name: "the vocabulary of q".into(), value, must })
}

/// The probability of `id`. Errors: `NonFinite` for NaN and infinities, `InvalidArgument` for a negative number and for
/// an id outside the vocabulary.
pub fn weight(law: &(impl Distribution + ?Sized), id: usize) -> Result<f64> {
    let weight = law.probability(id)?;
    check_weight(weight)?;
    Ok(weight)
}

/// Errors: `InvalidArgument` for a negative number. NaN passes.
pub fn check_not_negative(weight: f64) -> Result<()> {
    if weight < 0.0 {
        let must = "be at least 0".into();
        return Err(Error::InvalidArgument { name: "a probability".into(), value: weight.to_string(), must });
    }
    Ok(())
}

/// Errors: `NonFinite` for NaN and infinities; `InvalidArgument` for a negative number and for a sum that is not 1.
pub fn check_law(law: &(impl Distribution + ?Sized)) -> Result<()> {
    let mut sum = 0.0;
    for (id, _) in law.entries() {
        sum += weight(law, id)?;
    }
    if (sum - 1.0).abs() > ROUNDING {
        let name = "the sum of the probabilities".into();
        return Err(Error::InvalidArgument { name, value: sum.to_string(), must: "be 1".into() });
    }
    Ok(())
}

/// Errors: `InvalidArgument` for a draft that its own law never proposes: then it was drawn from another one, and the
/// answer would be biased.
pub fn check_proposed(q: &(impl Distribution + ?Sized), draft: usize) -> Result<()> {
    if q.probability(draft)? > 0.0 {
        return Ok(());
    }
    let must = "have a positive probability in q, the law that it was drawn from".into();
    Err(Error::InvalidArgument { name: "the draft".into(), value: draft.to_string(), must })
}
