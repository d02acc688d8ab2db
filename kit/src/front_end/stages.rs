//! What to say when an engine of several stages meets a task that is still to do: in goes that task, out comes one line
//! with the first task that is missing and the highest stage that works.

use std::ops::ControlFlow;

use super::{Load, course};
use crate::{Checkpoint, Error, Request, Result, Sampling, models::Model};

/// More rows than a tile has, so that products of a prompt take every way that they can take.
const PROMPT: [u32; 20] = [7; 20];

/// One line; `stub` is the task that stopped the engine, its function and its place.
pub(super) fn not_started(load: Load, stub: [&str; 3]) -> String {
    let mut first = stub.map(str::to_string);
    let mut works = None;
    if let Load::Staged(_, names) = load {
        for &stage in names.iter().rev() {
            match attempt(load, stage) {
                Ok(()) => {
                    works = Some(stage);
                    break;
                }
                Err(Error::NotImplemented { task, item, at }) if number(&task) < number(&first[0]) => {
                    first = [task, item, at];
                }
                // A stage that fails otherwise is no help, and not what was asked for.
                Err(_) => {}
            }
        }
    }
    let [task, item, at] = &first;
    let line = course::not_started(task, item, at);
    works.map_or(line.clone(), |stage| format!("{line}. Until then, this works: --checkpoint {stage}"))
}

/// Some tokens of the embedded model.
fn attempt(load: Load, stage: &str) -> Result<()> {
    let checkpoint = Checkpoint::open(Model::named("tiny")?.folder()?)?;
    let engine = load.engine(&checkpoint, Some(stage))?;
    let request = Request { prompt: PROMPT.to_vec(), max_tokens: 3, eos: Vec::new(), sampling: Sampling::GREEDY };
    engine.generate(&request, &mut |_| ControlFlow::Continue(())).map(|_| ())
}

/// `2.10.1` comes after `2.9.3`.
fn number(task: &str) -> Vec<u32> {
    task.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}
