//! The program that makes pages of the book: the machine's own mdBook 0.5, or one built once under `target/tools`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::workspace::Workspace;

/// What is built where the machine has none; any 0.5 will do otherwise.
const VERSION: &str = "0.5.4";

/// mdBook, ready for its arguments, in the repository's folder. Builds it the first time.
pub fn find(workspace: &Workspace) -> anyhow::Result<Command> {
    let program = match present(workspace) {
        Some(program) => program,
        None => install(workspace)?,
    };
    let mut mdbook = Command::new(program);
    mdbook.current_dir(workspace.root());
    Ok(mdbook)
}

/// Whether `find` would start without building anything.
pub fn is_there(workspace: &Workspace) -> bool {
    present(workspace).is_some()
}

/// Builds the book into `folder` and returns mdBook's warnings and errors, a line each.
pub fn build_strictly(workspace: &Workspace, folder: &Path) -> anyhow::Result<Vec<String>> {
    let output =
        find(workspace)?.args(["build", "book", "--dest-dir"]).arg(folder).output().context("mdbook does not start")?;
    let log = String::from_utf8_lossy(&output.stderr);
    let lines = log.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("INFO"));
    let problems: Vec<String> = lines.map(|line| format!("mdbook: {line}")).collect();
    ensure!(output.status.success() || !problems.is_empty(), "mdbook failed without a word");
    Ok(problems)
}

fn present(workspace: &Workspace) -> Option<PathBuf> {
    let own = workspace.root().join("target/tools/bin/mdbook");
    [PathBuf::from("mdbook"), own].into_iter().find(|program| fits(program))
}

fn fits(program: &Path) -> bool {
    let version = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().starts_with("mdbook v0.5."))
}

fn install(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let tools = workspace.root().join("target/tools");
    eprintln!(
        "mdBook 0.5 is not on this machine. Building {VERSION} into target/tools, once; that takes some minutes."
    );
    let status = workspace
        .cargo()
        .args(["install", "mdbook", "--version", VERSION, "--locked", "--quiet", "--root"])
        .arg(&tools)
        .arg("--target-dir")
        .arg(tools.join("build"))
        .status()
        .context("cargo does not start")?;
    ensure!(
        status.success(),
        "mdBook could not be built, perhaps because there is no network. The chapters can be read as they are, in book/src; \
         with a network, run this again"
    );
    // Only the program is of use from here on.
    std::fs::remove_dir_all(tools.join("build")).context("target/tools/build cannot be removed")?;
    Ok(tools.join("bin/mdbook"))
}
