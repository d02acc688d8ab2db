//! `bench`: several engines take turns with the same prompt; medians with their spread and a line of the ledger come out.
//!
//! Each engine is a program of its own (`trials`, or another engine that speaks like it), loaded once. Rounds run
//! A B C A B C, so that a busy machine disturbs all of them alike; what counts is the ratio within one run. The first
//! round warms up. An engine that changes its answer between rounds is refused, and the first engine of the course judges
//! what the others have answered.

use serde_json::{Value, json};
use std::{io::Write, sync::atomic::Ordering, time::SystemTime};

use super::{
    Console, Stopped,
    arguments::BenchArguments,
    bench_machine::machine,
    bench_row::Row,
    bench_table::table,
    contestant::{Contestant, Turn},
    interrupt::INTERRUPTED,
    trials::message,
    workload, workload_table, written,
};
use crate::{Checkpoint, Config, Error, Result, mlx, models::Model};

/// Fewer say nothing about their spread.
const FEWEST_TRIALS: usize = 5;

/// What kernels take, too.
const MOST_THREADS: usize = 256;

pub(super) fn run(arguments: &BenchArguments, console: &mut Console<'_>) -> std::result::Result<u8, Stopped> {
    if arguments.trials < FEWEST_TRIALS {
        let (name, value) = ("--trials".into(), arguments.trials.to_string());
        return Err(Error::InvalidArgument { name, value, must: format!("be at least {FEWEST_TRIALS}") }.into());
    }
    let threads = threads(arguments.threads)?;
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let mut arguments = arguments.clone();
    if let Some(text) = &arguments.prompt {
        arguments.prompt_tokens = message(&checkpoint, text)?.len();
    }
    let arguments = &arguments;
    let least_bytes = checkpoint.stored_bytes() + cache_bytes(checkpoint.config(), arguments);
    let mut contestants = Vec::new();
    let mut absent: Vec<(String, String)> = arguments
        .absent
        .iter()
        .map(|entry| entry.split_once('=').unwrap_or((entry, "it is not there")))
        .map(|(who, why)| (who.into(), why.into()))
        .collect();
    for engine in &arguments.engines {
        match Contestant::start(engine, checkpoint.folder(), threads, arguments)? {
            Turn::Figures(contestant) => contestants.push(*contestant),
            Turn::Gone(who, why) => absent.push((who, why)),
        }
    }
    for round in 0..=arguments.trials {
        let what = if round == 0 { "warm-up".into() } else { format!("round {round} of {}", arguments.trials) };
        written(writeln!(console.err, "{what}: {} engines", contestants.len()))?;
        for contestant in &mut contestants {
            contestant.take_turn(round > 0)?;
            if console.stop.load(Ordering::SeqCst) {
                return Ok(INTERRUPTED);
            }
        }
    }
    if arguments.requests.is_some() {
        let (text, figures) = workload_table::of(arguments, &contestants, &absent)?;
        let entry = entry("batch", arguments, threads, figures, &contestants, &absent);
        return keep(arguments, &text, entry, contestants.is_empty(), console);
    }
    let mut rows =
        contestants.iter_mut().map(|contestant| Row::of(contestant, least_bytes)).collect::<Result<Vec<_>>>()?;
    judge(&mut contestants, &mut rows)?;
    let figures = rows.iter().map(Row::json).collect();
    let entry = entry("engines", arguments, threads, figures, &contestants, &absent);
    keep(arguments, &table(arguments, &rows, &absent), entry, rows.is_empty(), console)
}

/// Shows the table and adds the line to the ledger; 1 where there was nothing to measure.
fn keep(
    arguments: &BenchArguments,
    table: &str,
    entry: Value,
    nothing: bool,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    written(write!(console.out, "{table}"))?;
    if arguments.json {
        written(writeln!(console.out, "{entry}"))?;
    }
    if let Some(ledger) = &arguments.ledger {
        append_to_ledger(ledger, &entry)?;
        let here = std::env::current_dir().unwrap_or_default();
        written(writeln!(console.err, "Kept in {}", ledger.strip_prefix(here).unwrap_or(ledger).display()))?;
    }
    Ok(u8::from(nothing))
}

/// One setting for all engines. Errors: a number that kernels would not take.
fn threads(wanted: Option<usize>) -> Result<usize> {
    let refused = |name: &str, value: String| {
        Err(Error::InvalidArgument { name: name.into(), value, must: format!("be from 1 to {MOST_THREADS}") })
    };
    match (wanted, std::env::var("TINY_LLM_THREADS")) {
        (Some(threads), _) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
        (Some(threads), _) => refused("--threads", threads.to_string()),
        (None, Ok(text)) => match text.parse() {
            Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
            _ => refused("TINY_LLM_THREADS", format!("{text:?}")),
        },
        (None, Err(_)) => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Keys and values in f32 of prompt and answer.
fn cache_bytes(config: &Config, arguments: &BenchArguments) -> u64 {
    let size = |field: i32| u64::from(field.unsigned_abs());
    let entries = 2 * size(config.num_hidden_layers) * size(config.num_key_value_heads) * size(config.head_dim);
    entries * (arguments.prompt_tokens + arguments.new_tokens) as u64 * 4
}

/// The first engine of the course looks at every answer that is not its own. Errors: a program that ends.
fn judge(contestants: &mut [Contestant], rows: &mut [Row]) -> Result<()> {
    let Some(first) = contestants.iter().position(Contestant::can_judge) else { return Ok(()) };
    for place in 0..contestants.len() {
        let answer = contestants[place].tokens.clone();
        if answer != contestants[first].tokens {
            rows[place].judged_by(&contestants[first].who.clone(), contestants[first].judge(&answer)?);
        }
    }
    Ok(())
}

/// One line of the ledger: everything that a figure depends on. `figures` are those of each contestant.
fn entry(
    kind: &str,
    arguments: &BenchArguments,
    threads: usize,
    figures: Vec<Value>,
    contestants: &[Contestant],
    absent: &[(String, String)],
) -> Value {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let engines = figures.into_iter().zip(contestants).map(
        |(figures, contestant)| json!({ "figures": figures, "ready": contestant.ready, "trials": contestant.trials }),
    );
    json!({
        "kind": kind,
        "unix_seconds": seconds,
        "commit": arguments.commit,
        "course": env!("CARGO_PKG_VERSION"),
        "device": mlx::device_name(),
        "machine": machine(),
        "threads": threads,
        "model": arguments.model,
        "prompt_tokens": arguments.prompt_tokens,
        "prompt": arguments.prompt,
        "new_tokens": arguments.new_tokens,
        "requests": arguments.requests,
        "slots": arguments.requests.map(|_| arguments.slots.unwrap_or(workload::SLOTS)),
        "rounds": arguments.trials,
        "engines": engines.collect::<Vec<_>>(),
        "absent": absent.iter().map(|(who, why)| json!({ "who": who, "why": why })).collect::<Vec<_>>(),
    })
}

/// Adds a line to a ledger; the file and its folder are made where they are missing.
///
/// Errors: a sentence where it cannot be written.
pub fn append_to_ledger(ledger: &std::path::Path, entry: &Value) -> Result<()> {
    let unwritable =
        |e: std::io::Error| Error::Other(format!("the ledger {} cannot be written: {e}", ledger.display()));
    if let Some(folder) = ledger.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(ledger).map_err(unwritable)?;
    writeln!(file, "{entry}").map_err(unwritable)
}
