//! What was measured, for people and for the ledger.

use std::time::SystemTime;

use kit::front_end::{append_to_ledger, machine};
use kit::{Error, Result};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::measure::{Results, Seconds, State};

/// Prints a case: MLX's operator, then a row for each step.
pub fn print(results: &Results) {
    let [one, four] = results.memory.map(|speed| speed / 1e9);
    let open: Vec<&str> = results.steps.iter().filter_map(|(_, state)| open(state)).collect();
    if let [task, ..] = open[..]
        && open.len() == results.steps.len()
    {
        println!("\n{} {}: task {task} is open. cargo xtask hint {task}", results.kernel, results.size);
        return;
    }
    println!("\n{} {}", results.kernel, results.size);
    println!("  memory reads {one:.1} GB/s, one stream a thread; {four:.1} GB/s, four");
    println!(
        "      {:>10} {:>7} {:>7} {:>9} {:>8} {:>8}  what changed",
        "time", "spread", "GB/s", "of memory", "GFLOP/s", "to MLX"
    );
    row(results, "mlx", results.mlx, "MLX's own operator");
    for (step, state) in &results.steps {
        match state {
            State::Measured(seconds) => row(results, &step.number.to_string(), *seconds, &step.changed),
            State::Open { task } => println!("  {:3} task {task} is open", step.number),
        }
    }
}

fn open(state: &State) -> Option<&str> {
    match state {
        State::Open { task } => Some(task),
        State::Measured(_) => None,
    }
}

fn row(results: &Results, name: &str, seconds: Seconds, changed: &str) {
    let rate = results.bytes as f64 / seconds.median;
    let (time, unit) = if seconds.median < 1e-3 { (seconds.median * 1e6, "µs") } else { (seconds.median * 1e3, "ms") };
    println!(
        "  {name:3} {time:7.2} {unit} {:5.0} % {:7.2} {:7.0} % {:8.2} {:7.2}x  {changed}",
        seconds.range / seconds.median * 100.0,
        rate / 1e9,
        rate / results.memory[0] * 100.0,
        results.flops as f64 / seconds.median / 1e9,
        results.mlx.median / seconds.median
    );
}

/// A line of the ledger, and on stdout where `--json` asks for it.
pub fn keep(arguments: &Arguments, threads: usize, measured: &[Results]) -> Result<()> {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let entry = json!({
        "kind": "kernels",
        "unix_seconds": seconds,
        "commit": arguments.commit,
        "course": env!("CARGO_PKG_VERSION"),
        "who": arguments.who,
        "machine": machine(),
        "threads": threads,
        "instructions": format!("{:?}", extensions::tuning::instructions()?),
        "rounds": crate::measure::ROUNDS,
        "kernels": measured.iter().map(case).collect::<Vec<_>>(),
    });
    if arguments.json {
        println!("{entry}");
    }
    let Some(ledger) = &arguments.ledger else { return Ok(()) };
    append_to_ledger(ledger, &entry)?;
    let here = std::env::current_dir().map_err(|e| Error::Other(format!("there is no current folder: {e}")))?;
    println!("\nKept in {}", ledger.strip_prefix(here).unwrap_or(ledger).display());
    Ok(())
}

fn case(results: &Results) -> Value {
    let time = |seconds: Seconds| json!({ "median": seconds.median, "range": seconds.range });
    let steps = results.steps.iter().map(|(step, state)| match state {
        State::Measured(seconds) => json!({
            "step": step.number,
            "changed": step.changed,
            "seconds": time(*seconds),
            "to_mlx": results.mlx.median / seconds.median,
            "of_memory": results.bytes as f64 / seconds.median / results.memory[0],
        }),
        State::Open { task } => json!({ "step": step.number, "changed": step.changed, "open": task }),
    });
    json!({
        "kernel": results.kernel,
        "size": results.size,
        "bytes": results.bytes,
        "flops": results.flops,
        "read_bytes_per_second": results.memory[0],
        "read_bytes_per_second_four_streams": results.memory[1],
        "mlx": time(results.mlx),
        "steps": steps.collect::<Vec<_>>(),
    })
}
