//! One module a command: its clap definition and what it does.

use std::process::ExitCode;

use crate::workspace::Workspace;

mod bench;
mod book;
mod build_ext;
mod build_ext_test;
mod check;
mod ci;
mod copy_test;
pub mod doctor;
mod generate;
mod grade_tests;
mod hint;
mod law;
mod overview;
mod program;
mod reset;
mod serve;
pub mod setup;
mod solution;
mod status;
mod sync;
mod test;
mod update;

pub use book::can_be_built as book_can_be_built;
pub use overview::run as overview;

/// A subcommand of `cargo xtask`.
pub struct Command {
    /// Name, arguments and help.
    pub spec: fn() -> clap::Command,
    /// Runs it; an error ends with exit code 2.
    pub run: fn(&clap::ArgMatches, &Workspace) -> anyhow::Result<ExitCode>,
}

/// The whole command line, as `main` and the check of the book's commands read it.
pub fn cli() -> clap::Command {
    clap::Command::new("cargo xtask")
        .bin_name("cargo xtask")
        .about("The command line of Tiny LLM in Rust; alone, it says where you are and what comes next")
        .arg(crate::terminal::color_flag())
        .subcommands(all().iter().map(|command| (command.spec)()))
}

/// In the order of the help text.
pub fn all() -> Vec<Command> {
    vec![
        Command { spec: setup::spec, run: setup::run },
        Command { spec: doctor::spec, run: doctor::run },
        Command { spec: test::spec, run: test::run },
        Command { spec: copy_test::spec, run: copy_test::run },
        Command { spec: check::spec, run: check::run },
        Command { spec: hint::spec, run: hint::run },
        Command { spec: solution::spec, run: solution::run },
        Command { spec: solution::diff_spec, run: solution::run_diff },
        Command { spec: status::spec, run: status::run },
        Command { spec: reset::spec, run: reset::run },
        Command { spec: generate::spec, run: generate::run },
        Command { spec: generate::batch_spec, run: generate::run_batch },
        Command { spec: serve::spec, run: serve::run },
        Command { spec: generate::verify_spec, run: generate::run_verify },
        Command { spec: generate::fetch_spec, run: generate::run_fetch },
        Command { spec: generate::make_checkpoint_spec, run: generate::run_make_checkpoint },
        Command { spec: bench::spec, run: bench::run },
        Command { spec: law::spec, run: law::run },
        Command { spec: update::spec, run: update::run },
        Command { spec: build_ext::spec, run: build_ext::run },
        Command { spec: build_ext_test::spec, run: build_ext_test::run },
        Command { spec: book::spec, run: book::run },
        Command { spec: sync::spec, run: sync::run },
        Command { spec: grade_tests::spec, run: grade_tests::run },
        Command { spec: ci::spec, run: ci::run },
    ]
}
