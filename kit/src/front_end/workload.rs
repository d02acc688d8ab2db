//! The workload of many requests: one request in as the longest, figures of answering all of them out.
//!
//! Lengths differ, so that requests come and go at different times. An engine that batches gets all of them at once, any
//! other answers them one after the other; the tokens that count are the same.

use serde_json::{Value, json};
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use super::{arguments::TrialsArguments, trials::peak_resident_bytes};
use crate::{BatchEvent, BatchSettings, Engine, Error, Request, Result, mlx};

/// Texts that run at the same time, where nobody says.
pub(super) const SLOTS: usize = 8;

pub(super) struct Workload {
    requests: Vec<Request>,
    settings: BatchSettings<'static>,
}

/// When a request had its tokens, in seconds.
#[derive(Default)]
struct Times {
    first: Option<f64>,
    last: f64,
    longest_gap: f64,
}

impl Times {
    fn token(&mut self, now: f64) {
        match self.first {
            None => self.first = Some(now),
            Some(_) => self.longest_gap = self.longest_gap.max(now - self.last),
        }
        self.last = now;
    }
}

impl Workload {
    /// The requests of `--requests`, whose longest is `longest`; `None` without it.
    ///
    /// Errors: a number that is 0.
    pub(super) fn of(longest: &Request, arguments: &TrialsArguments) -> Result<Option<Self>> {
        let Some(count) = arguments.requests else { return Ok(None) };
        let slots = arguments.slots.unwrap_or(SLOTS);
        for (name, value) in [("--requests", count), ("--slots", slots)] {
            if value == 0 {
                let (name, must) = (name.into(), "be at least 1".into());
                return Err(Error::InvalidArgument { name, value: "0".into(), must });
            }
        }
        let settings = BatchSettings { slots, step_tokens: None, pages: None, stop: &[] };
        Ok(Some(Self { requests: (0..count).map(|number| one_of(longest, number)).collect(), settings }))
    }

    /// Answers all requests once. Errors: whatever the engine returns; a request that ends without its tokens.
    pub(super) fn trial(&self, engine: &dyn Engine, stop: &AtomicBool) -> Result<Value> {
        let mut times: Vec<Times> = self.requests.iter().map(|_| Times::default()).collect();
        let go_on = || if stop.load(Ordering::SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let (start, mut held) = (Instant::now(), None);
        let mut answers: Vec<Vec<u32>> = vec![Vec::new(); self.requests.len()];
        if engine.batches() {
            // Its text stands for the token: four bytes are an id.
            let bytes_of = |id: u32| Ok(format!("{id} ").into_bytes());
            engine.batch(&self.requests, self.settings, &bytes_of, &mut |event| {
                match event {
                    BatchEvent::Token { request, text } => {
                        times[request].token(start.elapsed().as_secs_f64());
                        answers[request].extend(text.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
                    }
                    BatchEvent::Step { held_bytes, .. } => held = held.max(Some(held_bytes)),
                    BatchEvent::Finished { .. } => {}
                }
                go_on()
            })?;
        } else {
            for ((request, times), answer) in self.requests.iter().zip(&mut times).zip(&mut answers) {
                let generation = engine.generate(request, &mut |_| {
                    times.token(start.elapsed().as_secs_f64());
                    go_on()
                })?;
                *answer = generation.tokens;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let short = self.requests.iter().zip(&answers).position(|(request, got)| got.len() != request.max_tokens);
        if let (Some(request), false) = (short, stop.load(Ordering::SeqCst)) {
            let got = answers[request].len();
            return Err(Error::Other(format!("request {request} ended after {got} tokens; its times say nothing")));
        }
        let firsts = times.iter().filter_map(|times| times.first);
        Ok(json!({
            "seconds": seconds,
            "output_tokens": answers.iter().map(Vec::len).sum::<usize>(),
            "latest_first_token_seconds": firsts.fold(0.0, f64::max),
            "longest_gap_seconds": times.iter().map(|times| times.longest_gap).fold(0.0, f64::max),
            "peak_cache_bytes": held,
            "tokens": answers.concat(),
            "peak_array_bytes": mlx::peak_memory()?,
            "peak_resident_bytes": peak_resident_bytes(),
        }))
    }
}

/// Request `number`: a prompt of one to eight eighths of the longest and an answer of one to four quarters, each eighth
/// twice in 16 requests. Long and short ones come in turns, as from people who do not know of each other.
fn one_of(longest: &Request, number: usize) -> Request {
    let (prompt, answer) = (1 + number * 5 % 8, 4 - (number + number / 4) % 4);
    let tokens = (longest.prompt.len() * prompt).div_ceil(8);
    // Each begins elsewhere, so that nothing is shared.
    let first = number % longest.prompt.len();
    let prompt = longest.prompt.iter().cycle().skip(first).take(tokens).copied().collect();
    Request { prompt, max_tokens: (longest.max_tokens * answer).div_ceil(4), ..longest.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sampling;

    #[test]
    fn sixteen_requests_have_every_length() {
        let longest =
            Request { prompt: (0..80).collect(), max_tokens: 32, eos: Vec::new(), sampling: Sampling::GREEDY };
        let requests: Vec<Request> = (0..16).map(|number| one_of(&longest, number)).collect();
        for eighth in 1..=8 {
            let of_it: Vec<&Request> = requests.iter().filter(|request| request.prompt.len() == 10 * eighth).collect();
            assert_eq!(of_it.len(), 2, "prompts of {eighth} eighths");
            assert_ne!(of_it[0].max_tokens, of_it[1].max_tokens, "answers to prompts of {eighth} eighths");
        }
        for quarter in 1..=4 {
            let answers = requests.iter().filter(|request| request.max_tokens == 8 * quarter).count();
            assert_eq!(answers, 4, "answers of {quarter} quarters");
        }
        assert_ne!(requests[0].prompt[..10], requests[3].prompt[..10], "no common beginning");
    }
}
