//! The command line of Week 3's engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::front_end::main_by_stage("you", 3, week3::load, &week3::stage::Stage::NAMES)
}
