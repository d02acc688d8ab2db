//! The last step: a small program multiplies two matrices with MLX, as everything after it will.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::workspace::Workspace;

/// Builds and runs the example `smoke` of the package `blas`; with an MLX for CUDA it must run on the GPU.
pub fn run(workspace: &Workspace, offline: bool, on_cuda: bool) -> anyhow::Result<()> {
    let started = Instant::now();
    eprintln!("  … compiling and running the smoke test (once, about a minute)");
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "blas", "--example", "smoke"]);
    if offline {
        cargo.arg("--offline");
    }
    let output = cargo.stdin(Stdio::null()).output().context("cargo does not run; install Rust: https://rustup.rs")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("No space left on device") {
        bail!("the disk is full; free about 5 GB and run again: cargo xtask setup (it goes on where it stopped)");
    }
    if !output.status.success() {
        eprint!("{errors}");
        bail!("MLX was set up, but the smoke test failed as shown above; what may be missing: cargo xtask doctor");
    }
    let said = String::from_utf8_lossy(&output.stdout);
    if on_cuda && !said.contains("on the GPU") {
        bail!(
            "MLX for CUDA is set up, and it finds no GPU; what may be missing: cargo xtask doctor; or compute on the CPU: cargo \
             xtask setup --backend cpu"
        );
    }
    eprintln!("  ✓ {:<34} {}, {:.1} s", "smoke test", said.trim(), started.elapsed().as_secs_f64());
    Ok(())
}
