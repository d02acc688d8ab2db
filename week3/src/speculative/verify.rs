//! One draft, judged: it stays, or a correction takes its place.

use kit::Result;
use kit::law::{Chance, Distribution};

/// What became of one draft.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Whether the draft stays.
    pub accepted: bool,
    /// The draft, or the correction in its place.
    pub token: usize,
    /// How likely the draft was to stay.
    pub acceptance: f64,
}

/// Keeps `draft` with its acceptance probability; otherwise draws a
/// correction from the residual.
///
/// Spends one coin, and one draw after a rejection, in this order. Where
/// `draft` was drawn from `q`, the token follows `p`.
/// Errors: `InvalidArgument` for two vocabularies, a negative entry, a
/// sum that is not 1, and a `draft` with q = 0, which was drawn from some
/// other law; `NonFinite` for NaN and infinities.
pub fn verify_one_token(
    p: &(impl Distribution + ?Sized),
    q: &(impl Distribution + ?Sized),
    draft: usize,
    chance: &mut dyn Chance,
) -> Result<Verdict> {
    kit::stub!("3.7.4", p, q, draft, chance)
}
