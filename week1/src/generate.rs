//! From a prompt to a text: ask the model for the next token, choose, append, repeat.
//!
//! In: the ids of a prompt and three choices of the caller: how to pick a token, which ids end the text, what to do
//! with each new id. Out: the new ids and the reason why no more came. Week 1 has no cache, so the whole text goes
//! through the model for every token.

use kit::{CausalLm, Generation, Result};
use mlx_rs::Array;
use std::ops::ControlFlow;

/// The law of the token that follows: log softmax of the last position.
///
/// `logits` (B, L, V), f32, f16 or bf16, L >= 1. Returns (B, V) in f32:
/// every entry minus the log of the sum of all exponentials of its row.
/// Errors: `Shape` for other axes or L = 0; `Dtype`.
pub fn next_logprobs(logits: &Array) -> Result<Array> {
    kit::stub!("1.6.1", logits)
}

/// The most likely token of every row, the lowest id on a tie.
///
/// `logprobs` (B, V) as [`next_logprobs`] gives them. Returns (B,), u32.
/// Errors: `Shape` for no rows or no tokens; `NonFinite` for a row without
/// a law, which is all NaN.
pub fn greedy(logprobs: &Array) -> Result<Array> {
    if logprobs.size() == 0 {
        let (expected, got) = ("(B, V), both at least 1".into(), format!("{:?}", logprobs.shape()));
        return Err(kit::Error::Shape { op: "greedy: logprobs".into(), expected, got });
    }
    // In a row: over an axis of length 1 a reduction keeps the strides of a view.
    let best = logprobs.max_axis(-1, false)?.contiguous()?; // (B,)
    best.eval()?;
    if let Some(row) = best.as_slice::<f32>().iter().position(|best| !best.is_finite()) {
        let what = "has no most likely token: the logits hold NaN or infinity".into();
        return Err(kit::Error::NonFinite { row, what });
    }
    Ok(mlx_rs::ops::indexing::argmax_axis(logprobs, -1, false)?)
}

/// Continues `prompt` until an id of `eos` comes, `max_tokens` are made,
/// or `on_token` breaks off.
///
/// `sample` turns log probabilities (1, V) into one id (1,). `on_token` sees
/// every new id, the end id included, in order. The end id is part of
/// `Generation::tokens`; an end id in the prompt ends nothing. Of several
/// reasons in one step, `Eos` is reported before `Cancelled`, and both
/// before `MaxTokens`.
/// Errors: `InvalidArgument` for an empty prompt; whatever the model or
/// `sample` returns.
pub fn generate(
    model: &(impl CausalLm + ?Sized),
    prompt: &[u32],
    max_tokens: usize,
    eos: &[u32],
    sample: impl FnMut(&Array) -> Result<Array>,
    on_token: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<Generation> {
    kit::stub!("1.6.2", model, prompt, max_tokens, eos, sample, on_token)
}
