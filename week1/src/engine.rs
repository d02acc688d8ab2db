//! Week 1 as the front end sees it: the pieces of this crate behind [`kit::Engine`].
//!
//! In: a checkpoint, then requests. Out: logits for comparisons, token ids, text. Greedy requests need Day 6 alone;
//! all others go through the sampler of Day 7.

use crate::{
    detokenizer::StreamingDetokenizer,
    generate::{generate, greedy},
    model::Qwen3Model,
    sampler::make_sampler,
};
use kit::{CausalLm, Checkpoint, Detokenizer, Engine, Generation, Request, Result};
use mlx_rs::Array;
use std::ops::ControlFlow;

/// Loads the model of `checkpoint` into an engine. Errors: as [`Qwen3Model::load`].
pub fn load(checkpoint: &Checkpoint) -> Result<Box<dyn Engine>> {
    Ok(Box::new(ModelEngine { model: Qwen3Model::load(checkpoint)? }))
}

/// Any uncached model with the generation loop, the sampler and the detokeniser of this week.
pub struct ModelEngine<M> {
    /// What gives the logits.
    pub model: M,
}

impl<M: CausalLm> Engine for ModelEngine<M> {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        self.model.forward(tokens)
    }

    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        let Request { prompt, max_tokens, eos, sampling } = request;
        if sampling.temperature == 0.0 && sampling.top_k.is_none() && sampling.top_p.is_none() {
            return generate(&self.model, prompt, *max_tokens, eos, greedy, on_token);
        }
        let mut sampler = make_sampler(sampling.temperature, sampling.top_k, sampling.top_p, sampling.seed)?;
        generate(&self.model, prompt, *max_tokens, eos, |logprobs| sampler.sample(logprobs), on_token)
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(StreamingDetokenizer::new(bytes_of)))
    }
}
