//! The figures of one generation, as a line for people and as JSON.

use serde_json::json;
use std::time::{Duration, Instant};

use super::{Program, arguments::GenerateArguments, drafts};
use crate::{Drafts, StopReason, mlx};

/// Takes the time of the first token apart from the others.
pub(super) struct Clock {
    start: Instant,
    first: Option<Duration>,
    tokens: usize,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { start: Instant::now(), first: None, tokens: 0 }
    }

    pub(super) fn token(&mut self) {
        self.first.get_or_insert(self.start.elapsed());
        self.tokens += 1;
    }
}

/// What a generation took.
pub(super) struct Figures {
    pub(super) prompt_tokens: usize,
    pub(super) tokens: usize,
    pub(super) stop: StopReason,
    drafts: Option<Drafts>,
    prompt_per_second: f64,
    /// None when only one token came.
    decode_per_second: Option<f64>,
    peak_bytes: usize,
}

impl Figures {
    pub(super) fn of(clock: &Clock, prompt_tokens: usize, stop: StopReason, drafts: Option<Drafts>) -> Self {
        let first = clock.first.unwrap_or(clock.start.elapsed());
        let later = clock.start.elapsed().saturating_sub(first).as_secs_f64();
        Self {
            prompt_tokens,
            tokens: clock.tokens,
            stop,
            drafts,
            prompt_per_second: prompt_tokens as f64 / first.as_secs_f64().max(1e-9),
            decode_per_second: (clock.tokens > 1).then(|| (clock.tokens - 1) as f64 / later.max(1e-9)),
            peak_bytes: mlx::peak_memory().unwrap_or_default(),
        }
    }

    pub(super) fn line(&self, program: Program<'_>, arguments: &GenerateArguments) -> String {
        let stop = match self.stop {
            StopReason::Eos(_) => "end of text",
            StopReason::MaxTokens => "--max-tokens reached",
            StopReason::Cancelled => "stopped",
        };
        let stage = program.load.stage(arguments.checkpoint.as_deref());
        let stage = stage.map_or(String::new(), |stage| format!(" {stage}"));
        let decode = self.decode_per_second.map_or(String::new(), |speed| format!(" at {speed:.1} tokens/s"));
        let drafts =
            self.drafts.as_ref().map_or(String::new(), |drafts| format!("; {}", drafts::line(drafts, self.tokens)));
        format!(
            "[{stop}; prompt {} tokens at {:.1} tokens/s; {} new tokens{decode}{drafts}; peak memory {:.1} MB; {}, week {}{stage}, {}]",
            self.prompt_tokens,
            self.prompt_per_second,
            self.tokens,
            self.peak_bytes as f64 / 1e6,
            program.who,
            program.week,
            mlx::device_name(),
        )
    }

    pub(super) fn json(&self, program: Program<'_>, arguments: &GenerateArguments, text: &str) -> serde_json::Value {
        let stop = match self.stop {
            StopReason::Eos(_) => "eos",
            StopReason::MaxTokens => "max_tokens",
            StopReason::Cancelled => "cancelled",
        };
        json!({
            "who": program.who,
            "week": program.week,
            "checkpoint": program.load.stage(arguments.checkpoint.as_deref()),
            "device": mlx::device_name(),
            "model": arguments.model,
            "law": arguments.law.law,
            "seed": arguments.seed,
            "text": text,
            "stop": stop,
            "prompt_tokens": self.prompt_tokens,
            "new_tokens": self.tokens,
            "prompt_tokens_per_second": self.prompt_per_second,
            "decode_tokens_per_second": self.decode_per_second,
            "drafts": self.drafts.map(|Drafts { windows, drafted, kept }| {
                json!({ "windows": windows, "drafted": drafted, "kept": kept })
            }),
            "peak_memory_bytes": self.peak_bytes,
        })
    }
}
