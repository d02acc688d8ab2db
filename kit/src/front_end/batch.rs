//! `batch`: a file of prompts in, answers as they end out, and figures of every request.

use std::{ops::ControlFlow, sync::atomic::Ordering, time::Instant};

use super::{
    Console, Program, Stopped,
    arguments::BatchArguments,
    choose_backend,
    fullness::Fullness,
    interrupt::INTERRUPTED,
    refused,
    sampling::{check_top_k, law},
    written,
};
use crate::{
    BatchEvent, BatchSettings, Checkpoint, Error, Message, Request, Result, Sampling, SamplingLaw, Tokenizer,
    models::Model,
};

/// What is known of a request so far.
#[derive(Clone, Default)]
struct Answer {
    text: String,
    tokens: usize,
    /// Steps until its first token.
    first: usize,
}

pub(super) fn run(
    arguments: &BatchArguments,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    let law = law(&arguments.law)?;
    if arguments.stop.iter().any(String::is_empty) {
        refused::<()>("--stop", "empty", "hold some text")?;
    }
    choose_backend(arguments.backend.as_deref())?;
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|e| Error::Other(format!("the prompts in {} cannot be read: {e}", arguments.file.display())))?;
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let tokenizer = checkpoint.tokenizer()?;
    check_top_k(&arguments.law, checkpoint.config().vocab_size)?;
    let requests = requests(arguments, law, &text, &tokenizer)?;
    let engine = program.load.engine(&checkpoint, arguments.checkpoint.as_deref())?;
    let BatchArguments { slots, step_tokens, pages, .. } = *arguments;
    let settings = BatchSettings { slots, step_tokens, pages, stop: &arguments.stop };

    let mut answers = vec![Answer::default(); requests.len()];
    let (mut steps, mut failed, start) = (0, None, Instant::now());
    let mut fullness = Fullness::default();
    let bytes_of = |id| tokenizer.bytes_of(id);
    engine.batch(&requests, settings, &bytes_of, &mut |event| {
        let line = match event {
            BatchEvent::Token { request, text } => {
                let answer = &mut answers[request];
                answer.text.push_str(&text);
                answer.tokens += 1;
                answer.first = if answer.tokens == 1 { steps + 1 } else { answer.first };
                Ok(())
            }
            BatchEvent::Finished { request, reason } => {
                let Answer { text, tokens, first } = &answers[request];
                let steps = format!("the first in step {first}, the last in step {}", steps + 1);
                match tokens {
                    0 => written(writeln!(console.err, "[{}: {reason}]", request + 1)),
                    _ => written(writeln!(console.out, "{}: {text}", request + 1)).and_then(|()| {
                        written(writeln!(console.err, "[{}: {reason}; {tokens} tokens, {steps}]", request + 1))
                    }),
                }
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
            Ok(()) if console.stop.load(Ordering::SeqCst) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
        }
    })?;
    if let Some(stopped) = failed {
        return Err(stopped);
    }
    let (tokens, seconds) = (answers.iter().map(|answer| answer.tokens).sum::<usize>(), start.elapsed().as_secs_f64());
    written(writeln!(
        console.err,
        "[{} requests, {tokens} tokens in {steps} steps; {:.1} tokens/s; {}, week {}]",
        requests.len(),
        tokens as f64 / seconds,
        program.who,
        program.week
    ))?;
    if let Some(line) = fullness.line() {
        written(writeln!(console.err, "{line}"))?;
    }
    // A batch of which nothing was answered has failed.
    Ok(if console.stop.load(Ordering::SeqCst) { INTERRUPTED } else { u8::from(tokens == 0) })
}

/// A request for every line that is not empty.
fn requests(arguments: &BatchArguments, law: SamplingLaw, text: &str, tokenizer: &Tokenizer) -> Result<Vec<Request>> {
    let BatchArguments { raw, max_tokens, seed, .. } = *arguments;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return refused("the file of prompts", "empty", "hold a prompt in at least one line");
    }
    let request = |(number, line): (u64, &&str)| {
        let whole = if raw {
            line.to_string()
        } else {
            tokenizer.apply_chat_template(&[Message::new("user", *line)], false)?
        };
        let (prompt, eos) = (tokenizer.encode(&whole)?, tokenizer.eos_ids().to_vec());
        Ok(Request { prompt, max_tokens, eos, sampling: Sampling { law, seed: seed.wrapping_add(number) } })
    };
    (0..).zip(&lines).map(request).collect()
}
