//! Runs the package `setup`, which does the work.

use std::process::Stdio;

use anyhow::{Context, bail};

use crate::workspace::Workspace;

/// Compiles and runs it; its progress passes through, its one sentence of failure becomes the error.
///
/// Answers whether it had anything to do.
pub fn run(workspace: &Workspace, offline: bool) -> anyhow::Result<bool> {
    let root = workspace.root();
    if !root.join(".mlx/stamp").is_file() {
        eprintln!("  … compiling the setup program (once, less than a minute)");
    }
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "setup"]);
    if offline {
        cargo.arg("--offline");
    }
    cargo.arg("--").arg("--root").arg(root);
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
        (Some(_), _) => bail!("the setup program does not compile; cargo says why above; run again: cargo xtask setup"),
        (None, _) => {
            bail!("the setup program was stopped; run again and it goes on where it stopped: cargo xtask setup")
        }
    }
}
