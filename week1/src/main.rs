//! The command line of Week 1's engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::front_end::main("you", 1, week1::load)
}
