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
    kit::stub!("3.7.2", p, q)
}
