//! Compiles and runs the package `setup`, which does the work.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::cargo_test;
use crate::workspace::Workspace;

const NOT_COMPILED: &str = "the setup program does not compile; cargo says why above; run again: cargo xtask setup";

/// Compiles it and shows how far Cargo is, unless an earlier setup has done that.
pub fn compile(workspace: &Workspace, offline: bool) -> anyhow::Result<()> {
    if workspace.root().join(".mlx/stamp").is_file() {
        return Ok(());
    }
    let started = Instant::now();
    eprintln!("  … compiling the setup program (once, one to four minutes)");
    let offline = offline.then_some("--offline");
    let build: Vec<_> = ["build", "-p", "setup"].into_iter().chain(offline).map(str::to_string).collect();
    if cargo_test::build(workspace, &build)?.is_err() {
        bail!(NOT_COMPILED);
    }
    eprintln!("  ✓ {:<34} compiled, {:.1} s", "setup program", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs it; its progress passes through, its one sentence of failure becomes the error.
///
/// Answers whether it had anything to do.
pub fn run(workspace: &Workspace, backend: Option<&str>, offline: bool) -> anyhow::Result<bool> {
    let root = workspace.root();
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "setup"]);
    if offline {
        cargo.arg("--offline");
    }
    cargo.arg("--").arg("--root").arg(root);
    cargo.args(backend.map(|backend| ["--backend", backend]).into_iter().flatten());
    if offline {
        cargo.arg("--offline");
    }
    let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.context("cargo does not run; install Rust: https://rustup.rs")?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
    match (output.status.code(), said.as_str()) {
        (Some(0), "nothing to do") => Ok(false),
        (Some(0), _) => Ok(true),
        (Some(2), sentence) if !sentence.is_empty() => bail!("{sentence}"),
        (Some(_), _) => bail!(NOT_COMPILED),
        (None, _) => {
            bail!("the setup program was stopped; run again and it goes on where it stopped: cargo xtask setup")
        }
    }
}
