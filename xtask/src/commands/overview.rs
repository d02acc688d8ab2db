//! `cargo xtask` alone: where the learner is, and one command to go on with.

use std::process::ExitCode;

use crate::day_report;
use crate::manifest::{Manifest, Task};
use crate::state::{Progress, State};
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// The first required task whose last test did not pass.
pub fn next_task<'m>(manifest: &'m Manifest, state: &State) -> Option<&'m Task> {
    manifest.tasks().find(|task| !task.optional && !state.passes(task.id))
}

/// Prints where the learner is.
pub fn run(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let state = State::load(workspace)?;
    let terminal = Terminal::stdout();
    let required = || manifest.tasks().filter(|task| !task.optional);
    let done = required().filter(|task| state.passes(task.id)).count();
    let Some(task) = next_task(&manifest, &state) else {
        println!("All {done} tasks pass.");
        println!("Next: cargo xtask generate --who you --prompt \"What is a KV cache?\"");
        return Ok(ExitCode::SUCCESS);
    };
    let (week, day) = (manifest.week(task.id.week)?, manifest.day(task.id.week, task.id.day)?);
    let heading = format!("Week {} · Day {} · {}", week.number, day.number, day.title);
    println!("{}  {done} of {} tasks pass", terminal.paint(Ink::Strong, &heading), required().count());
    let progress = state.progress(task.id);
    let word = progress.map_or("not tested yet".to_string(), |progress| progress.to_string());
    println!("  task     {} {} ({word}), about {} lines", task.id, task.title, task.lines);
    println!("  file     {}", day_report::place(workspace, &task.path(), &task.item));
    println!("  chapter  book/src/{}#{}", task.chapter, task.anchor);
    let suggestion = match progress {
        Some(Progress::Failing { .. }) => format!("cargo xtask hint {}", task.id),
        _ => format!("cargo xtask test --week {} --day {}", week.number, day.number),
    };
    if let Some(missing) = manifest.missing_before(task.id) {
        let why = format!(
            "What comes before this day is not complete: {missing} come in a later version of the course. The \
             chapter says what the day needs."
        );
        println!("{why}");
    }
    println!("Next: {suggestion}");
    println!("{}", terminal.paint(Ink::Quiet, "All commands: cargo xtask help"));
    Ok(ExitCode::SUCCESS)
}
