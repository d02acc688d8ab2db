//! `cargo xtask build-ext-test`: runs axpby from Rust, through C++, on MLX, and says whether it is right.

use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Arg, ArgAction};

use super::doctor::build_tools;
use super::setup;
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("build-ext-test")
        .about("Runs axpby of extensions/ and compares it with MLX's own operations")
        .arg(
            Arg::new("reference")
                .long("reference")
                .action(ArgAction::SetTrue)
                .help("Runs the one of solutions/extensions in place of yours"),
        )
}

/// The command. Exit code 1 when the kernel does not compile or gives a wrong answer.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let package = if arguments.get_flag("reference") { "solution-extensions" } else { "extensions" };
    let compiler = build_tools::cxx();
    ensure!(compiler.fine, "{}; {}", compiler.found, compiler.fix);
    setup::ensure(workspace)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", package, "--example", "build_ext_test"]);
    let status = cargo.status().context("cargo does not run; install Rust: https://rustup.rs")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
