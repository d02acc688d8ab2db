//! `cargo xtask hint`: the next of a task's graded hints, from the text of its chapter.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Arg, ArgAction, ArgMatches};

use super::overview;
use crate::chapter_hints;
use crate::manifest::Manifest;
use crate::state::State;
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("hint")
        .about("Shows the next hint of a task; without an id, of the task you are at")
        .arg(Arg::new("task").value_name("ID").help("The task, such as 1.7.2"))
        .arg(Arg::new("all").long("all").action(ArgAction::SetTrue).help("Show every hint of the task"))
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let mut state = State::load(workspace)?;
    let task = match arguments.get_one::<String>("task") {
        Some(id) => manifest.task(id)?,
        None => overview::next_task(&manifest, &state)
            .context("every task passes; name one, such as: cargo xtask hint 1.1.1")?,
    };
    let chapter = format!("book/src/{}", task.chapter);
    let text = fs::read_to_string(workspace.root().join(&chapter))
        .with_context(|| format!("the chapter {chapter} cannot be read; restore it with git"))?;
    let hints = chapter_hints::of_task(&text, task.id);
    ensure!(!hints.is_empty(), "{chapter} has no hints for task {}; read its section instead", task.id);
    let terminal = Terminal::stdout();
    let all = arguments.get_flag("all");
    let number = (state.hints_shown(task.id) + 1).min(hints.len());
    println!("{}", terminal.paint(Ink::Strong, &format!("{} {}", task.id, task.title)));
    let first = if all { 0 } else { number - 1 };
    let last = if all { hints.len() } else { number };
    for hint in &hints[first..last] {
        println!("{}", terminal.paint(Ink::Open, &hint.summary));
        // A name in a formula, $H_q$, is a name without its marks too.
        println!("{}\n", chapter_hints::wrapped(&hint.text.replace('$', ""), terminal.width));
    }
    state.set_hints_shown(task.id, last);
    state.save()?;
    match hints.len() - last {
        0 => {
            let section = format!("{chapter}#{}", task.anchor);
            let section = terminal.chapter(workspace.root(), &task.chapter, &task.anchor, &section);
            println!("That was the last of {} hints. The chapter: {section}", hints.len());
            println!("The answer, if you want it: cargo xtask solution {} --spoil", task.id);
        }
        more => println!("{more} more, the same command again: cargo xtask hint {}", task.id),
    }
    Ok(ExitCode::SUCCESS)
}
