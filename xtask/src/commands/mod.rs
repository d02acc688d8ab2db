//! One module a command: its clap definition and what it does.

use std::process::ExitCode;

use crate::workspace::Workspace;

mod copy_test;
mod generate;
mod grade_tests;
mod hint;
mod overview;
pub mod setup;
mod status;
mod sync;
mod test;
mod update;

pub use overview::run as overview;

/// A subcommand of `cargo xtask`.
pub struct Command {
    /// Name, arguments and help.
    pub spec: fn() -> clap::Command,
    /// Runs it; an error ends with exit code 2.
    pub run: fn(&clap::ArgMatches, &Workspace) -> anyhow::Result<ExitCode>,
}

/// In the order of the help text.
pub fn all() -> Vec<Command> {
    vec![
        Command { spec: setup::spec, run: setup::run },
        Command { spec: test::spec, run: test::run },
        Command { spec: copy_test::spec, run: copy_test::run },
        Command { spec: hint::spec, run: hint::run },
        Command { spec: status::spec, run: status::run },
        Command { spec: generate::spec, run: generate::run },
        Command { spec: generate::verify_spec, run: generate::run_verify },
        Command { spec: generate::fetch_spec, run: generate::run_fetch },
        Command { spec: update::spec, run: update::run },
        Command { spec: sync::spec, run: sync::run },
        Command { spec: grade_tests::spec, run: grade_tests::run },
    ]
}
