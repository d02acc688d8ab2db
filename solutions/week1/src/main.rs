//! The command line of Week 1's engine.

use solution_week1 as week1; // SOLUTION-ONLY
use std::process::ExitCode;

fn main() -> ExitCode {
    // STARTER-ONLY: kit::front_end::main("you", 1, week1::load)
    kit::front_end::main("ref", 1, week1::load) // SOLUTION-ONLY
}
