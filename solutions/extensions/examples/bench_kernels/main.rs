//! What `cargo xtask bench kernels` runs: every step of every kernel's ladder beside MLX's own operator.
//!
//! All forms of a kernel take turns, seven rounds after one to warm up; a row is the median. Memory is read in the same
//! rounds, and every form's values are compared with MLX's before it is timed.
extern crate solution_extensions as extensions; // SOLUTION-ONLY

mod arguments;
mod cases;
mod ladder;
mod lookups;
mod measure;
mod memory;
mod pages;
mod table;
mod updates;
mod weights;

use std::process::ExitCode;

use arguments::Arguments;
use extensions::tuning;
use kit::{Error, Result};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::of(std::env::args().skip(1))?;
    let (threads, instructions) = (tuning::threads()?, tuning::instructions()?);
    println!("{threads} threads, {instructions:?}; medians of {} rounds, all forms in turns", measure::ROUNDS);
    let mut measured = Vec::new();
    cases::each(&arguments.name, &mut |case| {
        let results = measure::measure(case, arguments.version, threads)?;
        table::print(&results);
        measured.push(results);
        Ok(())
    })?;
    if measured.is_empty() {
        let names = cases::NAMES.join(", ");
        return Err(Error::Other(format!("no kernel has `{}` in its name: {names}", arguments.name)));
    }
    table::keep(&arguments, threads, &measured)
}
