//! Runs the cases of every function and prints a line for each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use kit::{Error, Result};

use crate::inputs::Inputs;
use crate::parity::{Function, Worst, compare};

/// What the cases of a function said together.
enum Verdict {
    Equal(Worst),
    /// The case, its inputs, and what is different.
    Differs(u32, String, String),
    /// The stub that answered: its task and place.
    Stub(String, String),
}

/// Prints the table; the exit code says whether anything differs.
pub fn run(day: &str, functions: &[Function], cases: u32, seed: u64) -> ExitCode {
    println!("{day} · parity with the reference, up to {cases} cases a function, seed {seed}");
    // One line says it; the frames are those of this program.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let widest = functions.iter().map(|function| function.name.chars().count()).max().unwrap_or(0);
    let (mut equal, mut different, mut open) = (0, 0, 0);
    for (index, function) in functions.iter().enumerate() {
        let label = format!("  {} {:widest$} ", function.task, function.name);
        match judge(index, function, cases, seed) {
            Ok(Verdict::Equal(worst)) => {
                equal += 1;
                println!("{label} equal        worst error {}", measured(worst));
            }
            Ok(Verdict::Differs(case, inputs, what)) => {
                different += 1;
                println!("{label} DIFFERS      in case {case}\n        {inputs}\n        {what}");
            }
            Ok(Verdict::Stub(task, at)) => {
                open += 1;
                match task == function.task {
                    true => println!("{label} not started  {at}"),
                    false => println!("{label} blocked by {task}"),
                }
            }
            Err(error) => {
                eprintln!("{} {} cannot be compared: {error}", function.task, function.name);
                return ExitCode::from(2);
            }
        }
    }
    println!("{equal} equal, {different} different, {open} not started");
    match (equal, different) {
        (_, 1..) => {
            println!("The same inputs again: the same command with --seed {seed}");
            ExitCode::FAILURE
        }
        (0, 0) => {
            println!("There is nothing to compare yet. Next: cargo xtask");
            ExitCode::from(3)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn judge(index: usize, function: &Function, cases: u32, seed: u64) -> Result<Verdict> {
    let mut worst = Worst::default();
    for number in 1..=cases.min(function.most) {
        let mut inputs = Inputs::new(seed, index, number);
        let case = catch_unwind(AssertUnwindSafe(|| (function.case)(&mut inputs)));
        let compared = match case {
            Ok(case) => case.and_then(|case| compare(&case)),
            Err(_) => Ok(Err("yours panics; the message is above".to_string())),
        };
        match compared {
            Ok(Ok(found)) if found.is_difference() => {
                return Ok(Verdict::Differs(number, inputs.words(), format!("error {}", measured(found))));
            }
            Ok(Ok(found)) => worst = worst.or(found),
            Ok(Err(what)) => return Ok(Verdict::Differs(number, inputs.words(), what)),
            Err(Error::NotImplemented { task, at, .. }) => return Ok(Verdict::Stub(task, at)),
            Err(error) => return Err(error),
        }
    }
    Ok(Verdict::Equal(worst))
}

fn measured(worst: Worst) -> String {
    match (worst.error, worst.bound) {
        (0.0, 0.0) => "0, none allowed".to_string(),
        (0.0, bound) => format!("0, allowed {bound:.1e}"),
        (error, 0.0) => format!("{error:.1e}, none allowed"),
        (error, bound) => format!("{error:.1e}, allowed {bound:.1e}"),
    }
}
