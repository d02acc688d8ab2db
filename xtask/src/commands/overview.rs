//! `cargo xtask` alone: where the learner is, and one command to go on with.

use std::process::ExitCode;

use crate::chapter_hints::wrapped;
use crate::day_report;
use crate::manifest::{Manifest, Task};
use crate::state::{Progress, State};
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// The first required task whose last test did not pass.
pub fn next_task<'m>(manifest: &'m Manifest, state: &State) -> Option<&'m Task> {
    manifest.tasks().find(|task| !task.optional && !state.passes(task.id))
}

/// What a learner who is sent to `task` must know when days before it are not written yet.
pub fn gap_before(manifest: &Manifest, task: &Task) -> Option<String> {
    let missing = manifest.missing_before(task.id)?;
    Some(format!(
        "What comes before this day is not complete: {missing} come in a later version of the course. The chapter says \
         what the day needs."
    ))
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
    let count = format!("{done} of {} tasks pass", required().count());
    let fits = heading.chars().count() + 2 + count.len() <= terminal.width;
    println!("{}{}{count}", terminal.paint(Ink::Strong, &heading), if fits { "  " } else { "\n  " });
    let progress = state.progress(task.id);
    let word = progress.map_or("not tested yet".to_string(), |progress| progress.to_string());
    let about = format!("{} {} ({word}), about {} lines", task.id, task.title, task.lines);
    let place = day_report::place(workspace, &task.path(), &task.item);
    let (root, source) = (workspace.root(), format!("book/src/{}", task.chapter));
    let section = format!("{source}#{}", task.anchor);
    let section = if LABEL + section.len() <= terminal.width { section } else { source };
    fact("task", &about, &about, terminal);
    fact("file", &place, &terminal.place(root, &place), terminal);
    fact("chapter", &section, &terminal.chapter(root, &task.chapter, &task.anchor, &section), terminal);
    let suggestion = match progress {
        Some(Progress::Failing { .. }) => format!("cargo xtask hint {}", task.id),
        _ => format!("cargo xtask test --week {} --day {}", week.number, day.number),
    };
    if let Some(why) = gap_before(&manifest, task) {
        println!("{}", wrapped(&why, terminal.width));
    }
    println!("Next: {suggestion}");
    println!("{}", terminal.paint(Ink::Quiet, "All commands: cargo xtask help"));
    Ok(ExitCode::SUCCESS)
}

/// Columns of a fact's name with the space around it.
const LABEL: usize = 11;

/// One fact in a line, or below its name where the terminal is narrow; `shown` is the text with its link.
fn fact(name: &str, text: &str, shown: &str, terminal: Terminal) {
    match LABEL + text.chars().count() <= terminal.width {
        true => println!("  {name:8} {shown}"),
        // A path stays in one piece, and words are folded.
        false if text.contains(' ') => {
            println!("  {name}\n    {}", wrapped(text, terminal.width - 4).replace('\n', "\n    "));
        }
        false => println!("  {name}\n    {shown}"),
    }
}
