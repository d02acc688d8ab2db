//! `bench`: several engines take turns with the same prompt; medians with their spread and a line of the ledger come out.
//!
//! Each engine is a program of its own (`trials`), loaded once. Rounds run A B C A B C, so that a busy machine disturbs
//! all of them alike; what counts is the ratio within one run. The first round warms up. An engine that changes its
//! answer between rounds is refused, and answers of different engines are compared.

use serde_json::{Value, json};
use std::{io::Write, sync::atomic::Ordering, time::SystemTime};

use super::{
    Console, Stopped,
    arguments::BenchArguments,
    bench_table::{Row, table},
    contestant::{Contestant, Turn},
    interrupt::INTERRUPTED,
    written,
};
use crate::{Error, Result, mlx};

/// Fewer say nothing about their spread.
const FEWEST_TRIALS: usize = 5;

pub(super) fn run(arguments: &BenchArguments, console: &mut Console<'_>) -> std::result::Result<u8, Stopped> {
    if arguments.trials < FEWEST_TRIALS {
        let (name, value) = ("--trials".into(), arguments.trials.to_string());
        return Err(Error::InvalidArgument { name, value, must: format!("be at least {FEWEST_TRIALS}") }.into());
    }
    let (mut contestants, mut absent) = (Vec::new(), Vec::new());
    for engine in &arguments.engines {
        match Contestant::start(engine, arguments)? {
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
    let rows = contestants.iter_mut().map(Row::of).collect::<Result<Vec<_>>>()?;
    written(write!(console.out, "{}", table(arguments, &rows, &absent)))?;
    let entry = entry(arguments, &rows, &contestants);
    if arguments.json {
        written(writeln!(console.out, "{entry}"))?;
    }
    if let Some(ledger) = &arguments.ledger {
        append(ledger, &entry)?;
        let here = std::env::current_dir().unwrap_or_default();
        written(writeln!(console.err, "Kept in {}", ledger.strip_prefix(here).unwrap_or(ledger).display()))?;
    }
    Ok(u8::from(rows.is_empty()))
}

/// One line of the ledger: everything that a figure depends on.
fn entry(arguments: &BenchArguments, rows: &[Row], contestants: &[Contestant]) -> Value {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let engines = rows.iter().zip(contestants).map(
        |(row, contestant)| json!({ "figures": row.json(), "ready": contestant.ready, "trials": contestant.trials }),
    );
    json!({
        "unix_seconds": seconds,
        "commit": arguments.commit,
        "course": env!("CARGO_PKG_VERSION"),
        "device": mlx::device_name(),
        "machine": machine(),
        "model": arguments.model,
        "prompt_tokens": arguments.prompt_tokens,
        "new_tokens": arguments.new_tokens,
        "rounds": arguments.trials,
        "engines": engines.collect::<Vec<_>>(),
    })
}

/// What the processor is and can.
pub(super) fn machine() -> Value {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    json!({
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
        "cpu": name,
        "threads": threads,
        "features": features(),
    })
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let known = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
        ("avx512bf16", is_x86_feature_detected!("avx512bf16")),
    ];
    known.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

fn append(ledger: &std::path::Path, entry: &Value) -> Result<()> {
    let unwritable =
        |e: std::io::Error| Error::Other(format!("the ledger {} cannot be written: {e}", ledger.display()));
    if let Some(folder) = ledger.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(ledger).map_err(unwritable)?;
    writeln!(file, "{entry}").map_err(unwritable)
}
