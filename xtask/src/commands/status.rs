//! `cargo xtask status`: the weeks and days of the course with a mark a task, from the last tests.

use std::process::ExitCode;

use clap::ArgMatches;

use crate::chapter_hints::wrapped;
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
    match grid(&manifest, &state, terminal) {
        Some(grid) => print!("{grid}"),
        None => print!("{}", list(&manifest, &state, terminal)),
    }
    let tasks = || manifest.tasks().filter(|task| !task.optional);
    let count =
        |wanted: fn(Progress) -> bool| tasks().filter(|task| state.progress(task.id).is_some_and(wanted)).count();
    let passing = count(|progress| matches!(progress, Progress::Passing { .. }));
    let failing = count(|progress| matches!(progress, Progress::Failing { .. }));
    println!("\n{}", legend(terminal));
    let sum = format!("{passing} of {} tasks pass, {failing} fail, as last tested.", tasks().count());
    println!("{}", wrapped(&sum, terminal.width));
    println!("Next: cargo xtask");
    Ok(ExitCode::SUCCESS)
}

/// A line a week; `None` where the terminal is too narrow for it.
fn grid(manifest: &Manifest, state: &State, terminal: Terminal) -> Option<String> {
    let days = || manifest.weeks.iter().flat_map(|week| &week.days);
    let column = days().map(|day| day.tasks.len()).max().unwrap_or(0).max("Day 1".len()) + 2;
    let most = manifest.weeks.iter().map(|week| week.days.len()).max().unwrap_or(0);
    if 8 + most * column > terminal.width {
        return None;
    }
    let heading: String = (1..=most).map(|day| format!("{:column$}", format!("Day {day}"))).collect();
    let mut text = format!("{:8}{}\n", "", heading.trim_end());
    for week in &manifest.weeks {
        let cells: String = week.days.iter().map(|day| cell(day, state, terminal, column)).collect();
        let cells = if week.later { terminal.paint(Ink::Quiet, LATER) } else { cells.trim_end().to_string() };
        text += &format!("Week {}  {cells}\n", week.number);
    }
    Some(text)
}

const LATER: &str = "not written yet";

/// A line a day.
fn list(manifest: &Manifest, state: &State, terminal: Terminal) -> String {
    let mut text = String::new();
    for week in &manifest.weeks {
        let later = if week.later { terminal.paint(Ink::Quiet, &format!("  {LATER}")) } else { String::new() };
        text += &format!("{}{later}\n", terminal.paint(Ink::Strong, &format!("Week {}", week.number)));
        for day in week.days.iter().filter(|_| !week.later) {
            let marks = cell(day, state, terminal, 0);
            text += &format!("  Day {}  {}\n", day.number, marks.trim_end());
        }
    }
    text
}

/// What the marks mean, in as many lines as it takes.
fn legend(terminal: Terminal) -> String {
    let mut lines = vec![String::new()];
    for mark in ["● passing", "◐ failing", "◔ begun", "○ not started", "– later", "(brackets: optional)"] {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(mark),
            Some(line) if line.chars().count() + 2 + mark.chars().count() <= terminal.width => {
                *line += &format!("  {mark}")
            }
            _ => lines.push(mark.to_string()),
        }
    }
    lines.join("\n")
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
