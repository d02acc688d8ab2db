//! `cargo xtask grade-tests`: the tests must reject every planted wrong answer, and with `--stubs` every stub.

use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction};

use crate::grade::judge::Judge;
use crate::grade::verdicts::Tally;
use crate::manifest::{Manifest, Task};
use crate::selection::{Selection, day_flag, task_flag, week_flag};
use crate::workspace::Workspace;

const NOTHING_TESTED: u8 = 3;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("grade-tests")
        .about("For authors: proves that the tests reject every planted wrong answer")
        .args([week_flag(), day_flag(), task_flag()])
        .arg(Arg::new("name").long("name").value_name("NAME").help("Only the wrong answers of that name"))
        .arg(
            Arg::new("stubs")
                .long("stubs")
                .action(ArgAction::SetTrue)
                .help("Judge stubs in place of wrong answers: each test fails with its own task's id"),
        )
}

/// The command.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    super::setup::ensure(workspace)?;
    let manifest = Manifest::load(workspace)?;
    let tasks = selected(arguments, &manifest)?;
    let name = arguments.get_one::<String>("name").map(String::as_str);
    let began = Instant::now();
    let mut tally = Tally::default();
    let mut packages: Vec<&str> = tasks.iter().map(|task| task.package.as_str()).collect();
    packages.sort();
    packages.dedup();
    for package in packages {
        let tasks: Vec<&Task> = tasks.iter().copied().filter(|task| task.package == package).collect();
        let judge = Judge::prepare(workspace, &manifest, package, &tasks)?;
        match arguments.get_flag("stubs") {
            true => judge.stubs(&tasks, &mut tally)?,
            false => judge.wrong_answers(&tasks, name, &mut tally)?,
        }
    }
    println!("{} passed, {} failed ({} s)", tally.passed, tally.failed, began.elapsed().as_secs());
    Ok(match (tally.passed, tally.failed) {
        (0, 0) => ExitCode::from(NOTHING_TESTED),
        (_, 0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn selected<'m>(arguments: &clap::ArgMatches, manifest: &'m Manifest) -> anyhow::Result<Vec<&'m Task>> {
    let Some(selection) = Selection::of(arguments, manifest)? else { return Ok(manifest.tasks().collect()) };
    let week = |task: &&Task| task.id.week == selection.week.number;
    let day = |task: &&Task| selection.day.is_none_or(|day| task.id.day == day.number);
    let one = |task: &&Task| selection.task.is_none_or(|one| task.id == one.id);
    Ok(manifest.tasks().filter(week).filter(day).filter(one).collect())
}
