//! The command line of Week 2's engine.

use solution_week2 as week2; // SOLUTION-ONLY
use std::process::ExitCode;

fn main() -> ExitCode {
    // STARTER-ONLY: kit::front_end::main_by_stage("you", 2, week2::load, &week2::rung::Rung::NAMES)
    kit::front_end::main_by_stage("ref", 2, week2::load, &week2::rung::Rung::NAMES) // SOLUTION-ONLY
}
