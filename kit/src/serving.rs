//! What an engine that answers many and the place where requests arrive say to each other.
//!
//! In: requests and cancellations, between two steps. Out: news of every request. A [`Counter`] is where they meet: a
//! socket's side, a test, a file. The engine asks it before each step and tells it everything; it never waits for anybody
//! who listens.

use crate::{Request, StopReason};

/// How an engine serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServingSettings {
    /// Texts that run at the same time.
    pub slots: usize,
    /// The most tokens of a step.
    pub step_tokens: usize,
    /// Pages of 16 tokens for all texts.
    pub pages: usize,
    /// Requests that may wait beside those that find a free slot.
    pub queue: usize,
}

/// A request and who asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The counter's name for it, used once.
    pub id: u64,
    /// The prompt and the settings.
    pub request: Request,
    /// Texts that end the answer and are not part of it.
    pub stop: Vec<String>,
    /// How many of the most likely tokens are to be told beside each drawn one; `None` for no log probabilities.
    pub logprobs: Option<usize>,
}

/// What comes to the counter.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrival {
    /// Requests that are let in together or not at all.
    Asks(Vec<Ask>),
    /// Nobody waits for this request any more.
    Cancel(u64),
}

/// The model's log probabilities where a token was drawn, before any law.
#[derive(Debug, Clone, PartialEq)]
pub struct Logprobs {
    /// The drawn token's.
    pub drawn: f32,
    /// The most likely tokens and theirs, the best first; among equals the lowest id.
    pub top: Vec<(u32, f32)>,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// At one of its stop strings.
    StopString(String),
    /// As a generation ends.
    Stopped(StopReason),
    /// The engine could not go on with it.
    Failed(String),
}

/// What the counter is told.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// The request is in the queue.
    Accepted {
        /// The request.
        id: u64,
    },
    /// The request was not let in. The last news of it.
    Refused {
        /// The request.
        id: u64,
        /// A sentence.
        reason: String,
        /// Whether the same request may be let in later.
        temporary: bool,
    },
    /// The request has a token.
    Token {
        /// The request.
        id: u64,
        /// The token, end ids included.
        token: u32,
        /// What became final with it.
        text: String,
        /// Where they were asked for.
        logprobs: Option<Logprobs>,
    },
    /// The request has ended and holds nothing any more. The last news of it.
    Finished {
        /// The request.
        id: u64,
        /// Why.
        ending: Ending,
    },
    /// A step has ended.
    Step(Load),
}

/// What an engine holds after a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Requests that have a slot.
    pub running: usize,
    /// Requests that wait for one.
    pub waiting: usize,
    /// Pages that a text holds.
    pub live_pages: usize,
    /// Bytes that are kept for keys and values.
    pub cache_bytes: usize,
}

/// Where requests arrive and answers are fetched.
pub trait Counter {
    /// What has arrived since the last call. An `idle` engine has nothing else to do, so the call waits for something.
    /// `None` closes the engine.
    fn arrivals(&mut self, idle: bool) -> Option<Vec<Arrival>>;

    /// Hears of it, at once.
    fn tell(&mut self, news: News);
}
