//! Building one of the course's programs and becoming it.

use std::process::{Command, ExitCode};

use super::setup;
use crate::advice;
use crate::cargo_test;
use crate::workspace::Workspace;

/// A program of the course.
pub struct Program<'a> {
    /// The package that it is of.
    package: &'a str,
    /// What Cargo is to be told about the package's features.
    pub features: Vec<String>,
}

impl<'a> Program<'a> {
    /// That of a package with its own features.
    pub fn of(package: &'a str) -> Self {
        Self { package, features: Vec::new() }
    }

    /// Sets MLX up where it is missing, builds the program and goes on as it. `command` is what the advice after a failed
    /// build names.
    pub fn run(self, workspace: &Workspace, arguments: &[String], command: &str) -> anyhow::Result<ExitCode> {
        setup::ensure(workspace)?;
        let mut build = ["build", "-p", self.package].map(str::to_string).to_vec();
        build.extend(self.features.clone());
        if let Err(stopped) = cargo_test::build(workspace, &build)? {
            return Ok(advice::explain(&stopped, &format!("cargo xtask {command}")).into());
        }
        let mut program = workspace.cargo();
        program.args(["run", "--quiet", "-p", self.package]).args(&self.features).arg("--").args(arguments);
        // Paths among the arguments are meant from where the learner is; Cargo finds its settings there too.
        if let Ok(here) = std::env::current_dir()
            && here.starts_with(workspace.root())
        {
            program.current_dir(here);
        }
        replace_with(program)
    }
}

/// Becomes the program, so that an interrupt reaches it and its exit code is ours.
#[cfg(unix)]
pub fn replace_with(mut program: Command) -> anyhow::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(anyhow::Error::new(program.exec()).context("cannot run cargo"))
}

/// Waits for the program; its exit code is ours.
#[cfg(not(unix))]
pub fn replace_with(mut program: Command) -> anyhow::Result<ExitCode> {
    let code = program.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
