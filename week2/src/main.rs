//! The command line of Week 2's engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::front_end::main_by_stage("you", 2, week2::load, &week2::rung::Rung::NAMES)
}
