//! `cargo xtask law`: build the program that compares sampling laws and become it.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};

use super::program::Program;
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("law")
        .about("Shows three sampling laws side by side; checks golden files; compares host and device")
        .disable_help_flag(true)
        .arg(
            Arg::new("arguments")
                .num_args(0..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true)
                .value_name("ARGUMENTS")
                .help("--probs .4,.2,.2,.2 --temp 2 --top-p .58, or a subcommand; --help lists all"),
        )
}

/// `law`
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = arguments.get_many("arguments").into_iter().flatten().cloned().collect();
    let asks_for_help = arguments.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h"));
    if asks_for_help && !workspace.root().join(".cargo/mlx.toml").is_file() {
        println!("cargo xtask law --probs .4,.2,.2,.2 --temp 2 --top-p .58\n");
        println!("All else is listed once MLX is here: cargo xtask setup");
        return Ok(ExitCode::SUCCESS);
    }
    Program::of("solution-law").run(workspace, &arguments, "law")
}
