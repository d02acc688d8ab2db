//! `cargo xtask bench kernels`: builds the kernels with optimisation and measures every step of their ladders beside
//! MLX's own operators (`examples/bench_kernels` of the package).

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::{LEDGER, commit};
use crate::advice;
use crate::cargo_test;
use crate::commands::{program, setup};
use crate::workspace::Workspace;

/// The program that measures, an example of both packages.
const PROGRAM: &str = "bench_kernels";

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("kernels")
        .about("Measures the steps of your kernels' ladders, or the reference's, beside MLX's own operators")
        .arg(Arg::new("name").value_name("NAME").help("A part of a kernel's name, such as matvec [default: all]"))
        .arg(
            Arg::new("who")
                .long("who")
                .value_name("WHO")
                .default_value("you")
                .value_parser(["you", "ref"])
                .help("Whose kernels: those of extensions/ or of solutions/extensions/"),
        )
        .arg(
            Arg::new("version")
                .long("version")
                .value_name("N")
                .value_parser(value_parser!(u8).range(1..=9))
                .help("One step of the ladders alone; 1 is the naive form"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("The line of the ledger on stdout, too"))
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let who = arguments.get_one::<String>("who").context("it has a default")?;
    let package = if who == "you" { "extensions" } else { "solution-extensions" };
    setup::ensure(workspace)?;
    let build = ["build", "--release", "-p", package, "--example", PROGRAM].map(str::to_string);
    if let Err(stopped) = cargo_test::build(workspace, &build)? {
        return Ok(advice::explain(&stopped, "cargo xtask bench kernels").into());
    }
    // Both packages have an example of this name: Cargo, which knows what it built last, puts the right one in its place.
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.root().join("target"), PathBuf::from);
    let mut measure = Command::new(target.join("release/examples").join(PROGRAM));
    measure.args(["--who", who]).arg("--ledger").arg(workspace.root().join(LEDGER));
    measure.args(arguments.get_one::<String>("name"));
    if let Some(version) = arguments.get_one::<u8>("version") {
        measure.args(["--version", &version.to_string()]);
    }
    if arguments.get_flag("json") {
        measure.arg("--json");
    }
    if let Some(commit) = commit(workspace) {
        measure.args(["--commit", &commit]);
    }
    program::replace_with(measure)
}
