//! The command line of Week 3's engine.

use solution_week3 as week3; // SOLUTION-ONLY
use std::process::ExitCode;

fn main() -> ExitCode {
    // STARTER-ONLY: kit::front_end::main_by_stage("you", 3, week3::load, &week3::stage::Stage::NAMES)
    kit::front_end::main_by_stage("ref", 3, week3::load, &week3::stage::Stage::NAMES) // SOLUTION-ONLY
}
