//! `cargo xtask check`: the parity part of a day alone, by a program that links the learner's week and the reference.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Arg, ArgMatches, value_parser};

use super::program::Program;
use crate::manifest::Manifest;
use crate::selection::{self, Selection};
use crate::workspace::Workspace;

/// The program's package.
const PROGRAM: &str = "solution-check";

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("check")
        .about("Compares your functions of a day with the reference on fresh random inputs")
        .args([selection::week_flag(), selection::day_flag(), selection::task_flag()])
        .arg(
            Arg::new("cases")
                .long("cases")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=100_000))
                .default_value("32")
                .help("Inputs a function, from 1 to 100000"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("S")
                .value_parser(value_parser!(u64))
                .help("The same seed draws the same inputs; without it, new ones each time"),
        )
        .after_help("Exit codes: 0 no difference, 1 a difference, 2 wrong usage or environment, 3 nothing but stubs.")
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let Some(Selection { week, day: Some(day), task }) = Selection::of(arguments, &manifest)? else {
        bail!("say which day, such as: cargo xtask check --week 1 --day 1");
    };
    let mut again = format!("check --week {} --day {}", week.number, day.number);
    let mut flags = vec!["--week".to_string(), week.number.to_string(), "--day".to_string(), day.number.to_string()];
    if let Some(task) = task {
        flags.extend(["--task".to_string(), task.id.task.to_string()]);
        again += &format!(" --task {}", task.id.task);
    }
    let cases = arguments.get_one::<u32>("cases").copied().unwrap_or(32);
    flags.extend(["--cases".to_string(), cases.to_string()]);
    if let Some(seed) = arguments.get_one::<u64>("seed") {
        flags.extend(["--seed".to_string(), seed.to_string()]);
    }
    Program::of(PROGRAM).run(workspace, &flags, &again)
}
