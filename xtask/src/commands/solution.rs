//! `cargo xtask solution` and `cargo xtask diff`: the reference's functions of a task, alone or against the learner's.

use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches};

use crate::chapter_hints::wrapped;
use crate::manifest::{Manifest, Task, TaskId};
use crate::state::{Progress, State};
use crate::task_code::{self, Function, Passage};
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// Name, arguments and help of `solution`.
pub fn spec() -> clap::Command {
    about_a_task("solution").about("Shows how the reference solves a task, once yours passes")
}

/// Name, arguments and help of `diff`.
pub fn diff_spec() -> clap::Command {
    about_a_task("diff").about("Compares your functions of a task with the reference's, once yours pass")
}

fn about_a_task(name: &'static str) -> clap::Command {
    clap::Command::new(name)
        .arg(Arg::new("task").value_name("ID").required(true).help("The task, such as 1.7.2"))
        .arg(Arg::new("spoil").long("spoil").action(ArgAction::SetTrue).help("Show it before the task passes"))
}

/// `solution`
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    show("solution", arguments, workspace, |functions, id, terminal| {
        functions.iter().for_each(|function| print_reference(function, workspace, terminal));
        match functions.iter().all(|function| function.is_stub) {
            true => println!("Your turn: cargo xtask hint {id}"),
            false => println!("Beside yours: cargo xtask diff {id}"),
        }
    })
}

/// `diff`
pub fn run_diff(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    show("diff", arguments, workspace, |functions, id, terminal| {
        functions.iter().for_each(|function| print_difference(function, workspace, terminal));
        println!("The reference alone: cargo xtask solution {id}");
    })
}

/// Finds the functions of the task and prints them, unless the task has to pass first; then one sentence says so.
fn show(
    command: &str,
    arguments: &ArgMatches,
    workspace: &Workspace,
    print: impl FnOnce(&[Function], TaskId, Terminal),
) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let state = State::load(workspace)?;
    let id = arguments.get_one::<String>("task").context("a task is required")?;
    let task = manifest.task(id)?;
    if !state.passes(task.id) && !arguments.get_flag("spoil") {
        eprintln!("{}", first_pass(command, task, &state, Terminal::stderr().width));
        return Ok(ExitCode::FAILURE);
    }
    let terminal = Terminal::stdout();
    println!("{}\n", terminal.paint(Ink::Strong, &format!("{} {}", task.id, task.title)));
    print(&task_code::of_task(workspace, task)?, task.id, terminal);
    Ok(ExitCode::SUCCESS)
}

/// Sentences are folded, commands never.
fn first_pass(command: &str, task: &Task, state: &State, width: usize) -> String {
    let TaskId { week, day, task: number } = task.id;
    let so_far = match state.progress(task.id) {
        None | Some(Progress::Untested) => "was never tested".to_string(),
        Some(progress) => format!("does not pass yet ({progress})"),
    };
    let sentence = wrapped(&format!("{} {so_far}; first:", task.id), width);
    format!(
        "{sentence}\n  cargo xtask test --week {week} --day {day} --task {number}\nor see it all the same:\n  \
         cargo xtask {command} {} --spoil",
        task.id
    )
}

fn print_reference(function: &Function, workspace: &Workspace, terminal: Terminal) {
    let Passage { place, text } = &function.reference;
    println!("{}", terminal.paint(Ink::Quiet, &terminal.place(workspace.root(), place)));
    for line in text.lines() {
        match line.trim_start().starts_with("//") {
            true => println!("{}", terminal.paint(Ink::Quiet, line)),
            false => println!("{line}"),
        }
    }
    println!();
}

fn print_difference(function: &Function, workspace: &Workspace, terminal: Terminal) {
    let Function { item, reference, file, is_stub, .. } = function;
    let linked = |passage: &Passage| terminal.place(workspace.root(), &passage.place);
    match &function.yours {
        Some(yours) if *is_stub => println!("`{item}` is still the stub at {}.", linked(yours)),
        None if *is_stub => println!("`{item}` is still to be written in {file}."),
        None => println!("`{item}` is not in {file}, or a brace is open there."),
        Some(yours) if yours.text == reference.text => println!("`{item}` is the same, letter by letter."),
        Some(yours) => {
            println!("{}", terminal.paint(Ink::Bad, &format!("--- {} (yours)", linked(yours))));
            println!("{}", terminal.paint(Ink::Good, &format!("+++ {} (reference)", linked(reference))));
            for line in diff::lines(&yours.text, &reference.text) {
                match line {
                    diff::Result::Left(line) => println!("{}", terminal.paint(Ink::Bad, &format!("-{line}"))),
                    diff::Result::Right(line) => println!("{}", terminal.paint(Ink::Good, &format!("+{line}"))),
                    diff::Result::Both("", _) => println!(),
                    diff::Result::Both(line, _) => println!(" {line}"),
                }
            }
            println!();
        }
    }
}
