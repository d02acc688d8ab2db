//! The gates of `cargo xtask ci`: each looks at the repository and says whether it is as it must be, and why not.

use std::process::{Command, ExitStatus};

use anyhow::Context;

use crate::manifest::Manifest;
use crate::workspace::Workspace;

mod budgets;
mod completeness;
mod licences;
pub mod macos;
mod offline;
mod sanitize;
mod sources;
pub mod tree;

/// One gate.
pub struct Gate {
    /// Its number in the list of gates; numbers of gates that are not written yet are left out.
    pub number: u8,
    /// What must hold, in a few words.
    pub title: &'static str,
    /// Looks.
    pub run: Look,
    /// Looks longer, with `ci --deep`; `None` where there is no more to see.
    pub deep: Option<Look>,
}

/// How a gate looks.
pub type Look = fn(&Workspace) -> anyhow::Result<Outcome>;

/// What a gate found.
pub enum Outcome {
    /// All is well; a note where there is something to say.
    Passed(String),
    /// It is not; the text to read.
    Failed(String),
    /// It could not look, and why.
    Skipped(String),
}

/// In the order in which they run: what is quick and fails often comes first.
pub fn all() -> Vec<Gate> {
    let gate = |number, title, run: Look| Gate { number, title, run, deep: None };
    vec![
        gate(1, "formatted and without lints", formatting_and_lints),
        gate(2, "starters are what the solutions say", |workspace| xtask(workspace, &["sync", "--check"])),
        gate(3, "the reference passes every test", reference),
        gate(4, "stubs fail with their own id", |workspace| xtask(workspace, &["grade-tests", "--stubs"])),
        gate(5, "every wrong answer is rejected", |workspace| xtask(workspace, &["grade-tests"])),
        gate(6, "the manifest is complete", |workspace| findings(completeness::complaints(workspace)?)),
        gate(7, "the book builds and its links hold", book),
        gate(8, "lines and seconds are in budget", |workspace| findings(budgets::complaints(workspace)?)),
        gate(9, "the command line keeps its word", command_line),
        gate(10, "one pass without a network", offline::pass),
        Gate { deep: Some(sanitize::whole), ..gate(11, "kernels under sanitizers", sanitize::smoke) },
        gate(12, "links for macOS", macos::cross_link),
        gate(13, "unsafe, machine paths, licences", sources_and_licences),
    ]
}

fn formatting_and_lints(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let formatted = cargo(workspace, &["fmt", "--all", "--check"])?;
    if let Outcome::Failed(text) = formatted {
        return Ok(Outcome::Failed(format!("{text}\nNext: cargo fmt --all")));
    }
    cargo(workspace, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])
}

fn reference(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if tree::reference_has_passed(workspace)? {
        return Ok(Outcome::Passed("on this very tree, just before".to_string()));
    }
    xtask(workspace, &["test", "--reference"])
}

fn book(workspace: &Workspace) -> anyhow::Result<Outcome> {
    match crate::commands::book_can_be_built(workspace) {
        true => xtask(workspace, &["book", "test", "--outputs"]),
        false => {
            Ok(Outcome::Skipped("mdBook 0.5 is not on this machine; `cargo xtask book build` makes it".to_string()))
        }
    }
}

fn command_line(workspace: &Workspace) -> anyhow::Result<Outcome> {
    cargo(workspace, &["test", "--quiet", "--package", "xtask"])
}

fn sources_and_licences(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let mut complaints = sources::complaints(workspace)?;
    complaints.extend(licences::complaints(workspace)?);
    findings(complaints)
}

fn findings(complaints: Vec<String>) -> anyhow::Result<Outcome> {
    Ok(match complaints.is_empty() {
        true => Outcome::Passed(String::new()),
        false => Outcome::Failed(complaints.join("\n")),
    })
}

/// Runs one of this program's own commands.
fn xtask(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<Outcome> {
    let mut command = Command::new(crate::itself::path()?);
    command.current_dir(workspace.root()).args(arguments);
    outcome(command)
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<Outcome> {
    let mut command = workspace.cargo();
    command.args(arguments);
    outcome(command)
}

fn outcome(mut command: Command) -> anyhow::Result<Outcome> {
    let (status, text) = output(&mut command)?;
    let is_sum = |line: &&str| line.contains(" passed, ") || line.starts_with("book: ");
    let last = text.lines().rev().map(str::trim).find(is_sum).unwrap_or_default();
    Ok(match status.success() {
        true => Outcome::Passed(last.to_string()),
        false => Outcome::Failed(text),
    })
}

/// Both outputs of a command, its standard output first.
fn output(command: &mut Command) -> anyhow::Result<(ExitStatus, String)> {
    let what = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok((output.status, text))
}

/// The files that git knows and that are there, below the repository; without git, an error.
fn tracked_files(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z"]).current_dir(workspace.root());
    let output = git.output().context("cannot run git")?;
    anyhow::ensure!(output.status.success(), "git ls-files fails: {}", String::from_utf8_lossy(&output.stderr).trim());
    let text = String::from_utf8(output.stdout).context("git names a file that is not UTF-8")?;
    let present = |name: &&str| !name.is_empty() && workspace.root().join(name).symlink_metadata().is_ok();
    Ok(text.split('\0').filter(present).map(str::to_string).collect())
}

/// The manifest, for gates that go through it.
fn manifest(workspace: &Workspace) -> anyhow::Result<Manifest> {
    Manifest::load(workspace)
}
