//! `cargo xtask status`: the weeks and days of the course with a mark a task, from the last tests.

use std::process::ExitCode;

use clap::ArgMatches;

use crate::manifest::{Day, Manifest, Task};
use crate::state::{Progress, State};
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// Name and help.
pub fn spec() -> clap::Command {
    clap::Command::new("status").about("Shows every week and day with a mark a task")
}

/// The command.
pub fn run(_arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let state = State::load(workspace)?;
    let terminal = Terminal::stdout();
    let days = || manifest.weeks.iter().flat_map(|week| &week.days);
    let column = days().map(|day| day.tasks.len()).max().unwrap_or(0).max("Day 1".len()) + 2;
    let most = manifest.weeks.iter().map(|week| week.days.len()).max().unwrap_or(0);
    let heading: String = (1..=most).map(|day| format!("{:column$}", format!("Day {day}"))).collect();
    println!("{:8}{}", "", heading.trim_end());
    for week in &manifest.weeks {
        if week.later {
            println!("Week {}  {}", week.number, terminal.paint(Ink::Quiet, "not written yet"));
            continue;
        }
        let cells: String = week.days.iter().map(|day| cell(day, &state, terminal, column)).collect();
        println!("Week {}  {}", week.number, cells.trim_end());
    }
    let tasks = || manifest.tasks().filter(|task| !task.optional);
    let count =
        |wanted: fn(Progress) -> bool| tasks().filter(|task| state.progress(task.id).is_some_and(wanted)).count();
    let passing = count(|progress| matches!(progress, Progress::Passing { .. }));
    let failing = count(|progress| matches!(progress, Progress::Failing { .. }));
    println!("\n● passing  ◐ failing  ◔ begun  ○ not started  – later  (brackets: optional)");
    println!("{passing} of {} tasks pass, {failing} fail, as last tested.", tasks().count());
    println!("Next: cargo xtask");
    Ok(ExitCode::SUCCESS)
}

/// A mark a task, padded to the column.
fn cell(day: &Day, state: &State, terminal: Terminal, column: usize) -> String {
    if day.later {
        return format!("{}{}", terminal.paint(Ink::Quiet, "–"), " ".repeat(column.saturating_sub(1).max(1)));
    }
    let mut width = 0;
    let marks: String = day
        .tasks
        .iter()
        .map(|task: &Task| {
            let (mark, ink) = match state.progress(task.id) {
                Some(Progress::Passing { .. }) => ("●", Ink::Good),
                Some(Progress::Failing { .. }) => ("◐", Ink::Bad),
                Some(progress) if progress.is_begun() => ("◔", Ink::Open),
                _ => ("○", Ink::Quiet),
            };
            let mark = terminal.paint(ink, mark);
            width += if task.optional { 3 } else { 1 };
            if task.optional { format!("({mark})") } else { mark }
        })
        .collect();
    format!("{marks}{}", " ".repeat(column.saturating_sub(width).max(1)))
}
