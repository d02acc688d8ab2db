//! The command line of the course: `cargo xtask …`. It links no MLX; commands that compute run a binary of a week.

mod advice;
mod backup;
mod cargo_test;
mod chapter_hints;
mod commands;
mod day_report;
mod day_run;
mod day_table;
mod engine_choice;
mod grade;
mod libtest;
mod manifest;
mod manifest_reader;
mod region_functions;
mod regions;
mod rust_blanks;
mod rust_functions;
mod selection;
mod starter;
mod state;
mod terminal;
mod test_copy;
mod update;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// 0 passed, 1 tests failed, 2 usage or environment, 3 nothing was tested.
const USAGE_OR_ENVIRONMENT: u8 = 2;

fn main() -> ExitCode {
    let cli = clap::Command::new("cargo xtask")
        .bin_name("cargo xtask")
        .about("The command line of Tiny LLM in Rust; alone, it says where you are and what comes next")
        .subcommands(commands::all().iter().map(|command| (command.spec)()));
    let matches = cli.get_matches();
    let outcome = Workspace::find().and_then(|workspace| match matches.subcommand() {
        Some((name, arguments)) => {
            let command = commands::all().into_iter().find(|command| (command.spec)().get_name() == name);
            (command.expect("clap knows only these names").run)(arguments, &workspace)
        }
        None => commands::overview(&workspace),
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(USAGE_OR_ENVIRONMENT)
    })
}
