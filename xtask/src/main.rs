//! The command line of the course: `cargo xtask …`. It links no MLX; commands that compute run a binary of a week.

mod commands;
mod manifest;
mod manifest_reader;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// 0 passed, 1 tests failed, 2 usage or environment, 3 nothing was tested.
const USAGE_OR_ENVIRONMENT: u8 = 2;

fn main() -> ExitCode {
    let cli = commands::all().into_iter().fold(
        clap::Command::new("cargo xtask").about("The command line of Tiny LLM in Rust").subcommand_required(true),
        |cli, command| cli.subcommand((command.spec)()),
    );
    let matches = cli.get_matches();
    let (name, arguments) = matches.subcommand().expect("clap requires a subcommand");
    let command = commands::all().into_iter().find(|command| (command.spec)().get_name() == name);
    let command = command.expect("clap knows only these names");
    match Workspace::find().and_then(|workspace| (command.run)(arguments, &workspace)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(USAGE_OR_ENVIRONMENT)
        }
    }
}
