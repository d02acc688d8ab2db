//! `cargo xtask reset`: the functions of a day or a task become stubs again, after a backup and a question.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Arg, ArgAction, ArgMatches};

use crate::advice;
use crate::backup::Backup;
use crate::interrupt;
use crate::manifest::{Manifest, Task};
use crate::selection::{self, Selection};
use crate::starter;
use crate::state::{State, write_whole};
use crate::stub_restore::{Restored, restore};
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("reset")
        .about("Puts the stubs of a day or a task back in place of your functions; backs them up first")
        .args([selection::week_flag(), selection::day_flag(), selection::task_flag()])
        .arg(Arg::new("yes").long("yes").action(ArgAction::SetTrue).help("Do not ask"))
}

/// The command. The order of its steps: show, ask, back up every file, write every file, forget the results.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let Some(Selection { week, day: Some(day), task: only }) = Selection::of(arguments, &manifest)? else {
        bail!("say which day, such as: cargo xtask reset --week 1 --day 1");
    };
    let again = advice::test_command(week, day, only, false);
    let tasks: Vec<&Task> = only.map_or_else(|| day.tasks.iter().collect(), |task| vec![task]);
    let changes = changes(workspace, &manifest, &tasks)?;
    if changes.is_empty() {
        println!("There is nothing to reset: each of these functions is the stub that the course gives.");
        println!("Next: {again}");
        return Ok(ExitCode::SUCCESS);
    }
    show(&changes, workspace);
    if !arguments.get_flag("yes") && !agreed()? {
        println!("Nothing was changed.");
        return Ok(ExitCode::SUCCESS);
    }
    let backup = Backup::new(workspace);
    for change in &changes {
        if let Ok(present) = fs::read(workspace.root().join(&change.path)) {
            println!("Kept: {}", backup.keep(&change.path, &present)?);
        }
    }
    for change in &changes {
        write_whole(&workspace.root().join(&change.path), change.text.as_bytes())?;
    }
    let mut state = State::load(workspace)?;
    for task in tasks {
        state.forget_progress(task.id);
        state.set_hints_shown(task.id, 0);
    }
    state.save()?;
    if changes.iter().any(|change| change.own_imports) {
        println!("Imports of yours at the top of these files stay; rustc says which of them nothing uses now.");
    }
    println!("The stubs are back. Next: {again}");
    Ok(ExitCode::SUCCESS)
}

/// What changes in the learner's files; nothing is written.
fn changes(workspace: &Workspace, manifest: &Manifest, tasks: &[&Task]) -> anyhow::Result<Vec<Restored>> {
    let packages: BTreeSet<&str> = tasks.iter().map(|task| task.package.as_str()).collect();
    let mut changes = Vec::new();
    for package in packages {
        let starter = starter::generate(workspace, manifest, package)?;
        for (path, owners) in &starter.tasks {
            if !tasks.iter().any(|task| owners.contains(&task.id)) {
                continue;
            }
            let given = String::from_utf8_lossy(&starter.files[path]).into_owned();
            let learners = match fs::read(workspace.root().join(path)) {
                Ok(bytes) => Some(String::from_utf8(bytes).with_context(|| not_text(path))?),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(error).context(format!("cannot read {path}")),
            };
            let others = owners.iter().any(|owner| !tasks.iter().any(|task| task.id == *owner));
            changes.extend(restore(path, &given, learners.as_deref(), tasks, others)?);
        }
    }
    Ok(changes)
}

fn not_text(path: &str) -> String {
    format!("nothing was reset, because {path} is not UTF-8 text; save it as that, or take it back: git restore {path}")
}

fn show(changes: &[Restored], workspace: &Workspace) {
    let terminal = Terminal::stdout();
    println!("{}", terminal.paint(Ink::Strong, "What goes:"));
    for lost in changes.iter().flat_map(|change| &change.lost) {
        let place = terminal.place(workspace.root(), &lost.place);
        let lines = format!("{} {}", lost.lines, if lost.lines == 1 { "line" } else { "lines" });
        match lost.task {
            Some(task) => println!("  {task} {}, {lines}  {}", lost.what, terminal.paint(Ink::Quiet, &place)),
            None => println!("  {place} {}: the whole file goes back, {lines}", lost.what),
        }
    }
    println!("Everything else in these files stays.");
}

/// Asks on the terminal; where nobody can answer, that is an error.
fn agreed() -> anyhow::Result<bool> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("nothing was reset, because nobody can be asked here; to reset without a question, add --yes");
    }
    let _message = interrupt::say("Nothing was changed.");
    print!("Put the stubs back? A backup is kept. [y/N] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).context("the answer cannot be read")?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}
