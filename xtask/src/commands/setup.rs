//! `cargo xtask setup`.

use std::process::ExitCode;

use crate::workspace::Workspace;

pub fn spec() -> clap::Command {
    clap::Command::new("setup").about("Fetches MLX, builds its C interface and tells Cargo where they are")
}

pub fn run(_arguments: &clap::ArgMatches, _workspace: &Workspace) -> anyhow::Result<ExitCode> {
    anyhow::bail!("setup is being written")
}
