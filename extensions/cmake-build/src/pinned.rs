//! The pinned CMake of the Python package index, installed by pip into `.mlx/tools` and used by nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// As in `cmake.txt`.
const VERSION: &str = "3.31.6";

/// The program; installs it unless it is there. What an interrupted installation left is replaced.
pub fn install(root: &Path) -> anyhow::Result<PathBuf> {
    let folder = root.join(".mlx/tools").join(format!("cmake-{VERSION}"));
    let program = folder.join("cmake/data/bin/cmake");
    if program.is_file() {
        return Ok(program);
    }
    let partial = folder.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).with_context(|| format!("cannot remove {}", partial.display()))?;
    }
    fs::create_dir_all(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    let pip = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"])
        .args(["--require-hashes", "--requirement"])
        .arg(root.join("extensions/cmake-build/cmake.txt"))
        .arg("--target")
        .arg(&partial)
        .output();
    let pip =
        pip.context("CMake 3.27 or newer is missing, and python3 does not run to fetch it; install one of them")?;
    let last = String::from_utf8_lossy(&pip.stderr);
    let last = last.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
    ensure!(
        pip.status.success(),
        "pip could not install CMake {VERSION}: {last}; install CMake 3.27 or newer, or try again with a network"
    );
    fs::rename(&partial, &folder).with_context(|| format!("cannot move {}", partial.display()))?;
    ensure!(program.is_file(), "the wheel of CMake {VERSION} holds no {}", program.display());
    Ok(program)
}
