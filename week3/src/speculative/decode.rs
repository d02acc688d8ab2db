//! The loop over two models: the draft guesses a few tokens, the target reads them in one step, some of them stay.

use kit::law::Chance;
use kit::{Result, SamplingLaw, StopReason};
use std::ops::ControlFlow;

use super::{Rule, TokenModel};

/// How to decode.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The law of what is written.
    pub target: SamplingLaw,
    /// How drafts are drawn; changes how many of them stay, and nothing else. Its penalties are not used.
    pub draft: SamplingLaw,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Without the prompt; a stop token is its last.
    pub tokens: Vec<usize>,
    /// Why no more came.
    pub stop: StopReason,
    /// Windows, each of them one step of the target.
    pub windows: usize,
    /// Drafts that were guessed.
    pub drafted: usize,
    /// Drafts that stayed.
    pub kept: usize,
}

/// Writes a completion whose law is that of the target alone, at any depth,
/// rule and draft.
///
/// Both models remember a beginning of `prompt` or nothing, the target less
/// than all of it. One pass of the target reads the rest and gives the first
/// token; then each window is drafts, one pass over the newest token and
/// them, and the verdict. Penalties count the completion, not the prompt. A
/// window is `plan.depth` drafts, fewer where `max_tokens` or the positions
/// of a model leave room for fewer.
///
/// `on_token` sees every token of the completion, in order, and may break
/// off, also inside a window: the completion ends with that token. Of
/// several reasons at one token a stop token comes before `Cancelled`, and
/// both before `MaxTokens`.
/// Afterwards neither model remembers more than prompt and completion.
/// Errors: `InvalidArgument` about `the prompt` where the target has nothing
/// to read of it; whatever the models, laws and `on_token` return.
pub fn decode(
    target: &mut dyn TokenModel,
    draft: &mut dyn TokenModel,
    prompt: &[usize],
    plan: &Plan,
    chance: &mut dyn Chance,
    on_token: &mut dyn FnMut(usize) -> Result<ControlFlow<()>>,
) -> Result<Decoded> {
    kit::stub!("3.7.7", target, draft, prompt, plan, chance, on_token)
}
