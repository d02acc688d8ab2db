//! `trials`: the measured side of `cargo xtask bench`. It loads an engine once and says so in a line of JSON; then each
//! line on stdin asks for a `trial`, the `ceiling`, or to `judge` an answer, and gets a line of JSON with the figures,
//! until stdin ends.
//!
//! Several programs take turns this way, each with its model in memory, and only one computes at a time.

use serde_json::{Value, json};
use std::{io::BufRead, ops::ControlFlow, sync::atomic::Ordering, time::Instant};

use super::{
    Console, Program, Stopped, arguments::TrialsArguments, drafts, drafts::DraftChoice, interrupt::INTERRUPTED, judge,
    workload::Workload, written,
};
use crate::{Checkpoint, Engine, Error, Message, Request, Result, Sampling, mlx, models::Model};

pub(super) fn run(
    arguments: &TrialsArguments,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    let start = Instant::now();
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let request = request(&checkpoint, arguments)?;
    let workload = Workload::of(&request, arguments)?;
    let engine = engine(program, &checkpoint, arguments.checkpoint.as_deref())?;
    let loaded = start.elapsed().as_secs_f64();
    let ready = json!({ "week": program.week, "device": mlx::device_name(), "load_seconds": loaded });
    say(console, &ready)?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| Error::Other(format!("stdin cannot be read: {e}")))?;
        let figures = match line.trim().split_once(' ') {
            None if line.trim() == "trial" => match &workload {
                Some(workload) => workload.trial(&*engine, console.stop)?,
                None => trial(&*engine, &request, console)?,
            },
            None if line.trim() == "ceiling" => ceiling(&*engine, &request),
            Some(("judge", answer)) => judge::answer(&*engine, &request, answer)?,
            _ => return Err(Error::Other(format!("{line:?} is neither trial, ceiling nor judge [ids]")).into()),
        };
        if console.stop.load(Ordering::SeqCst) {
            return Ok(INTERRUPTED);
        }
        say(console, &figures)?;
    }
    Ok(0)
}

fn say(console: &mut Console<'_>, figures: &Value) -> std::result::Result<(), Stopped> {
    written(writeln!(console.out, "{figures}").and_then(|()| console.out.flush()))
}

/// The stage of that name; of an engine that a small model guesses for, `drafts-4` is the one with four guesses of the
/// embedded one. Errors: as loading.
fn engine(program: Program<'_>, checkpoint: &Checkpoint, stage: Option<&str>) -> Result<Box<dyn Engine>> {
    let depth = stage.and_then(|stage| stage.strip_prefix("drafts-")?.parse().ok());
    match DraftChoice::of(depth.map(|_| drafts::EMBEDDED), depth, program)? {
        Some(drafts) => drafts.engine(program, checkpoint, None, None),
        None => program.load.engine(checkpoint, stage),
    }
}

/// The tokens of a user's message, as every engine of `bench` gets them.
pub(super) fn message(checkpoint: &Checkpoint, text: &str) -> Result<Vec<u32>> {
    let tokenizer = checkpoint.tokenizer()?;
    tokenizer.encode(&tokenizer.apply_chat_template(&[Message::new("user", text)], false)?)
}

/// A prompt of ids that repeat only after thousands, the same for every engine; nothing ends the text early.
fn request(checkpoint: &Checkpoint, arguments: &TrialsArguments) -> Result<Request> {
    let TrialsArguments { prompt_tokens, new_tokens, .. } = *arguments;
    let config = checkpoint.config();
    let most = config.max_position_embeddings as usize;
    let refused = |name: &str, value: usize, must: String| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must })
    };
    if prompt_tokens == 0 || prompt_tokens >= most {
        return refused(
            "--prompt-tokens",
            prompt_tokens,
            format!("be at least 1 and below {most}, the model's positions"),
        );
    }
    if new_tokens < 2 || new_tokens > most - prompt_tokens {
        let must = format!("be at least 2 and at most {}, so that prompt and answer fit", most - prompt_tokens);
        return refused("--new-tokens", new_tokens, must);
    }
    let id = |place: usize| ((place * 7919 + 17) % (config.vocab_size as usize)) as u32;
    let prompt = match &arguments.prompt {
        Some(text) => message(checkpoint, text)?,
        None => (0..prompt_tokens).map(id).collect(),
    };
    Ok(Request { prompt, max_tokens: new_tokens, eos: Vec::new(), sampling: Sampling::GREEDY })
}

/// What bounds a token in the middle of the answer. Asked last, because measuring memory takes some.
fn ceiling(engine: &dyn Engine, request: &Request) -> Value {
    let context = request.prompt.len() + request.max_tokens / 2;
    match engine.ceiling(context as i32) {
        Ok(None) => Value::Null,
        Ok(Some(ceiling)) => json!({
            "context": context,
            "bytes_per_token": ceiling.bytes,
            "flops_per_token": ceiling.flops,
            "read_bytes_per_second": ceiling.bytes_per_second,
            "flops_per_second": ceiling.flops_per_second,
            "tokens_per_second": ceiling.tokens_per_second,
            "bound": if ceiling.by_memory { "memory" } else { "compute" },
        }),
        Err(error) => json!({ "missing": error.to_string() }),
    }
}

/// One generation, its prompt and its tokens timed apart. The first token ends the time of the prompt.
fn trial(engine: &dyn Engine, request: &Request, console: &Console<'_>) -> Result<Value> {
    let (start, mut first) = (Instant::now(), None);
    let generation = engine.generate(request, &mut |_| {
        first.get_or_insert(start.elapsed().as_secs_f64());
        if console.stop.load(Ordering::SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let (all, first) = (start.elapsed().as_secs_f64(), first.unwrap_or_default());
    Ok(json!({
        "prompt_tokens": request.prompt.len(),
        "prefill_seconds": first,
        "decode_seconds": all - first,
        "tokens": generation.tokens,
        "drafts": engine.drafts().map(|drafts| drafts::line(&drafts, generation.tokens.len())),
        "peak_array_bytes": mlx::peak_memory()?,
        "peak_resident_bytes": peak_resident_bytes(),
    }))
}

/// The most memory that this process had at one time, where the system tells (Linux).
pub(super) fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}
