//! The first question to a draft: how likely it stays.

use kit::Result;
use kit::law::Distribution;

/// How likely draft `x` stays: min(1, p(x) / q(x)).
///
/// `p`: the target's law, `q`: the law that the draft was drawn from, both
/// over the same ids, dense or sparse; only their values at `x` are read.
/// Returns a number in [0, 1]. With q(x) = 0, 1 if p(x) > 0, else 0.
/// Errors: `InvalidArgument` for an `x` outside the vocabulary, two
/// vocabularies and a negative value; `NonFinite` for NaN and infinities.
pub fn acceptance_probability(
    p: &(impl Distribution + ?Sized),
    q: &(impl Distribution + ?Sized),
    x: usize,
) -> Result<f64> {
    kit::stub!("3.7.1", p, q, x)
}
