//! The loop over two models: the draft guesses a few tokens, the target reads them in one step, some of them stay.

use kit::law::{Chance, History, SamplerConfig};
use kit::{Error, Result};
use week1::law::distribution_from_logits;

use super::{Draft, Room, Rule, verify_window};

/// A model that remembers what it has read, and can forget the end of it.
pub trait TokenModel {
    /// Reads more tokens. Returns a row of logits (V,) after each of them.
    fn feed(&mut self, tokens: &[usize]) -> Result<Vec<Vec<f64>>>;
    /// Forgets all but the first `length` tokens. Errors: `InvalidArgument` when it has read fewer.
    fn rewind(&mut self, length: usize) -> Result<()>;
    /// How many tokens it remembers.
    fn length(&self) -> usize;
}

/// How to decode.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The law of what is written.
    pub target: SamplerConfig,
    /// How drafts are drawn; changes how many of them stay, and nothing else. Its penalties are not used.
    pub draft: SamplerConfig,
    /// Drafts in a window, at most; with 0 the target decodes alone.
    pub depth: usize,
    /// How a window is judged.
    pub rule: Rule,
    /// Tokens that end the completion, and are its last.
    pub stop: Vec<usize>,
    /// The longest completion.
    pub max_tokens: usize,
}

/// A completion, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decoded {
    /// Without the prompt; a stop token is its last.
    pub tokens: Vec<usize>,
    /// Windows, each of them one step of the target.
    pub windows: usize,
    /// Drafts that were guessed.
    pub drafted: usize,
    /// Drafts that stayed.
    pub kept: usize,
}

/// Writes a completion whose law is that of the target alone, at any depth, rule and draft.
///
/// Both models start empty. Errors: `InvalidArgument` for an empty prompt; whatever models and laws return.
pub fn decode(
    target: &mut dyn TokenModel,
    draft: &mut dyn TokenModel,
    prompt: &[usize],
    plan: &Plan,
    chance: &mut dyn Chance,
) -> Result<Decoded> {
    let mut decoded = Decoded::default();
    if plan.max_tokens == 0 {
        return Ok(decoded);
    }
    // Read but for the last token, which goes through the target together with its drafts.
    let mut text = prompt.to_vec();
    let row = last_row(target.feed(prompt)?)?;
    let mut next = Some(chance.draw(&distribution_from_logits(&row, &plan.target, &History::default())?)?);
    while let Some(token) = next {
        text.push(token);
        decoded.tokens.push(token);
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - decoded.tokens.len() };
        if room.tokens == 0 || room.stop.contains(&token) {
            break;
        }
        let guess = propose(draft, &text, &plan.draft, plan.depth.min(room.tokens), room.stop, chance)?;
        let mut window = vec![token];
        window.extend(&guess.tokens);
        let rows = target.feed(&window)?;
        let history = History::of(&decoded.tokens);
        let kept = verify_window(&rows, &guess, &plan.target, &history, room, plan.rule, chance)?;
        decoded.windows += 1;
        decoded.drafted += guess.tokens.len();
        decoded.kept += kept.drafts;
        text.extend(&guess.tokens[..kept.drafts]);
        decoded.tokens.extend(&guess.tokens[..kept.drafts]);
        // Rejected drafts leave both memories.
        target.rewind(text.len())?;
        draft.rewind(draft.length().min(text.len()))?;
        next = kept.correction;
    }
    Ok(decoded)
}

/// Reads what `draft` has not read of `text`, and guesses up to `depth` tokens, none of them after a stop token.
pub fn propose(
    draft: &mut dyn TokenModel,
    text: &[usize],
    config: &SamplerConfig,
    depth: usize,
    stop: &[usize],
    chance: &mut dyn Chance,
) -> Result<Draft> {
    let mut guess = Draft::default();
    if depth == 0 {
        return Ok(guess);
    }
    let mut unread = text[draft.length().min(text.len())..].to_vec();
    loop {
        let row = last_row(draft.feed(&unread)?)?;
        let law = distribution_from_logits(&row, config, &History::default())?;
        let token = chance.draw(&law)?;
        guess.tokens.push(token);
        guess.laws.push(law);
        if guess.tokens.len() == depth || stop.contains(&token) {
            return Ok(guess);
        }
        unread = vec![token];
    }
}

/// Errors: `InvalidArgument` where nothing was read.
fn last_row(mut rows: Vec<Vec<f64>>) -> Result<Vec<f64>> {
    let must = "hold at least one token".into();
    rows.pop().ok_or_else(|| Error::InvalidArgument { name: "the prompt".into(), value: "empty".into(), must })
}
