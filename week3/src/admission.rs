//! Who may stand in the queue.
//!
//! In: a request, the queue, and what the engine can hold. Out: nothing, or a refusal with its reason. Saying no at the
//! door is cheaper than failing at the table: whoever is let in will be answered.

use kit::{Request, Result};
use std::fmt;

/// What the engine can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests that may wait for a slot. A slot is given in a step, so until
    /// the next one a request waits even where slots are free.
    pub waiting: usize,
    /// Tokens that a text may have, prompt and answer together.
    pub positions: usize,
}

/// Why a request is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Its text could outgrow what a text may have.
    TooLong {
        /// Tokens of the prompt.
        prompt: usize,
        /// Tokens that are asked for.
        max_tokens: usize,
        /// Tokens that a text may have.
        positions: usize,
    },
    /// Its prompt has an id that the model does not know.
    UnknownToken(u32),
    /// A request of this id is running or waiting.
    SameId(u64),
    /// The queue is full. The only refusal that passes by itself.
    QueueFull {
        /// Requests that wait.
        waiting: usize,
    },
}

impl Refusal {
    /// Whether the same request may be let in later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::QueueFull { .. })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { prompt, max_tokens, positions } => write!(
                f,
                "the prompt has {prompt} tokens and {max_tokens} are asked for, but there is room for {positions}, \
                 prompt and answer together"
            ),
            Self::UnknownToken(id) => write!(f, "the prompt has token {id}, which the model does not know"),
            Self::SameId(id) => write!(f, "a request {id} is here already"),
            Self::QueueFull { waiting } => {
                write!(f, "{waiting} requests are waiting, and no more may; try again later")
            }
        }
    }
}

/// Whether a request may join `waiting`, the ids of those who wait, behind
/// `running`, the ids of those who have a slot; `None` lets it in.
///
/// What can never be is said before what may pass: `TooLong`, where prompt
/// and `max_tokens` together are more than the positions; `SameId`; then
/// `QueueFull`, where as many wait as may.
pub fn refusal(
    id: u64,
    request: &Request,
    running: &[u64],
    waiting: &[u64],
    limits: &Limits,
) -> Result<Option<Refusal>> {
    kit::stub!("3.2.3", id, request, running, waiting, limits)
}
