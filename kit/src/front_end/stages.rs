//! What to say when an engine of several stages meets a task that is still to do: in goes that task, out comes one line
//! with the first task that is missing and the highest stage that works.

use std::{ops::ControlFlow, path::Path};

use super::{Load, Program, course};
use crate::{Checkpoint, Request, Result, Sampling, models::Model};

/// Many rows, so that products of a prompt take the way that they take in long ones.
const PROMPT: [u32; 64] = [7; 64];

/// One line; `stub` is the task that stopped the engine, its function and its place.
pub(super) fn not_started(program: Program<'_>, stub: [&str; 3]) -> String {
    let [task, item, at] = stub;
    let first = match (program.who, program.load) {
        // What stops an engine of stages is not what comes first in the course: layers ask for their kernels last.
        ("you", Load::Staged(..) | Load::Drafted(Load::Staged(..), _)) => {
            course::first_stub(task, Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")))
        }
        _ => None,
    };
    let line = match &first {
        Some([task, item, at]) => course::not_started(task, item, at),
        None => course::not_started(task, item, at),
    };
    match highest_that_works(program.load) {
        Some(stage) => format!("{line}. Until then, this works: --checkpoint {stage}"),
        None => line,
    }
}

fn highest_that_works(load: Load) -> Option<&'static str> {
    let stages = if let Load::Drafted(stages, _) = load { *stages } else { load };
    let Load::Staged(_, names) = stages else { return None };
    names.iter().rev().copied().find(|stage| attempt(load, stage).is_ok())
}

/// Some tokens of the embedded model.
fn attempt(load: Load, stage: &str) -> Result<()> {
    let checkpoint = Checkpoint::open(Model::named("tiny")?.folder()?)?;
    let engine = load.engine(&checkpoint, Some(stage))?;
    let request = Request { prompt: PROMPT.to_vec(), max_tokens: 3, eos: Vec::new(), sampling: Sampling::GREEDY };
    engine.generate(&request, &mut |_| ControlFlow::Continue(())).map(|_| ())
}
