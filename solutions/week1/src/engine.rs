//! Week 1 as the front end sees it: the pieces of this crate behind [`kit::Engine`].
//!
//! In: a checkpoint, then requests. Out: logits for comparisons, token ids, text. Greedy requests need Day 6 alone;
//! all others go through the sampler of Day 7, or through its temper-first law (task 1.7.5).

use crate::{
    detokenizer::StreamingDetokenizer,
    generate::{generate, greedy},
    law::{Chance, History, SamplerConfig, Uniforms, distribution_from_logits},
    model::Qwen3Model,
    sampler::make_sampler,
};
use kit::{CausalLm, Checkpoint, Detokenizer, Engine, Generation, Request, Result, SamplingLaw};
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
        let seed = sampling.seed;
        match sampling.law {
            SamplingLaw::FilterFirst { temperature: 0.0, top_k: None, top_p: None } => {
                generate(&self.model, prompt, *max_tokens, eos, greedy, on_token)
            }
            SamplingLaw::FilterFirst { temperature, top_k, top_p } => {
                let mut sampler = make_sampler(temperature, top_k, top_p, seed)?;
                generate(&self.model, prompt, *max_tokens, eos, |logprobs| sampler.sample(logprobs), on_token)
            }
            SamplingLaw::TemperFirst(config) => {
                generate(&self.model, prompt, *max_tokens, eos, temper_first(config, seed), on_token)
            }
        }
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(StreamingDetokenizer::new(bytes_of)))
    }
}

/// A sampler that draws from the temper-first law, on the host: log probabilities (1, V) → the token drawn (1,). What it
/// drew is the history of its next draw. The sampler's errors: a law that `config` cannot be (task 1.7.5).
pub fn temper_first(config: SamplerConfig, seed: u64) -> impl FnMut(&Array) -> Result<Array> {
    let (mut history, mut chance) = (History::default(), Uniforms::seeded(seed));
    move |logprobs| {
        // Log probabilities are logits up to a constant, which no part of the law sees.
        let logits: Vec<f64> = kit::testing::values(logprobs)?.into_iter().map(f64::from).collect(); // (1, V) to V
        let token = chance.draw(&distribution_from_logits(&logits, &config, &history)?)?;
        history.push(token);
        Ok(Array::from_slice(&[token as u32], &[1]))
    }
}
