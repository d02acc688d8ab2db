//! Blocks tagged `console,generated`: what is below a command is what the command prints, written and compared by the program.
//!
//! The commands run in the repository's folder, one after the other, on the untouched starter; the record of progress is
//! put aside meanwhile. Line numbers of files, and numbers in front of a unit of time, speed or size, are not compared; a block tagged
//! `machine` as well is not compared at all.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use super::{lines, source};
use crate::state::write_whole;
use crate::workspace::Workspace;

/// A command line fits into the page's width.
const COLUMNS: &str = "84";

/// What stands behind a number that differs from run to run.
const UNITS: [&str; 8] = ["tokens/s", "s", "ms", "MB", "MiB", "GB", "GiB", "KiB"];

/// The learner's record, away while commands run that would show it.
struct RecordAside {
    record: PathBuf,
    aside: PathBuf,
}

impl RecordAside {
    /// Puts the record aside; one that an interrupted run has left there stays the learner's.
    fn new(workspace: &Workspace) -> anyhow::Result<Self> {
        let (record, aside) = (workspace.root().join(".learner"), workspace.root().join(".learner.aside"));
        if record.exists() && !aside.exists() {
            fs::rename(&record, &aside).context(".learner cannot be put aside")?;
            // Which tests were copied is known on; a copy of an older master would pass for one that the learner changed.
            let state = fs::read_to_string(aside.join("state")).unwrap_or_default();
            let copies: String = state.split_inclusive('\n').filter(|line| line.starts_with("copy ")).collect();
            write_whole(&record.join("state"), copies.as_bytes())?;
        }
        Ok(Self { record, aside })
    }

    /// Takes it back, in place of what the commands have recorded.
    fn back(self) -> anyhow::Result<()> {
        if self.aside.exists() {
            if self.record.exists() {
                fs::remove_dir_all(&self.record).context(".learner cannot be removed")?;
            }
            fs::rename(&self.aside, &self.record)
                .context(".learner.aside cannot be put back; rename it to .learner")?;
        }
        Ok(())
    }
}

/// Every block that shows something else than its commands print, as `file:line: sentence`.
pub fn problems(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let record = RecordAside::new(workspace)?;
    let problems = compare(workspace);
    record.back()?;
    problems
}

/// Runs every command of every block and writes what it prints below it.
pub fn write(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let record = RecordAside::new(workspace)?;
    let written = write_all(workspace);
    record.back()?;
    written.map(|()| ExitCode::SUCCESS)
}

fn compare(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in source::pages(workspace)? {
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        for block in lines::generated(&text).into_iter().filter(|block| !block.machine) {
            for (command, shown) in &block.runs {
                let printed = print_of(command, workspace)?;
                if shown.iter().map(|line| steady(line)).ne(printed.iter().map(|line| steady(line))) {
                    let name = path.strip_prefix(workspace.root()).unwrap_or(&path).display();
                    problems.push(format!(
                        "{name}:{}: `{command}` prints something else; see: cargo xtask book outputs",
                        block.line
                    ));
                }
            }
        }
    }
    Ok(problems)
}

fn write_all(workspace: &Workspace) -> anyhow::Result<()> {
    for path in source::pages(workspace)? {
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut new = String::new();
        let mut rest = text.as_str();
        for block in lines::generated(&text) {
            let start = rest.find(",generated").and_then(|at| rest[at..].find('\n').map(|end| at + end + 1));
            let Some(start) = start else { continue };
            new.push_str(&rest[..start]);
            rest = &rest[start..];
            for (command, _) in &block.runs {
                new.push_str(&format!("$ {command}\n"));
                print_of(command, workspace)?.iter().for_each(|line| new.push_str(&format!("{line}\n")));
            }
            rest = rest.find("```").map_or("", |end| &rest[end..]);
        }
        new.push_str(rest);
        if new != text {
            fs::write(&path, new).with_context(|| format!("{} cannot be written", path.display()))?;
            println!("wrote {}", path.strip_prefix(workspace.root()).unwrap_or(&path).display());
        }
    }
    Ok(())
}

/// What a command of the course prints, both streams as a terminal shows them, without empty lines at the ends.
fn print_of(command: &str, workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let words = lines::words(command);
    let arguments = words.strip_prefix(&["cargo".to_string(), "xtask".to_string()][..]);
    let arguments =
        arguments.with_context(|| format!("`{command}` is not a command of the course and cannot be generated"))?;
    let (mut reader, writer) = std::io::pipe().context("no pipe")?;
    let mut child = Command::new(crate::itself::path()?)
        .args(arguments)
        .current_dir(workspace.root())
        .env("NO_COLOR", "1")
        .env("COLUMNS", COLUMNS)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .stdout(writer.try_clone().context("no pipe")?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("`{command}` does not start"))?;
    let mut text = String::new();
    reader.read_to_string(&mut text).with_context(|| format!("the output of `{command}` is not text"))?;
    child.wait().with_context(|| format!("`{command}` does not end"))?;
    let lines = text.lines().filter(|line| !is_build_progress(line)).map(str::trim_end);
    Ok(lines.collect::<Vec<_>>().join("\n").trim_matches('\n').lines().map(str::to_string).collect())
}

/// What Cargo says while it builds; whether it builds is chance.
fn is_build_progress(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    line.starts_with("   ")
        && ["Compiling", "Finished", "Blocking", "Downloading", "Downloaded", "Locking"].contains(&word)
}

/// The line without numbers in front of a unit, line numbers of files, and the width of a column.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        UNITS.contains(&bare)
    };
    let kept = words.iter().enumerate().map(|(index, word)| match words.get(index + 1) {
        Some(next) if unit(next) => "…",
        _ => without_line_number(word),
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// `week1/src/mask.rs` of `week1/src/mask.rs:27.`
fn without_line_number(word: &str) -> &str {
    match word.split_once(':') {
        Some((file, line)) if file.contains('/') && line.starts_with(|c: char| c.is_ascii_digit()) => file,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_is_not_part_of_an_output() {
        assert!(is_build_progress("   Compiling ring v0.17.14") && is_build_progress("    Finished `dev` profile"));
        assert!(!is_build_progress("Compiling is what Rust does.") && !is_build_progress("  1.1.1 linear"));
    }

    #[test]
    fn measured_numbers_are_not_compared() {
        assert_eq!(steady("65 tokens, 31.5 tokens/s, peak 120 MiB"), steady("65 tokens, 8.1 tokens/s, peak 98 MiB"));
        assert_ne!(steady("65 tokens, 31.5 tokens/s"), steady("64 tokens, 31.5 tokens/s"));
        assert_eq!(steady("open  week1/src/mask.rs:27."), steady("open week1/src/mask.rs:31."));
        assert_ne!(steady("1.7.2: 3 of 5"), steady("1.7.2: 4 of 5"));
    }
}
