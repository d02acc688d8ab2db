//! `cargo xtask generate`, `verify`, `fetch` and `make-checkpoint`: build the program of the chosen engine and become it.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};

use super::program::Program;
use crate::engine_choice::EngineChoice;
use crate::manifest::Manifest;
use crate::reference_base;
use crate::workspace::Workspace;

/// Name, arguments and help of `generate`.
pub fn spec() -> clap::Command {
    passing_on("generate")
        .visible_alias("main")
        .about("Continues a prompt on your engine, the reference or MLX's own operators")
}

/// Name, arguments and help of `batch`.
pub fn batch_spec() -> clap::Command {
    clap::Command::new("batch")
        .about("Answers the prompts of a file, many at once, on an engine of Week 3")
        .disable_help_flag(true)
        .arg(passed_on().help("--who you|ref and --base ref choose the engine of Week 3; --help lists the others"))
}

/// Name, arguments and help of `verify`.
pub fn verify_spec() -> clap::Command {
    passing_on("verify").about("Compares an engine with the golden prompts and logits of a file")
}

/// Name, arguments and help of `fetch`.
pub fn fetch_spec() -> clap::Command {
    passing_on("fetch").about("Downloads a model")
}

/// Name, arguments and help of `make-checkpoint`.
pub fn make_checkpoint_spec() -> clap::Command {
    passing_on("make-checkpoint").about("Writes a random checkpoint of a model's shape, to measure with")
}

/// A command whose flags the engine's program reads and checks.
fn passing_on(name: &'static str) -> clap::Command {
    clap::Command::new(name)
        .disable_help_flag(true)
        .arg(passed_on().help("--who you|ref|mlx, --week 1 and --base ref choose the engine; --help lists the others"))
}

fn passed_on() -> Arg {
    Arg::new("arguments").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true).value_name("ARGUMENTS")
}

/// `generate`
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    become_engine("generate", arguments, workspace)
}

/// `batch`
pub fn run_batch(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    become_engine("batch", arguments, workspace)
}

/// `verify`
pub fn run_verify(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    become_engine("verify", arguments, workspace)
}

/// `fetch`
pub fn run_fetch(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    become_engine("fetch", arguments, workspace)
}

/// `make-checkpoint`
pub fn run_make_checkpoint(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    become_engine("make-checkpoint", arguments, workspace)
}

fn become_engine(name: &str, arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let mut arguments: Vec<String> = arguments.get_many("arguments").into_iter().flatten().cloned().collect();
    let names_week = |argument: &String| argument.starts_with("--week") || argument.starts_with("--loader");
    if name == "batch" && !arguments.iter().any(names_week) {
        // No other week's engine answers many at once.
        arguments.splice(0..0, ["--week".to_string(), "3".to_string()]);
    }
    let EngineChoice { package, rest, asks_for_help, reference_base } =
        EngineChoice::of(&arguments, &Manifest::load(workspace)?)?;
    if asks_for_help {
        match name {
            "batch" => println!(
                "The engine: --who you|ref (or --solution); default: ref. The week: 3, the only one that answers many at once."
            ),
            _ => println!(
                "The engine: --who you|ref|mlx (or --solution), --week 1 (or --loader week1); default: ref, 1."
            ),
        }
        println!("Below your week: --base ref puts the reference's weeks there.\n");
        if !workspace.root().join(".cargo/mlx.toml").is_file() {
            println!("Its other flags are listed once MLX is here: cargo xtask setup");
            return Ok(ExitCode::SUCCESS);
        }
    }
    let arguments = [vec![name.to_string()], rest].concat();
    let mut program = Program::of(&package);
    if reference_base {
        reference_base::note_without_effect(workspace, &package);
        program.features = reference_base::flags(workspace, &package);
    }
    program.run(workspace, &arguments, &format!("{name}{}", if reference_base { " --base ref" } else { "" }))
}
