//! `cargo xtask serve`: build the server over the chosen engine of Week 3 and become it.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Arg, ArgMatches};

use super::program::Program;
use crate::engine_choice::EngineChoice;
use crate::manifest::Manifest;
use crate::workspace::Workspace;

/// The server's package.
const SERVER: &str = "solution-serve";

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("serve")
        .about("Answers OpenAI's clients over HTTP, on an engine of Week 3")
        .disable_help_flag(true)
        .arg(
            Arg::new("arguments")
                .num_args(0..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true)
                .value_name("ARGUMENTS")
                .help("--who you|ref and --base ref choose the engine; --help lists the others"),
        )
}

/// `serve`
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let mut arguments: Vec<String> = arguments.get_many("arguments").into_iter().flatten().cloned().collect();
    if !arguments.iter().any(|argument| argument.starts_with("--week") || argument.starts_with("--loader")) {
        arguments.splice(0..0, ["--week".to_string(), "3".to_string()]);
    }
    let choice = EngineChoice::of(&arguments, &Manifest::load(workspace)?)?;
    if choice.asks_for_help {
        println!(
            "The engine: --who you|ref (or --solution), default ref; --base ref puts the reference's weeks below yours.\n"
        );
        if !workspace.root().join(".cargo/mlx.toml").is_file() {
            println!("The other flags are listed once MLX is here: cargo xtask setup");
            return Ok(ExitCode::SUCCESS);
        }
    }
    let features = match (choice.package.as_str(), choice.reference_base) {
        ("solution-week3", false) => Vec::new(),
        ("solution-week3", true) => {
            eprintln!("note: only a week of yours can stand on the reference, so --base ref changes nothing");
            Vec::new()
        }
        ("week3", false) => of_yours("you"),
        ("week3", true) => of_yours("you-on-ref"),
        ("solution-baseline", _) => bail!("MLX's own engine answers one text after the other; use --who you or ref"),
        _ => bail!("only the engine of Week 3 answers many at once; use --week 3, or leave --week out"),
    };
    let mut program = Program::of(SERVER);
    program.features = features;
    program.run(workspace, &choice.rest, "serve")
}

fn of_yours(feature: &str) -> Vec<String> {
    ["--no-default-features", "--features", feature].map(str::to_string).to_vec()
}
