//! What a step has time for.
//!
//! In: how much of each text is unread, in order of arrival, and the most tokens of a step. Out: the pieces that are read
//! beside the decodes. A long prompt is cut, so that those who write never wait for more than one step's tokens.

use kit::Result;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Whose, by its place in the order of arrival.
    pub index: usize,
    /// How many of its unread tokens, from the first on.
    pub tokens: usize,
}

/// Which pieces a step of `budget` tokens reads.
///
/// `unread[i]` tokens of text i are unread. A text with 1 writes in any case
/// and takes one token of the budget. What is left goes to the others, oldest
/// first, each as much as it can take. If nothing is left, the oldest of
/// them reads one token all the same: nobody waits for ever.
/// Errors: `InvalidArgument` about `budget` when 0, about `unread` where a
/// text has nothing to do.
pub fn pieces(unread: &[usize], budget: usize) -> Result<Vec<Piece>> {
    // SOLUTION 3.2.1 unread, budget
    use crate::batch_cache::refused;

    if budget == 0 {
        return refused("budget", budget, "be at least 1 token a step");
    }
    if let Some(index) = unread.iter().position(|&tokens| tokens == 0) {
        return refused("unread", format!("0 for text {index}"), "be at least 1 for every text");
    }
    let writers = unread.iter().filter(|&&tokens| tokens == 1).count();
    let mut left = budget.saturating_sub(writers).max(1);
    let mut pieces = Vec::new();
    for (index, &tokens) in unread.iter().enumerate().filter(|(_, tokens)| **tokens > 1) {
        let tokens = tokens.min(left);
        if tokens == 0 {
            break;
        }
        pieces.push(Piece { index, tokens });
        left -= tokens;
    }
    Ok(pieces)
    // END SOLUTION
}
