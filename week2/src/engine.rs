//! Week 2 as the front end sees it: the cached model of this crate behind [`kit::Engine`].
//!
//! In: a checkpoint and the name of a rung, then requests. Out: logits for comparisons, token ids, text, and what a token
//! has to cost on this machine. Sampler and detokeniser are Week 1's, so that the same request gives the same tokens.

use crate::{
    bandwidth::{clock, read_bandwidth},
    generate::generate,
    model::{CachedLm, Qwen3Model, Rows},
    operators,
    roofline::{Bound, Machine, Storage, ceiling, cost},
    rung::Rung,
    samples::Samples,
};
use extensions::metal::{self, Watch};
use kit::{Ceiling, Checkpoint, Config, Detokenizer, Engine, Generation, Request, Result, SamplingLaw, mlx};
use mlx_rs::Array;
use std::ops::ControlFlow;
use week1::{
    detokenizer::StreamingDetokenizer,
    engine::temper_first,
    generate::{greedy, next_logprobs},
    sampler::make_sampler,
};

/// Loads the model of `checkpoint` on the rung of that name, the highest by
/// default.
///
/// With `--backend metal-host` its kernels are those of `kernels/*.metal`.
///
/// Errors: as [`Rung::named`] and [`Qwen3Model::load`].
pub fn load(checkpoint: &Checkpoint, rung: Option<&str>) -> Result<Box<dyn Engine>> {
    let rung = Rung::named(rung)?;
    if mlx::on_metal_host() {
        metal::use_kernels(Some(Watch::Nothing))?;
    }
    let model = Qwen3Model::load(checkpoint, rung)?;
    let stored = Some((checkpoint.config().clone(), model.embed_tokens.storage()));
    Ok(Box::new(CachedEngine { model, stored, note: unread(checkpoint.config(), rung) }))
}

/// The sentence about packed weights that a rung with kernels for them
/// cannot read.
fn unread(config: &Config, rung: Rung) -> Option<String> {
    let packed = config.quantization.as_ref().filter(|packed| !operators::reads(packed))?;
    let (bits, group) = (packed.bits, packed.group_size);
    (rung >= Rung::QuantizedMatvec).then(|| {
        format!(
            "the weights have {bits} bits in groups of {group}; the kernels read 4 bits in groups of 64 or 128, so they \
             were unpacked, and products run as on the rung kv-cache"
        )
    })
}

/// Any cached model with this week's loop and Week 1's sampler.
pub struct CachedEngine<M> {
    /// What gives the logits.
    pub model: M,
    /// The model's sizes and how its numbers are stored, for the ceiling.
    pub stored: Option<(Config, Storage)>,
    /// What [`Engine::note`] says.
    pub note: Option<String>,
}

impl<M: CachedLm> Engine for CachedEngine<M> {
    fn logits(&self, tokens: &Array) -> Result<Array> {
        self.model.forward(tokens, 0, &mut self.model.caches()?, Rows::All)
    }

    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        let Request { prompt, max_tokens, eos, sampling } = request;
        let (mut caches, seed) = (self.model.caches()?, sampling.seed);
        match sampling.law {
            SamplingLaw::FilterFirst { temperature: 0.0, top_k: None, top_p: None } => {
                generate(&self.model, &mut caches, prompt, *max_tokens, eos, greedy, on_token)
            }
            SamplingLaw::FilterFirst { temperature, top_k, top_p } => {
                let mut sampler = make_sampler(temperature, top_k, top_p, seed)?;
                let sample = |logits: &Array| sampler.sample(&normalised(logits)?);
                generate(&self.model, &mut caches, prompt, *max_tokens, eos, sample, on_token)
            }
            SamplingLaw::TemperFirst(config) => {
                let mut draw = temper_first(config, seed);
                let sample = |logits: &Array| draw(&normalised(logits)?);
                generate(&self.model, &mut caches, prompt, *max_tokens, eos, sample, on_token)
            }
        }
    }

    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Ok(Box::new(StreamingDetokenizer::new(bytes_of)))
    }

    fn note(&self) -> Option<String> {
        self.note.clone()
    }

    fn ceiling(&self, context: i32) -> Result<Option<Ceiling>> {
        let Some((config, storage)) = &self.stored else { return Ok(None) };
        let pass = cost(config, context, 1, *storage)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let machine = Machine {
            bytes_per_second: read_bandwidth(PROBE_BYTES, threads, PROBE_TRIALS, clock())?.median()?,
            flops_per_second: product_speed()?.median()?,
        };
        let least = ceiling(&pass, &machine)?;
        Ok(Some(Ceiling {
            bytes: pass.bytes(),
            flops: pass.flops,
            bytes_per_second: machine.bytes_per_second,
            flops_per_second: machine.flops_per_second,
            tokens_per_second: 1.0 / least.seconds,
            by_memory: least.bound == Bound::Memory,
        }))
    }
}

/// The law of a row of logits (1, V), as Week 1's samplers take it.
fn normalised(logits: &Array) -> Result<Array> {
    next_logprobs(&logits.expand_dims(1)?)
}

/// Far beyond the caches of a processor.
const PROBE_BYTES: usize = 512 << 20;
const PROBE_TRIALS: usize = 9;

/// Operations a second of a product of two square matrices that stay in the
/// processor's caches.
fn product_speed() -> Result<Samples> {
    const SIDE: i32 = 512;
    let mut now = clock();
    let square = mlx_rs::random::normal::<f32>(&[SIDE, SIDE][..], None, None, None)?;
    let mut speeds = Vec::new();
    for trial in 0..=PROBE_TRIALS {
        let start = now();
        square.matmul(&square)?.eval()?;
        if trial > 0 {
            speeds.push(2.0 * f64::from(SIDE).powi(3) / (now() - start));
        }
    }
    Samples::new(&speeds)
}
