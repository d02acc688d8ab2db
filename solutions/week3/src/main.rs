//! The command line of Week 3's engine.

use solution_week3 as week3; // SOLUTION-ONLY
use std::process::ExitCode;

fn main() -> ExitCode {
    // STARTER-ONLY: kit::front_end::main("you", 3, week3::load)
    kit::front_end::main("ref", 3, week3::load) // SOLUTION-ONLY
}
