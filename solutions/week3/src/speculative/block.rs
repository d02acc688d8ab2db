//! A window of drafts judged together: a draft may stay because of what came after it.
//!
//! Token by token, a rejected draft takes all later ones with it, however good they are. Here the coin of a draft is
//! tossed with the next draft in sight: a next draft that the target likes makes it likelier to stay, one that it
//! dislikes less, and over all next drafts the probability is the same as before. So the written law is still the
//! target's, and on average more drafts stay. After Sun and others, *Block Verification Accelerates Speculative
//! Decoding*; which of the later drafts a coin looks at, and how it is shared out among them, is MTPLX's choice.

use kit::law::{Chance, Distribution, SparseDistribution};
use kit::{Error, Result};

use super::checks::{check_law, check_proposed, check_same_vocabulary};

/// The coins of a window of D drafts, to be tossed from left to right until one falls on rejection.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLaw {
    /// (D,): how likely draft i stays, if all before it did.
    pub coins: Vec<f64>,
    /// (D,): the law of the correction in place of draft i.
    pub residuals: Vec<SparseDistribution>,
}

/// A law whose probabilities are all multiplied by `by`, so that they sum to `by`. Same ids, same order.
pub struct Scaled<'a, P> {
    /// Whose ids these are.
    pub law: &'a P,
    /// At least 0.
    pub by: f64,
}

impl<P: Distribution> Distribution for Scaled<'_, P> {
    fn vocabulary(&self) -> usize {
        self.law.vocabulary()
    }

    fn probability(&self, id: usize) -> Result<f64> {
        Ok(self.by * self.law.probability(id)?)
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.law.entries().map(|(id, weight)| (id, self.by * weight)))
    }
}

/// What became of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// How many drafts stay, from the left.
    pub drafts: usize,
    /// The correction in place of the first that does not.
    pub correction: Option<usize>,
}

/// The coins and corrections of a whole window.
///
/// `p_rows`, `q_rows`: the laws of each position, as many as `draft` has
/// tokens. With k_0 = 1 and r_i = min(1, k_(i-1) p_i(x_i) / q_i(x_i)):
/// k_1 = r_1; for i from 1 to D-1, coin_i = min(1, r_(i+1) +
/// lift(p_(i+1), q_(i+1), k_i)) and k_(i+1) = r_(i+1) / coin_i; at the
/// end coin_D = k_D. Residual i is k_(i-1) p_i - q_i where positive, in
/// p's order. A quotient 0 / 0 is 0; where k p is 0 everywhere, no draft
/// is reached and the residual is any law.
/// Errors: as `verify_one_token`, and `InvalidArgument` for other numbers
/// of rows than drafts.
pub fn block_law<P: Distribution, Q: Distribution>(p_rows: &[P], q_rows: &[Q], draft: &[usize]) -> Result<BlockLaw> {
    // SOLUTION 3.7.5 p_rows, q_rows, draft
    use super::residual_distribution;

    check_window(p_rows, q_rows, draft)?;
    let mut law = BlockLaw { coins: Vec::new(), residuals: Vec::new() };
    // How likely the draft before must stay, given the one before it.
    let mut kept = 1.0;
    for (place, ((p, q), &x)) in p_rows.iter().zip(q_rows).zip(draft).enumerate() {
        let due = Scaled { law: p, by: kept };
        let some_due = due.entries().any(|(_, weight)| weight > 0.0);
        law.residuals.push(if some_due { residual_distribution(&due, q)? } else { residual_distribution(p, q)? });
        let through = (due.probability(x)? / q.probability(x)?).min(1.0);
        if place == 0 {
            kept = through;
            continue;
        }
        let coin = (through + lift(p, q, kept)?).min(1.0);
        law.coins.push(coin);
        kept = if coin > 0.0 { (through / coin).min(1.0) } else { 0.0 };
    }
    law.coins.extend((!draft.is_empty()).then_some(kept));
    Ok(law)
    // END SOLUTION
}

/// The number that makes the mean of min(1, kept p(y) / q(y) + lift) over
/// the drafts y of q equal to `kept`, which is in [0, 1].
///
/// Returns a number in [0, 1]; 1 where `kept` is 1 and many would do.
/// Errors: as `probability` of the laws.
pub fn lift(p: &(impl Distribution + ?Sized), q: &(impl Distribution + ?Sized), kept: f64) -> Result<f64> {
    // SOLUTION 3.7.5 p, q, kept
    if kept >= 1.0 {
        return Ok(1.0);
    }
    let (mut missing, mut below) = (kept, Vec::new());
    for (y, proposed) in q.entries().filter(|(_, proposed)| *proposed > 0.0) {
        let through = (kept * p.probability(y)? / proposed).min(1.0);
        missing -= proposed * through;
        below.push((1.0 - through, proposed));
    }
    // Like water: all rise together, and who reaches 1 stops.
    below.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut rising: f64 = below.iter().map(|(_, proposed)| proposed).sum();
    for (room, proposed) in below {
        if missing <= room * rising {
            return Ok((missing / rising).clamp(0.0, 1.0));
        }
        missing -= room * proposed;
        rising -= proposed;
    }
    Ok(1.0)
    // END SOLUTION
}

/// Tosses the coins of [`block_law`] from left to right; draws the correction where the first one rejects.
///
/// Where each draft was drawn from its `q_rows`, kept drafts and correction follow the target. Errors: as `block_law`.
pub fn verify_block<P: Distribution, Q: Distribution>(
    p_rows: &[P],
    q_rows: &[Q],
    draft: &[usize],
    chance: &mut dyn Chance,
) -> Result<Kept> {
    let law = block_law(p_rows, q_rows, draft)?;
    for (drafts, (&coin, residual)) in law.coins.iter().zip(&law.residuals).enumerate() {
        if !chance.accept(coin)? {
            return Ok(Kept { drafts, correction: Some(chance.draw(residual)?) });
        }
    }
    Ok(Kept { drafts: draft.len(), correction: None })
}

/// Errors: `InvalidArgument` and `NonFinite` as [`block_law`] says.
pub fn check_window<P: Distribution, Q: Distribution>(p_rows: &[P], q_rows: &[Q], draft: &[usize]) -> Result<()> {
    for (name, rows) in [("the number of p's rows", p_rows.len()), ("the number of q's rows", q_rows.len())] {
        if rows != draft.len() {
            let must = format!("be the number of drafts, {}", draft.len());
            return Err(Error::InvalidArgument { name: name.into(), value: rows.to_string(), must });
        }
    }
    for ((p, q), &x) in p_rows.iter().zip(q_rows).zip(draft) {
        check_same_vocabulary(p, q)?;
        check_law(p)?;
        check_law(q)?;
        check_proposed(q, x)?;
    }
    Ok(())
}
