//! `cargo xtask bench`: builds the engines with optimisation and lets the reference's program measure them in turns.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches};

use super::{program, setup};
use crate::advice;
use crate::cargo_test;
use crate::reference_base;
use crate::workspace::Workspace;

mod kernels;
mod peers;
mod prepare;

use peers::{ALL_OF_THEM, PEERS, Peer};

/// Where the learner's results are kept, a line of JSON each.
const LEDGER: &str = ".learner/bench.jsonl";

/// What has been measured since Week 2.
const WEEK: u8 = 2;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("bench")
        .about("Measures your engine, the reference and MLX's operators side by side")
        .arg(Arg::new("who").long("who").value_name("LIST").default_value("you,ref,mlx").help(
            "you, ref, mlx, a stage such as ref@kv-cache, Week 3 as ref@week-3, or ref@drafts-4 with a model that \
                     guesses, an engine of others such as mlx-lm, or peers for \
                     four of those; the first is the measure of the others",
        ))
        .arg(
            Arg::new("checkpoint")
                .long("checkpoint")
                .value_name("NAME")
                .help("The stage of yours and of the reference"),
        )
        .arg(
            Arg::new("base")
                .long("base")
                .value_name("ref")
                .value_parser(["ref"])
                .help("Put the reference below your week"),
        )
        .args(PASSED_ON.map(|(name, value, help)| Arg::new(name).long(name).value_name(value).help(help)))
        .subcommand(prepare::spec())
        .subcommand(kernels::spec())
        .args_conflicts_with_subcommands(true)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("The line of the ledger on stdout, too"))
}

/// The engine of Week 3 by itself, as a stage.
const ALONE: &str = "week-3";

/// Whether Week 3's engine has that stage: `week-3` for the last of its own, or `drafts-4` with four guesses at a time.
fn of_week_3(stage: &str) -> bool {
    [ALONE, "slots", "gathered-pages", "paged-attention", "flash-attention"].contains(&stage)
        || stage.starts_with("drafts-")
}

/// What the measuring program reads and checks.
const PASSED_ON: [(&str, &str, &str); 8] = [
    ("model", "NAME", "tiny, qwen3-0.6b-random, the name of another model, or a folder [default: tiny]"),
    ("prompt-tokens", "N", "Tokens of the prompt [default: 128]"),
    ("prompt", "TEXT", "A user's message as the prompt; how many drafts stay depends on it"),
    ("new-tokens", "N", "Tokens that each engine makes [default: 32]"),
    ("trials", "N", "Rounds that count, after one that warms up; at least 5 [default: 7]"),
    ("requests", "N", "So many requests of different lengths instead of one; eight at a time in Week 3"),
    ("slots", "N", "With --requests: texts that run at the same time in an engine of Week 3 [default: 8]"),
    ("threads", "N", "Threads of every engine [default: TINY_LLM_THREADS, else as many as the machine gives]"),
];

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    if let Some(("peers", arguments)) = arguments.subcommand() {
        return prepare::run(arguments, workspace);
    }
    if let Some(("kernels", arguments)) = arguments.subcommand() {
        return kernels::run(arguments, workspace);
    }
    let who = arguments.get_one::<String>("who").context("it has a default")?;
    let stage = arguments.get_one::<String>("checkpoint").map(String::as_str);
    let engines = contestants(who, stage)?;
    setup::ensure(workspace)?;
    let measuring = format!("solution-week{WEEK}");
    let reference_base = arguments.contains_id("base");
    for build in builds(workspace, &engines, &measuring, reference_base) {
        if let Err(stopped) = cargo_test::build(workspace, &build)? {
            let again = if reference_base { "cargo xtask bench --base ref" } else { "cargo xtask bench" };
            return Ok(advice::explain(&stopped, again).into());
        }
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
    let model = arguments.get_one::<String>("model").map_or("tiny", String::as_str);
    for engine in &engines {
        match engine.start(workspace, &built, model)? {
            Ok(start) => measure.arg("--engine").arg(start),
            Err(why) => measure.arg("--absent").arg(format!("{}={why}", engine.who())),
        };
    }
    measure.arg("--ledger").arg(workspace.root().join(LEDGER));
    if let Some(commit) = commit(workspace) {
        measure.args(["--commit", &commit]);
    }
    program::replace_with(measure)
}

/// The calls of Cargo that build the engines and the program that measures; a week of the learner's that stands on the
/// reference has a call of its own, because its features are no others'.
fn builds(workspace: &Workspace, engines: &[Engine], measuring: &str, reference_base: bool) -> Vec<Vec<String>> {
    let release = |words: Vec<String>| ["build", "--release"].into_iter().map(String::from).chain(words).collect();
    let named = |package: &str| ["-p".to_string(), package.to_string()];
    let features = |package: &str| match reference_base {
        true => reference_base::flags(workspace, package),
        false => Vec::new(),
    };
    let packages = || engines.iter().map(Engine::package).chain([measuring]);
    let (alone, together): (Vec<&str>, Vec<&str>) = packages().partition(|package| !features(package).is_empty());
    let mut builds: Vec<Vec<String>> =
        alone.iter().map(|package| release([&named(package)[..], &features(package)].concat())).collect();
    builds.push(release(together.into_iter().flat_map(named).collect()));
    builds
}

/// One engine and the program that is it.
enum Engine {
    /// A package of the course.
    Own { who: String, package: String, stage: Option<String> },
    /// An engine of others.
    Other(Peer),
}

/// The engines of `--who`; `stage` is the one of yours and the reference's that name none.
fn contestants(who: &str, stage: Option<&str>) -> anyhow::Result<Vec<Engine>> {
    let mut engines: Vec<Engine> = Vec::new();
    for word in who.split(',') {
        match word {
            ALL_OF_THEM => engines.extend(PEERS[..4].iter().copied().map(Engine::Other)),
            word => engines.push(Engine::of(word, stage)?),
        }
    }
    for (index, engine) in engines.iter().enumerate() {
        let twice = engines[..index].iter().any(|other| other.who() == engine.who());
        ensure!(!twice, "--who names {} twice", engine.who());
    }
    Ok(engines)
}

impl Engine {
    fn of(word: &str, stage: Option<&str>) -> anyhow::Result<Self> {
        if let Some(peer) = Peer::named(word) {
            return Ok(Self::Other(peer));
        }
        let (who, own_stage) = word.split_once('@').map_or((word, None), |(who, stage)| (who, Some(stage)));
        let (package, stage) = match who {
            // Of the engine of Week 3, with or without the small model that guesses for it.
            "you" if own_stage.is_some_and(of_week_3) => {
                ("week3".to_string(), own_stage.filter(|stage| *stage != ALONE))
            }
            "ref" if own_stage.is_some_and(of_week_3) => {
                ("solution-week3".to_string(), own_stage.filter(|stage| *stage != ALONE))
            }
            "you" => (format!("week{WEEK}"), own_stage.or(stage)),
            "ref" => (format!("solution-week{WEEK}"), own_stage.or(stage)),
            "mlx" if own_stage.is_none() => ("solution-baseline".to_string(), Some("cached")),
            _ => {
                let others = PEERS.map(|peer| peer.name).join(", ");
                bail!(
                    "--who has `{word}`, but it must be a list of you, ref (also with a stage: ref@kv-cache), mlx, \
                     {ALL_OF_THEM}, {others}"
                );
            }
        };
        Ok(Self::Own { who: word.to_string(), package, stage: stage.map(str::to_string) })
    }

    fn who(&self) -> &str {
        match self {
            Self::Own { who, .. } => who,
            Self::Other(peer) => peer.name,
        }
    }

    /// What Cargo has to build for it.
    fn package(&self) -> &str {
        match self {
            Self::Own { package, .. } => package,
            Self::Other(_) => "peers",
        }
    }

    /// `who=PROGRAM=STAGE` for the measuring program, or the sentence that says why it cannot take part.
    fn start(&self, workspace: &Workspace, built: &Path, model: &str) -> anyhow::Result<Result<String, String>> {
        let peer = match self {
            Self::Own { who, package, stage } => {
                let stage = stage.as_ref().map_or(String::new(), |stage| format!("={stage}"));
                return Ok(Ok(format!("{who}={}{stage}", built.join(package).display())));
            }
            Self::Other(peer) => peer,
        };
        let program = peer.program(workspace);
        if !program.is_file() {
            return Ok(Err(format!("is not here yet: cargo xtask bench peers --only {}", peer.part.name())));
        }
        let mut start = format!("{}={}", peer.name, program.display());
        if let Some(packing) = peer.packing {
            let file = peers::weights(workspace, model, packing);
            let mut write = Command::new(built.join("peers"));
            write.args(["gguf", "--model", model, "--as", packing, "--out"]).arg(&file);
            let output = write.output().with_context(|| format!("{} does not run", built.join("peers").display()))?;
            if !output.status.success() {
                let words = String::from_utf8_lossy(&output.stderr).into_owned();
                return Ok(Err(words.trim().lines().last().unwrap_or("its file cannot be written").to_string()));
            }
            start.push_str(&format!("={}", file.display()));
        }
        Ok(Ok(start))
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
        let stage_of = |word: &str, stage: Option<&str>| match Engine::of(word, stage).expect("an engine") {
            Engine::Own { package, stage, .. } => (package, stage),
            Engine::Other(peer) => panic!("{} is another's", peer.name),
        };
        assert_eq!(stage_of("you", Some("kv-cache")), ("week2".into(), Some("kv-cache".into())));
        assert_eq!(stage_of("ref@rope", Some("kv-cache")), ("solution-week2".into(), Some("rope".into())));
        assert_eq!(stage_of("ref@week-3", Some("kv-cache")), ("solution-week3".into(), None));
        assert_eq!(stage_of("you@drafts-4", None), ("week3".into(), Some("drafts-4".into())));
        assert_eq!(stage_of("mlx", Some("kv-cache")), ("solution-baseline".into(), Some("cached".into())));
        let wrong = Engine::of("me", None).err().expect("no engine").to_string();
        assert!(wrong.starts_with("--who has `me`, but it must be a list of you, ref"), "{wrong}");
        assert!(Engine::of("mlx@kv-cache", None).is_err());
    }

    #[test]
    fn a_week_on_the_reference_is_built_apart() {
        let root = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(root.path().join("week2")).expect("a folder");
        std::fs::write(root.path().join("week2/Cargo.toml"), "[features]\nref-base = []\n").expect("a file");
        let engines = contestants("you,mlx", None).expect("engines");
        let calls = |base| -> Vec<String> {
            builds(&Workspace::at(root.path()), &engines, "m", base).iter().map(|call| call.join(" ")).collect()
        };
        assert_eq!(calls(false), ["build --release -p week2 -p solution-baseline -p m"]);
        let apart = "build --release -p week2 --no-default-features --features ref-base";
        assert_eq!(calls(true), [apart, "build --release -p solution-baseline -p m"]);
    }

    #[test]
    fn the_engines_of_others_are_four_in_a_word() {
        let names = |who: &str| -> anyhow::Result<Vec<String>> {
            Ok(contestants(who, None)?.iter().map(|engine| engine.who().to_string()).collect())
        };
        let all = ["ref", "mlx-lm", "llama.cpp-q4_1", "llama.cpp-q4_0", "candle-q4_0"];
        assert_eq!(names("ref,peers").expect("engines"), all);
        assert_eq!(names("ref@kv-cache,ref@rope").expect("engines"), ["ref@kv-cache", "ref@rope"]);
        assert_eq!(names("peers,mlx-lm").expect_err("twice").to_string(), "--who names mlx-lm twice");
    }

    #[test]
    fn an_engine_that_is_not_there_says_how_to_get_it() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let candle = Engine::of("candle-q4_0", None).expect("a peer");
        let start = candle.start(&Workspace::at(root.path()), root.path(), "tiny").expect("it can be looked for");
        assert_eq!(start, Err("is not here yet: cargo xtask bench peers --only candle".to_string()));
    }
}
