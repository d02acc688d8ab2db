//! The check that acceptance and residual belong together: the law of what comes out, as a sum over all drafts.

use kit::Result;
use kit::law::Distribution;

/// What one draft and its correction write, summed over every draft.
///
/// For each x: q(x) times its acceptance goes to x, the rest of q(x) to
/// the residual's ids. `p`, `q`: over the same ids, divided by their sums
/// first. Returns (V,), the sum as it is: it equals p, and a sum that is
/// not 1 says that mass was lost, so nothing rescales it.
/// Errors: `InvalidArgument` for two vocabularies and a negative entry;
/// `NonFinite` for NaN, infinities and a law without mass.
pub fn speculative_output_marginal(
    p: &(impl Distribution + ?Sized),
    q: &(impl Distribution + ?Sized),
) -> Result<Vec<f64>> {
    kit::stub!("3.7.3", p, q)
}

/// A dense row (V,) that sums to 1. Errors: `NonFinite` for NaN, infinities and a law without mass; `InvalidArgument`
/// for a negative entry.
pub fn normalised(law: &(impl Distribution + ?Sized)) -> Result<Vec<f64>> {
    let mut dense = vec![0.0; law.vocabulary()];
    let mut sum = 0.0;
    for (id, _) in law.entries() {
        dense[id] = super::checks::weight(law, id)?;
        sum += dense[id];
    }
    if sum <= 0.0 {
        return Err(kit::Error::NonFinite { row: 0, what: "has no mass".into() });
    }
    dense.iter_mut().for_each(|weight| *weight /= sum);
    Ok(dense)
}
