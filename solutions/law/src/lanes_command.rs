//! `law parity` and `law bench`: the host against the device, in numbers and in time.

use std::io::Write;

use clap::Args;
use solution_law::{bench, parity};

use crate::Stopped;

/// Compares the laws of host and device on random rows; exit code 1 when they differ by more than is promised
#[derive(Args)]
pub struct Parity {
    /// Random rows, a multiple of 20, at most 1000000; each is tried under 20 settings
    #[arg(long, default_value_t = 4000)]
    rows: usize,
}

/// Times a row on the host and a batch on the device, at the vocabulary of Qwen3
#[derive(Args)]
pub struct Bench {
    /// How often each is measured, 5 to 10000 times
    #[arg(long, default_value_t = 7)]
    trials: usize,
}

pub fn run_parity(arguments: &Parity) -> Result<u8, Stopped> {
    let table = parity::run(arguments.rows)?;
    write!(std::io::stdout().lock(), "{table}")?;
    Ok(u8::from(!table.holds()))
}

pub fn run_bench(arguments: &Bench) -> Result<u8, Stopped> {
    let measured = bench::run(arguments.trials)?;
    write!(std::io::stdout().lock(), "{measured}")?;
    Ok(0)
}
