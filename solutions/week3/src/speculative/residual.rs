//! What a rejected draft leaves to the target.

use kit::Result;
use kit::law::{Distribution, SparseDistribution};

/// The law of the correction: max(p - q, 0), divided by its sum.
///
/// `p`, `q`: over the same ids, dense or sparse. Returns the ids where p
/// is above q, in p's order. An entry that is NaN or infinite, in p or in
/// q, counts as nothing left of that id. Where no mass is left, as with
/// p = q, the answer is p itself: its positive finite entries, in p's
/// order, whatever q says of them.
/// Errors: `InvalidArgument` for two vocabularies and a negative entry;
/// `NonFinite` when p has no mass either.
pub fn residual_distribution(
    p: &(impl Distribution + ?Sized),
    q: &(impl Distribution + ?Sized),
) -> Result<SparseDistribution> {
    // SOLUTION 3.7.2 p, q
    use super::checks::{check_not_negative, check_same_vocabulary};
    use kit::Error;

    check_same_vocabulary(p, q)?;
    for (_, weight) in p.entries().chain(q.entries()) {
        check_not_negative(weight)?;
    }
    let usable = |weight: f64| weight.is_finite() && weight > 0.0;
    let (mut ids, mut weights) = (Vec::new(), Vec::new());
    for (id, weight) in p.entries() {
        let left = weight - q.probability(id)?;
        if usable(left) {
            ids.push(id);
            weights.push(left);
        }
    }
    if ids.is_empty() {
        (ids, weights) = p.entries().filter(|(_, weight)| usable(*weight)).unzip();
    }
    if ids.is_empty() {
        return Err(Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    SparseDistribution::new(ids, weights, p.vocabulary())
    // END SOLUTION
}
