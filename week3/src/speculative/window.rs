//! A window of drafts against the target's rows: what stays, and the token after it.

use kit::law::{Chance, History, SamplerConfig};
use kit::{Error, Result};
use week1::law::distribution_from_logits;

use super::{Kept, verify_block, verify_one_token};

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

/// Judges the drafts from left to right; after the last one that stays comes a correction, or, if all stay, a bonus.
///
/// `rows` (D + 1, V): the target's logits; row i is about draft i, the last one about the token after all drafts.
/// `history`: the tokens written before the first draft. Row i is penalised for them and for the drafts before i, since
/// those will have been written if row i is ever asked.
///
/// Drafts behind a stop token or beyond the room are not looked at, and neither is followed by a bonus: then there is
/// no next token. Errors: as `verify_one_token` and `distribution_from_logits`; `InvalidArgument` for fewer rows.
pub fn verify_window(
    rows: &[Vec<f64>],
    draft: &Draft,
    config: &SamplerConfig,
    history: &History,
    room: Room<'_>,
    rule: Rule,
    chance: &mut dyn Chance,
) -> Result<Kept> {
    check_counts(rows, draft)?;
    let stopped = draft.tokens.iter().position(|token| room.stop.contains(token)).map(|place| place + 1);
    let depth = stopped.unwrap_or(draft.tokens.len()).min(room.tokens);
    let (tokens, laws) = (&draft.tokens[..depth], &draft.laws[..depth]);
    let target = |place: usize| {
        let mut seen = history.clone();
        tokens[..place].iter().for_each(|&token| seen.push(token));
        distribution_from_logits(&rows[place], config, &seen)
    };
    let kept = match rule {
        Rule::Token => one_by_one(&target, laws, tokens, chance)?,
        Rule::Block => {
            let targets = (0..depth).map(&target).collect::<Result<Vec<_>>>()?;
            verify_block(&targets, laws, tokens, chance)?
        }
    };
    if kept.correction.is_some() || stopped == Some(depth) || depth == room.tokens {
        return Ok(kept);
    }
    Ok(Kept { drafts: depth, correction: Some(chance.draw(&target(depth)?)?) })
}

/// Stops at the first rejection; what comes later was guessed after a token that is not there.
fn one_by_one(
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

fn check_counts(rows: &[Vec<f64>], draft: &Draft) -> Result<()> {
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
