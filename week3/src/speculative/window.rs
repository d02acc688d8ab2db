//! A window: drafts with their laws, then the target's rows about them; out come the drafts that stay, and the token
//! after them.

use kit::law::{Chance, History};
use kit::{Error, Result, SamplingLaw};

use super::{Kept, TokenModel, verify_one_token};

/// Drafts in their order, each with the law that it was drawn from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// (D,)
    pub tokens: Vec<usize>,
    /// (D, V): what the drafting model's sampler said, filters included. A greedy draft's law is all on one id.
    pub laws: Vec<Vec<f64>>,
}

/// How the drafts of a window are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// One after the other, each by itself.
    Token,
    /// All together; more of them stay.
    Block,
}

/// What ends a completion.
#[derive(Debug, Clone, Copy)]
pub struct Room<'a> {
    /// Tokens after which nothing follows.
    pub stop: &'a [usize],
    /// How many more tokens may be written, at least 1.
    pub tokens: usize,
}

/// Reads what `draft` has not read of `text`, and guesses up to `depth`
/// tokens, each drawn from `law` of its row, without penalties.
///
/// Nothing is guessed after a token of `stop`, and the last guess is not
/// read. Spends one draw a guess. With `depth` 0 the model is not asked.
/// Errors: as `TokenModel::read` and `law_of`.
pub fn propose(
    draft: &mut dyn TokenModel,
    text: &[usize],
    law: &SamplingLaw,
    depth: usize,
    stop: &[usize],
    chance: &mut dyn Chance,
) -> Result<Draft> {
    kit::stub!("3.7.6", draft, text, law, depth, stop, chance)
}

/// Judges the drafts from left to right; after the last one that stays
/// comes a correction, or, if all stay, a bonus.
///
/// `rows` (D + 1, V): the target's logits; row i is about draft i, the last
/// one about the token after all drafts. `history`: the tokens written
/// before the first draft. Row i is penalised for them and for the drafts
/// before i, since those will have been written if row i is ever asked.
///
/// Drafts behind a stop token or beyond the room are not looked at, and
/// neither is followed by a bonus: then there is no next token. With
/// `Rule::Block` `verify_block` judges.
/// Errors: as `verify_one_token` and `law_of`; `InvalidArgument` for other
/// numbers of rows or laws than the drafts need.
pub fn verify_window(
    rows: &[Vec<f64>],
    draft: &Draft,
    law: &SamplingLaw,
    history: &History,
    room: Room<'_>,
    rule: Rule,
    chance: &mut dyn Chance,
) -> Result<Kept> {
    kit::stub!("3.7.6", rows, draft, law, history, room, rule, chance)
}

/// Stops at the first rejection; what comes later was guessed after a token
/// that is not there. `target` gives the law of a place.
pub fn one_by_one(
    target: &impl Fn(usize) -> Result<Vec<f64>>,
    laws: &[Vec<f64>],
    tokens: &[usize],
    chance: &mut dyn Chance,
) -> Result<Kept> {
    for (place, (q, &token)) in laws.iter().zip(tokens).enumerate() {
        let verdict = verify_one_token(&target(place)?, q, token, chance)?;
        if !verdict.accepted {
            return Ok(Kept { drafts: place, correction: Some(verdict.token) });
        }
    }
    Ok(Kept { drafts: tokens.len(), correction: None })
}

/// Refuses other numbers of rows and laws than the drafts of a window need.
pub fn check_counts(rows: &[Vec<f64>], draft: &Draft) -> Result<()> {
    let drafts = draft.tokens.len();
    for (name, count, needed) in [
        ("the number of the target's rows", rows.len(), drafts + 1),
        ("the number of draft laws", draft.laws.len(), drafts),
    ] {
        if count != needed {
            let must = format!("be {needed} for {drafts} drafts");
            return Err(Error::InvalidArgument { name: name.into(), value: count.to_string(), must });
        }
    }
    Ok(())
}
