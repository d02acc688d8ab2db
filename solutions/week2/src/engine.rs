//! Week 2 as the front end sees it: the cached model of this crate behind [`kit::Engine`].
//!
//! In: a checkpoint and the name of a rung, then requests. Out: logits for comparisons, token ids, text. Sampler and
//! detokeniser are Week 1's, so that the same request gives the same tokens.

use crate::{
    generate::generate,
    model::{CachedLm, Qwen3Model, Rows},
    rung::Rung,
};
use kit::{Checkpoint, Detokenizer, Engine, Generation, Request, Result};
use mlx_rs::Array;
use std::ops::ControlFlow;
use week1::{detokenizer::StreamingDetokenizer, generate::greedy, sampler::make_sampler};

/// Loads the model of `checkpoint` on the rung of that name, the highest by
/// default.
///
/// Errors: as [`Rung::named`] and [`Qwen3Model::load`].
pub fn load(checkpoint: &Checkpoint, rung: Option<&str>) -> Result<Box<dyn Engine>> {
    let _ = Rung::named(rung)?;
    Ok(Box::new(CachedEngine { model: Qwen3Model::load(checkpoint)? }))
}

/// Any cached model with this week's loop and Week 1's sampler.
pub struct CachedEngine<M> {
    /// What gives the logits.
    pub model: M,
}

impl<M: CachedLm> Engine for CachedEngine<M> {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        self.model.forward(tokens, 0, &mut self.model.caches()?, Rows::All)
    }

    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        let Request { prompt, max_tokens, eos, sampling } = request;
        let mut caches = self.model.caches()?;
        if sampling.temperature == 0.0 && sampling.top_k.is_none() && sampling.top_p.is_none() {
            return generate(&self.model, &mut caches, prompt, *max_tokens, eos, greedy, on_token);
        }
        let mut sampler = make_sampler(sampling.temperature, sampling.top_k, sampling.top_p, sampling.seed)?;
        let sample = |logprobs: &Array| sampler.sample(logprobs);
        generate(&self.model, &mut caches, prompt, *max_tokens, eos, sample, on_token)
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(StreamingDetokenizer::new(bytes_of)))
    }
}
