//! From a prompt to a text, with a memory: the prompt goes through the model once, then one token a step.
//!
//! In: the ids of a prompt, the caches of what comes before it, and the choices of Week 1's loop. Out: the new ids and
//! the reason why no more came. The caches then hold the whole text but its last id, so that a conversation can go on.

use crate::{kv_cache::KvCache, model::CachedLm};
use kit::{Generation, Result};
use mlx_rs::Array;
use std::ops::ControlFlow;

/// Continues `prompt` until an id of `eos` comes, `max_tokens` are made,
/// or `on_token` breaks off: the same text as Week 1's loop.
///
/// `prompt` follows what is in `caches` already. The model sees all of it
/// in the first step and one token in each later one, asked for the last
/// row of logits alone; the last new id is never fed.
/// `sample` turns the last row of logits, (1, V) in f32, into one id (1,),
/// u32. They are not normalised: the most likely token needs no exponential
/// of V logits, and who needs them normalises.
/// `on_token` sees every new id, the end id included, in order. Of several
/// reasons in one step, `Eos` is reported before `Cancelled`, and both
/// before `MaxTokens`.
/// Errors: `InvalidArgument` about `prompt` for an empty one, about `caches`
/// for none at all; whatever the model or `sample` returns.
pub fn generate(
    model: &(impl CachedLm + ?Sized),
    caches: &mut [Box<dyn KvCache>],
    prompt: &[u32],
    max_tokens: usize,
    eos: &[u32],
    sample: impl FnMut(&Array) -> Result<Array>,
    on_token: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<Generation> {
    kit::stub!("2.1.5", model, caches, prompt, max_tokens, eos, sample, on_token)
}
