//! `batch`: a file of prompts in, answers as they end out, and figures of every request.
//!
//! Answers are named by the lines of their prompts. Ctrl-C ends the batch behind the step that runs; what has been written
//! by then is shown.

use std::{ops::ControlFlow, sync::atomic::Ordering, time::Instant};

use super::{
    Console, Program, Stopped,
    arguments::BatchArguments,
    choose_backend,
    fullness::Fullness,
    interrupt::INTERRUPTED,
    prompts::{Prompts, lines},
    refused,
    sampling::{check_top_k, law},
    written,
};
use crate::{
    BatchEvent, BatchSettings, Checkpoint, Message, Request, Result, Sampling, SamplingLaw, Tokenizer, models::Model,
};

/// The most texts that run at the same time, as in a server.
const MOST_SLOTS: usize = 1024;

/// What is known of a request so far.
#[derive(Default)]
struct Answer {
    /// Where its prompt stands.
    line: usize,
    text: String,
    tokens: usize,
    /// The steps of its first and its last token, from 1.
    first: usize,
    last: usize,
    finished: bool,
}

impl Answer {
    fn push(&mut self, text: &str, step: usize) {
        self.text.push_str(text);
        self.tokens += 1;
        self.first = if self.tokens == 1 { step } else { self.first };
        self.last = step;
    }

    /// The text, and `why` there is no more of it.
    fn show(&self, why: &str, console: &mut Console<'_>) -> std::result::Result<(), Stopped> {
        let Self { line, text, tokens, first, last, .. } = self;
        if *tokens == 0 {
            return written(writeln!(console.err, "[{line}: {why}]"));
        }
        written(writeln!(console.out, "{line}: {text}").and_then(|()| console.out.flush()))?;
        let steps = format!("the first in step {first}, the last in step {last}");
        written(writeln!(console.err, "[{line}: {why}; {tokens} tokens, {steps}]"))
    }
}

pub(super) fn run(
    arguments: &BatchArguments,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    let law = law(&arguments.law)?;
    check(arguments)?;
    choose_backend(arguments.backend.as_deref())?;
    let prompts = Prompts::read(&arguments.file)?;
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let tokenizer = checkpoint.tokenizer()?;
    check_top_k(&arguments.law, checkpoint.config().vocab_size)?;
    let requests = requests(arguments, law, &prompts, &tokenizer)?;
    let engine = program.load.engine(&checkpoint, arguments.checkpoint.as_deref())?;
    if !prompts.blank.is_empty() {
        written(writeln!(console.err, "[blank, and left out: {}]", lines(&prompts.blank)))?;
    }
    let BatchArguments { slots, step_tokens, pages, .. } = *arguments;
    let settings = BatchSettings { slots, step_tokens, pages, stop: &arguments.stop };

    let answer = |(line, _): &(usize, String)| Answer { line: *line, ..Answer::default() };
    let mut answers: Vec<Answer> = prompts.written.iter().map(answer).collect();
    let (mut steps, mut failed, start) = (0, None, Instant::now());
    let mut fullness = Fullness::default();
    let bytes_of = |id| tokenizer.bytes_of(id);
    let outcome = engine.batch(&requests, settings, &bytes_of, &mut |event| {
        let step_has_ended = matches!(event, BatchEvent::Step { .. });
        let line = match event {
            BatchEvent::Token { request, text } => {
                answers[request].push(&text, steps + 1);
                Ok(())
            }
            BatchEvent::Finished { request, reason } => {
                answers[request].finished = true;
                answers[request].show(&reason, console)
            }
            BatchEvent::Step { running, waiting, pages, .. } => {
                steps += 1;
                fullness.note(pages);
                written(writeln!(console.err, "step {steps}: {running} run, {waiting} wait"))
            }
        };
        match line {
            Err(stopped) => {
                failed = Some(stopped);
                ControlFlow::Break(())
            }
            // Not before everyone has heard of the step.
            Ok(()) if step_has_ended && console.stop.load(Ordering::SeqCst) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
        }
    });
    if let Some(stopped) = failed {
        return Err(stopped);
    }
    let interrupted = console.stop.load(Ordering::SeqCst);
    let begun = |answer: &&Answer| !answer.finished && answer.tokens > 0;
    let why = if interrupted { "cut off by Ctrl-C" } else { "cut off by an error" };
    answers.iter().filter(begun).try_for_each(|answer| answer.show(why, console))?;
    outcome?;
    let silent: Vec<usize> =
        answers.iter().filter(|answer| !answer.finished && answer.tokens == 0).map(|answer| answer.line).collect();
    if !silent.is_empty() {
        written(writeln!(console.err, "[without an answer: {}]", lines(&silent)))?;
    }
    let (tokens, seconds) = (answers.iter().map(|answer| answer.tokens).sum::<usize>(), start.elapsed().as_secs_f64());
    let whole = match answers.iter().filter(|answer| answer.finished).count() {
        whole if whole < requests.len() => format!("{whole} of "),
        _ => String::new(),
    };
    written(writeln!(
        console.err,
        "[{whole}{} requests, {tokens} tokens in {steps} steps; {:.1} tokens/s; {}, week {}]",
        requests.len(),
        tokens as f64 / seconds,
        program.who,
        program.week
    ))?;
    if let Some(line) = fullness.line() {
        written(writeln!(console.err, "{line}"))?;
    }
    // A batch of which nothing was answered has failed.
    Ok(if interrupted { INTERRUPTED } else { u8::from(tokens == 0) })
}

/// The settings that need no model to be refused.
fn check(arguments: &BatchArguments) -> Result<()> {
    let BatchArguments { slots, step_tokens, pages, max_tokens, .. } = *arguments;
    if !(1..=MOST_SLOTS).contains(&slots) {
        return refused("--slots", slots, &format!("be from 1 to {MOST_SLOTS}"));
    }
    for (name, value) in [("--max-tokens", Some(max_tokens)), ("--step-tokens", step_tokens), ("--pages", pages)] {
        if value == Some(0) {
            return refused(name, 0, "be at least 1");
        }
    }
    if arguments.stop.iter().any(String::is_empty) {
        return refused("--stop", "empty", "hold some text");
    }
    Ok(())
}

/// A request for every prompt.
fn requests(
    arguments: &BatchArguments,
    law: SamplingLaw,
    prompts: &Prompts,
    tokenizer: &Tokenizer,
) -> Result<Vec<Request>> {
    let BatchArguments { raw, max_tokens, seed, .. } = *arguments;
    let request = |(line, text): &(usize, String)| {
        let whole =
            if raw { text.clone() } else { tokenizer.apply_chat_template(&[Message::new("user", text)], false)? };
        let (prompt, eos) = (tokenizer.encode(&whole)?, tokenizer.eos_ids().to_vec());
        let seed = seed.wrapping_add(*line as u64 - 1);
        Ok(Request { prompt, max_tokens, eos, sampling: Sampling { law, seed } })
    };
    prompts.written.iter().map(request).collect()
}
