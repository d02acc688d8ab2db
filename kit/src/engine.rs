//! The traits between a week's engine and the front end.

use mlx_rs::Array;
use std::ops::ControlFlow;

use crate::{
    Error, Result,
    law::SamplerConfig,
    serving::{Counter, ServingSettings},
};

/// A language model without a cache: the whole text in, a row of logits for every position out.
pub trait CausalLm {
    /// `tokens` (B, L), ids as u32 or i32 → logits (B, L, V) in the activation dtype.
    fn forward(&self, tokens: &Array) -> Result<Array>;
}

/// Turns ids into text as they arrive.
pub trait Detokenizer {
    /// Takes one id and returns the text that has become final; empty while a character is incomplete.
    fn push(&mut self, id: u32) -> Result<String>;
    /// What is left at the end of the text; incomplete bytes become U+FFFD.
    fn finish(&mut self) -> Result<String>;
}

/// How the next token is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// The law that it is drawn from.
    pub law: SamplingLaw,
    /// Same seed, same tokens.
    pub seed: u64,
}

impl Sampling {
    /// The most likely token, always.
    pub const GREEDY: Self =
        Self { law: SamplingLaw::FilterFirst { temperature: 0.0, top_k: None, top_p: None }, seed: 0 };
}

/// The laws that an engine knows by name. They draw from different tokens: `cargo xtask law` shows how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SamplingLaw {
    /// Top-k, top-p, then the temperature. `None` and non-positive filters are off.
    FilterFirst {
        /// Divides the log probabilities after the filters; 0 is greedy.
        temperature: f32,
        /// Keeps the k most likely tokens.
        top_k: Option<i32>,
        /// Keeps the fewest tokens whose mass reaches p.
        top_p: Option<f32>,
    },
    /// Penalties, temperature, then top-p and top-k on the tempered law. The penalties count the generated tokens, not
    /// the prompt.
    TemperFirst(SamplerConfig),
}

/// One text to continue.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The ids of the prompt; not empty.
    pub prompt: Vec<u32>,
    /// The most tokens to add.
    pub max_tokens: usize,
    /// Ids that end the text. They are part of the generated ids.
    pub eos: Vec<u32>,
    /// How the next token is chosen.
    pub sampling: Sampling,
}

// BOOK generation
/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// One of the request's `eos` ids came.
    Eos(u32),
    /// `max_tokens` were generated.
    MaxTokens,
    /// The caller asked to stop.
    Cancelled,
}

/// What a generation produced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// The new ids, the end id included.
    pub tokens: Vec<u32>,
    /// Why it ended.
    pub stop: StopReason,
}
// END BOOK

/// How fast a decoded token can come at most, as an engine sees it on this machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// What the token has to read and write.
    pub bytes: u64,
    /// What it has to compute.
    pub flops: u64,
    /// Measured.
    pub bytes_per_second: f64,
    /// Measured.
    pub flops_per_second: f64,
    /// What follows.
    pub tokens_per_second: f64,
    /// Whether the bytes decide, not the operations.
    pub by_memory: bool,
}

/// What became of the tokens that a small model guessed for a large one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drafts {
    /// Passes of the large model that judged drafts.
    pub windows: usize,
    /// Drafts that were guessed.
    pub drafted: usize,
    /// Drafts that stayed.
    pub kept: usize,
}

/// How several requests are answered at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSettings<'a> {
    /// Texts that run at the same time.
    pub slots: usize,
    /// The most tokens of a step; `None` reads every prompt whole.
    pub step_tokens: Option<usize>,
    /// Pages of 16 tokens for all texts; `None` is as much room as they can need.
    pub pages: Option<usize>,
    /// Texts that end an answer and are not part of it.
    pub stop: &'a [String],
}

/// How full the pages of a cache are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageReport {
    /// Tokens that fit on a page.
    pub page_size: usize,
    /// Pages that there is memory for.
    pub pages: usize,
    /// Pages that a text holds.
    pub live: usize,
    /// Pages that several texts hold.
    pub shared: usize,
    /// Places behind the last tokens of texts, on pages of their own: what paging wastes.
    pub empty_places: usize,
    /// Free pages below the highest live one.
    pub holes: usize,
}

/// What is heard of a batch while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchEvent {
    /// A request, by its place in the list, has a token; `text` is what became final with it.
    Token {
        /// The place.
        request: usize,
        /// To be shown.
        text: String,
    },
    /// A request has ended, or was never let in.
    Finished {
        /// The place.
        request: usize,
        /// Why, in words.
        reason: String,
    },
    /// A step has ended.
    Step {
        /// Requests that have a slot.
        running: usize,
        /// Requests that wait for one.
        waiting: usize,
        /// Bytes of keys and values, used or not.
        held_bytes: usize,
        /// How full the pages are; `None` without pages.
        pages: Option<PageReport>,
    },
}

/// One week's engine, as the front end sees it.
pub trait Engine {
    /// `tokens` (B, L) → logits (B, L, V), for comparisons with other programs.
    fn logits(&self, tokens: &Array) -> Result<Array>;
    /// Continues the request's prompt; `on_token` sees each id as it is chosen and may break off.
    fn generate(&self, request: &Request, on_token: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation>;
    /// A detokeniser for one text. `bytes_of` gives the bytes of an id, none for special tokens.
    fn detokenizer<'a>(&self, bytes_of: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>>;
    /// What whoever runs it should know about this model, as a sentence without its end.
    fn note(&self) -> Option<String> {
        None
    }
    /// Whether [`batch`](Self::batch) answers several requests at once.
    fn batches(&self) -> bool {
        false
    }
    /// What became of the drafts of the last generation; `None` where nobody guesses.
    fn drafts(&self) -> Option<Drafts> {
        None
    }
    /// Answers several requests at once; `report` hears of every step and may break off.
    fn batch(
        &self,
        requests: &[Request],
        settings: BatchSettings<'_>,
        bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        report: &mut dyn FnMut(BatchEvent) -> ControlFlow<()>,
    ) -> Result<()> {
        let _ = (requests, settings, bytes_of, report);
        Err(Error::Other(
            "this engine answers one text after the other; the one of week 3 answers many: --week 3".into(),
        ))
    }
    /// Answers whoever comes to `counter`, until that closes.
    fn serve(
        &self,
        settings: ServingSettings,
        bytes_of: &dyn Fn(u32) -> Result<Vec<u8>>,
        counter: &mut dyn Counter,
    ) -> Result<()> {
        let _ = (settings, bytes_of, counter);
        Err(Error::Other(
            "this engine answers one text after the other; the one of week 3 serves many: --week 3".into(),
        ))
    }
    /// The ceiling of a token after `context` others, measured now; `None` where the engine does not know one.
    fn ceiling(&self, context: i32) -> Result<Option<Ceiling>> {
        let _ = context;
        Ok(None)
    }
}
