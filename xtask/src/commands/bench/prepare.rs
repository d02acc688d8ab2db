//! `cargo xtask bench peers`: brings the engines of others into target/peers, each pinned, each on its own, so that one
//! that cannot be had leaves the others alone. A second run does nothing.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::peers::{self, PEERS, Part};
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("peers")
        .about("Prepares the engines of others in target/peers: mlx-lm, candle, llama.cpp (which compiles for long)")
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(Part::ALL.map(Part::name))
                .help("Only that one; may be given more than once"),
        )
        .arg(
            Arg::new("jobs")
                .long("jobs")
                .value_name("N")
                .value_parser(value_parser!(u8).range(1..))
                .help("Compilers at once [default: as many as the machine has processors]"),
        )
}

/// The command: 0 where all that was asked for is there, else 1.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let only: Vec<&String> = arguments.get_many("only").into_iter().flatten().collect();
    let jobs = arguments.get_one::<u8>("jobs").map(|jobs| usize::from(*jobs));
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let place = Place { workspace, folder: peers::folder(workspace), jobs };
    fs::create_dir_all(place.folder.join("bin")).with_context(|| format!("cannot make {}", place.folder.display()))?;
    let mut missing = 0;
    for part in Part::ALL.into_iter().filter(|part| only.is_empty() || only.iter().any(|name| *name == part.name())) {
        match place.prepare(part) {
            Ok(news) => println!("{}: {news}", part.name()),
            Err(error) => {
                missing += 1;
                println!("{}: cannot be had here: {error:#}", part.name());
            }
        }
    }
    println!("Next: cargo xtask bench --who you,ref,peers --model qwen3-0.6b-random");
    Ok(if missing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Place<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
    jobs: usize,
}

impl Place<'_> {
    /// Does what is missing. What was made from the same recipe before stays.
    fn prepare(&self, part: Part) -> anyhow::Result<&'static str> {
        let recipe = self.recipe(part)?;
        let stamp = self.folder.join(format!("{}.ready", part.name()));
        let programs = || PEERS.iter().filter(|peer| peer.part == part).map(|peer| peer.program(self.workspace));
        let ready = fs::read_to_string(&stamp).is_ok_and(|before| before == recipe);
        if ready && programs().all(|program| program.is_file()) {
            return Ok("ready already");
        }
        match part {
            Part::MlxLm => self.mlx_lm()?,
            Part::LlamaCpp => self.llama_cpp()?,
            Part::Candle => self.candle()?,
        }
        fs::write(&stamp, recipe).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok("ready")
    }

    /// All that the result depends on: pinned versions, and where the repository is.
    fn recipe(&self, part: Part) -> anyhow::Result<String> {
        let file = match part {
            Part::MlxLm => "kit/peers/python/mlx-lm.txt",
            Part::LlamaCpp => "kit/peers/python/llama-cpp.txt",
            Part::Candle => "kit/peers/candle/Cargo.lock",
        };
        let pinned = self.workspace.root().join(file);
        let text = fs::read_to_string(&pinned).with_context(|| format!("cannot read {}", pinned.display()))?;
        Ok(format!("{}\n{text}", self.workspace.root().display()))
    }

    fn mlx_lm(&self) -> anyhow::Result<()> {
        self.install("mlx-lm", &["--only-binary", ":all:"], &[])?;
        let mut front = String::new();
        if cfg!(target_os = "linux") {
            let library = self.openblas_in_front()?;
            front = format!("MLX_LM_BLAS=openblas LD_PRELOAD={} ", quoted(&library));
        }
        self.python_program("mlx-lm", &format!("MLX_LM_DTYPE=float32 {front}"), "mlx_lm_peer.py")?;
        self.python_program("mlx-lm-bf16", "MLX_LM_DTYPE=bfloat16 ", "mlx_lm_peer.py")
    }

    /// A library whose `cblas_sgemm` is OpenBLAS'.
    fn openblas_in_front(&self) -> anyhow::Result<PathBuf> {
        let mut python = Command::new(self.python());
        python.args(["-c", "import scipy_openblas32 as b; print(b.get_lib_dir(), b.get_library())"]);
        let answer = self.said(python, "mlx-lm")?;
        let (folder, name) = answer.trim().rsplit_once(' ').context("scipy-openblas32 does not say where it is")?;
        let library = self.folder.join("openblas_front.so");
        let source = self.workspace.root().join("kit/peers/python/openblas_front.c");
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source);
        compiler.arg(format!("-L{folder}")).arg(format!("-l{name}")).arg(format!("-Wl,-rpath,{folder}"));
        self.said(compiler, "mlx-lm")?;
        Ok(library)
    }

    fn llama_cpp(&self) -> anyhow::Result<()> {
        println!("llama.cpp: compiles for this processor, half an hour on two cores …");
        let jobs = self.jobs.to_string();
        let native = [("CMAKE_ARGS", "-DGGML_NATIVE=ON -DLLAVA_BUILD=OFF"), ("CMAKE_BUILD_PARALLEL_LEVEL", &jobs)];
        self.install("llama-cpp", &["--no-binary", "llama-cpp-python"], &native)?;
        self.python_program("llama.cpp-q4_1", "", "llama_cpp_peer.py")?;
        self.python_program("llama.cpp-q4_0", "", "llama_cpp_peer.py")
    }

    fn candle(&self) -> anyhow::Result<()> {
        println!("candle: compiles for this processor, some minutes …");
        let mut cargo = self.workspace.cargo();
        let target = self.folder.join("candle");
        cargo.args(["build", "--release", "--locked", "--manifest-path", "kit/peers/candle/Cargo.toml", "--jobs"]);
        cargo.arg(self.jobs.to_string()).env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-C target-cpu=native");
        self.said(cargo, "candle")?;
        let program = quoted(&target.join("release/candle-peer"));
        self.program("candle-q4_0", &format!("exec {program} \"$@\"\n"))?;
        self.program("candle-q4_1", &format!("exec {program} \"$@\"\n"))
    }

    /// The interpreter of the environment for all of them.
    fn python(&self) -> PathBuf {
        self.folder.join("venv/bin/python")
    }

    /// Installs the pinned packages of kit/peers/python/NAME.txt.
    fn install(&self, name: &str, how: &[&str], settings: &[(&str, &str)]) -> anyhow::Result<()> {
        if !self.python().is_file() {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv"]).arg(self.folder.join("venv"));
            self.said(venv, name).context("python3 makes no environment (Debian: sudo apt install python3-venv)")?;
        }
        let mut pip = Command::new(self.python());
        pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input"]).args(how).arg("--requirement");
        pip.arg(self.workspace.root().join(format!("kit/peers/python/{name}.txt")));
        pip.envs(settings.iter().copied());
        self.said(pip, name).map(drop)
    }

    fn python_program(&self, name: &str, settings: &str, script: &str) -> anyhow::Result<()> {
        let script = quoted(&self.workspace.root().join("kit/peers/python").join(script));
        self.program(name, &format!("{settings}exec {} {script} \"$@\"\n", quoted(&self.python())))
    }

    /// A program of a few lines.
    fn program(&self, name: &str, body: &str) -> anyhow::Result<()> {
        // The first two are meant for older builds of OpenBLAS and slow a new one down.
        let text = format!("#!/bin/sh\nunset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE\n{body}");
        let path = self.folder.join("bin").join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        executable(&path)
    }

    /// Runs a command, keeps all it says in target/peers/NAME.log, and returns its standard output.
    fn said(&self, mut command: Command, name: &str) -> anyhow::Result<String> {
        let log = self.folder.join(format!("{name}.log"));
        let what = command.get_program().to_string_lossy().into_owned();
        let errors = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let output = command.current_dir(self.workspace.root()).stderr(errors).output();
        let output = output.with_context(|| format!("{what} does not run"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let all = format!("{text}{}", fs::read_to_string(&log).unwrap_or_default());
        fs::write(&log, &all).with_context(|| format!("cannot write {}", log.display()))?;
        let shown = log.strip_prefix(self.workspace.root()).unwrap_or(&log).display();
        ensure!(!no_network(&all), "there is no network, or no package index behind it; all of it: {shown}");
        let last =
            all.lines().rev().map(str::trim).find(|line| line.starts_with("ERROR:") || line.starts_with("error"));
        let last = last.or_else(|| all.lines().map(str::trim).rfind(|line| !line.is_empty())).unwrap_or("no word");
        bail!("{last}; all of it: {shown}")
    }
}

/// Whether a client of a registry has said that it reaches nothing.
fn no_network(text: &str) -> bool {
    ["NewConnectionError", "NameResolutionError", "Could not resolve host", "Temporary failure in name resolution"]
        .iter()
        .any(|sign| text.contains(sign))
}

/// For sh.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(unix)]
fn executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode).with_context(|| format!("cannot change {}", path.display()))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> anyhow::Result<()> {
    bail!("other engines are started by scripts for sh, which this system does not have")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_leaves_its_words_in_a_file_and_the_last_one_in_the_error() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let workspace = Workspace::at(root.path());
        let place = Place { workspace: &workspace, folder: root.path().to_path_buf(), jobs: 1 };
        let run = |script: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]);
            place.said(shell, "x")
        };
        assert_eq!(run("echo yes").expect("it succeeds"), "yes\n");
        let error = run("echo first; echo 'ERROR: no such version' >&2; echo hint >&2; exit 1").expect_err("it fails");
        assert_eq!(error.to_string(), "ERROR: no such version; all of it: x.log");
        let kept = fs::read_to_string(root.path().join("x.log")).expect("the log");
        assert_eq!(kept, "first\nERROR: no such version\nhint\n");
        let error = run("echo 'NewConnectionError(...)' >&2; echo 'ERROR: none' >&2; exit 1").expect_err("it fails");
        assert!(error.to_string().starts_with("there is no network"), "{error}");
        let mut nothing = Command::new("/nowhere/python3");
        nothing.arg("x");
        assert_eq!(place.said(nothing, "x").expect_err("no such program").to_string(), "/nowhere/python3 does not run");
    }

    #[test]
    fn paths_reach_a_shell_whole() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
