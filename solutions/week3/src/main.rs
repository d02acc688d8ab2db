//! The command line of Week 3's engine.

use kit::front_end::{Load, main_with_drafts};
use solution_week3 as week3; // SOLUTION-ONLY
use std::process::ExitCode;

/// The stages of the engine.
const LOAD: Load = Load::Staged(week3::load, &week3::stage::Stage::NAMES);

fn main() -> ExitCode {
    // STARTER-ONLY: main_with_drafts("you", 3, &LOAD, week3::drafted_engine::load)
    main_with_drafts("ref", 3, &LOAD, week3::drafted_engine::load) // SOLUTION-ONLY
}
