//! `cargo xtask bench`: builds the engines with optimisation and lets the reference's program measure them in turns.

use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches};

use super::{program, setup};
use crate::advice;
use crate::cargo_test;
use crate::workspace::Workspace;

/// Where the learner's results are kept, a line of JSON each.
const LEDGER: &str = ".learner/bench.jsonl";

/// What has been measured since Week 2.
const WEEK: u8 = 2;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("bench")
        .about("Measures your engine, the reference and MLX's operators side by side")
        .arg(
            Arg::new("who")
                .long("who")
                .value_name("LIST")
                .default_value("you,ref,mlx")
                .help("The engines, the first of them is the measure of the others"),
        )
        .arg(
            Arg::new("checkpoint")
                .long("checkpoint")
                .value_name("NAME")
                .help("The stage of yours and of the reference"),
        )
        .args(PASSED_ON.map(|(name, value, help)| Arg::new(name).long(name).value_name(value).help(help)))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("The line of the ledger on stdout, too"))
}

/// What the measuring program reads and checks.
const PASSED_ON: [(&str, &str, &str); 4] = [
    ("model", "NAME", "tiny, qwen3-0.6b-random, the name of another model, or a folder [default: tiny]"),
    ("prompt-tokens", "N", "Tokens of the prompt [default: 128]"),
    ("new-tokens", "N", "Tokens that each engine makes [default: 32]"),
    ("trials", "N", "Rounds that count, after one that warms up; at least 5 [default: 7]"),
];

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let who = arguments.get_one::<String>("who").context("it has a default")?;
    let stage = arguments.get_one::<String>("checkpoint").map(String::as_str);
    let engines = who.split(',').map(|who| Engine::of(who, stage)).collect::<anyhow::Result<Vec<_>>>()?;
    for (index, engine) in engines.iter().enumerate() {
        ensure!(engines[..index].iter().all(|other| other.who != engine.who), "--who names {} twice", engine.who);
    }
    setup::ensure(workspace)?;
    let measuring = format!("solution-week{WEEK}");
    let mut build = vec!["build".to_string(), "--release".to_string()];
    for package in engines.iter().map(|engine| &engine.package).chain([&measuring]) {
        build.extend(["-p".to_string(), package.clone()]);
    }
    if let Err(stopped) = cargo_test::build(workspace, &build)? {
        return Ok(advice::explain(&stopped, "cargo xtask bench").into());
    }
    let built = workspace.root().join("target/release");
    let built =
        std::env::var_os("CARGO_TARGET_DIR").map_or(built, |folder| std::path::PathBuf::from(folder).join("release"));
    let mut measure = Command::new(built.join(&measuring));
    measure.arg("bench");
    for (name, _, _) in PASSED_ON {
        if let Some(value) = arguments.get_one::<String>(name) {
            measure.arg(format!("--{name}={value}"));
        }
    }
    if arguments.get_flag("json") {
        measure.arg("--json");
    }
    for Engine { who, package, stage } in &engines {
        let stage = stage.as_ref().map_or(String::new(), |stage| format!("={stage}"));
        measure.arg("--engine").arg(format!("{who}={}{stage}", built.join(package).display()));
    }
    measure.arg("--ledger").arg(workspace.root().join(LEDGER));
    if let Some(commit) = commit(workspace) {
        measure.args(["--commit", &commit]);
    }
    program::replace_with(measure)
}

/// One engine and the program that is it.
struct Engine {
    who: String,
    package: String,
    stage: Option<String>,
}

impl Engine {
    fn of(who: &str, stage: Option<&str>) -> anyhow::Result<Self> {
        let (package, stage) = match who {
            "you" => (format!("week{WEEK}"), stage),
            "ref" => (format!("solution-week{WEEK}"), stage),
            "mlx" => ("solution-baseline".to_string(), Some("cached")),
            other => bail!("--who has `{other}`, but it must be a list of you, ref and mlx"),
        };
        Ok(Self { who: who.to_string(), package, stage: stage.map(str::to_string) })
    }
}

/// The commit that is built, with a `+` where files have changed since; `None` without git.
fn commit(workspace: &Workspace) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(workspace.root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|lines| !lines.is_empty());
    Some(format!("{}{}", git(&["rev-parse", "--short", "HEAD"])?, if changed { "+" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_packages_and_stages() {
        let you = Engine::of("you", Some("kv-cache")).expect("an engine");
        assert_eq!((you.package.as_str(), you.stage.as_deref()), ("week2", Some("kv-cache")));
        let mlx = Engine::of("mlx", Some("kv-cache")).expect("an engine");
        assert_eq!((mlx.package.as_str(), mlx.stage.as_deref()), ("solution-baseline", Some("cached")));
        let wrong = Engine::of("me", None).err().expect("no engine").to_string();
        assert_eq!(wrong, "--who has `me`, but it must be a list of you, ref and mlx");
    }
}
