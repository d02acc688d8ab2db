//! Checks on the Markdown: commands parse with the real command line, hints and sections are complete, nothing is left open.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::lines;
use crate::chapter_hints;
use crate::manifest::Manifest;
use crate::workspace::Workspace;

/// The summaries that every task's hints have.
const HINTS: [&str; 3] = ["Hint 1: where to look", "Hint 2: which tools", "Hint 3: the plan"];

/// What an author leaves for later.
const LEFT_OPEN: [&str; 4] = ["TODO", "FIXME", "XXX", "<!--"];

/// The pages outside of the book that show commands too.
const OTHER_PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "AGENTS.md"];

/// Every problem as `file:line: sentence`.
pub fn problems(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in pages(workspace)? {
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let name = path.strip_prefix(workspace.root()).unwrap_or(&path).display().to_string();
        problems.extend(in_text(&name, &text));
    }
    problems.extend(in_tasks(workspace)?);
    Ok(problems)
}

/// All Markdown of the book, then the other pages.
pub fn pages(workspace: &Workspace) -> anyhow::Result<Vec<PathBuf>> {
    let folder = workspace.root().join("book/src");
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        pages.push(entry.with_context(|| format!("{} cannot be read", folder.display()))?.path());
    }
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.extend(OTHER_PAGES.iter().map(|page| workspace.root().join(page)));
    Ok(pages)
}

fn in_text(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for word in LEFT_OPEN.iter().filter(|word| line.contains(*word)) {
            problems.push(format!("{name}:{}: {word} is left in the text", index + 1));
        }
    }
    for shown in lines::commands(text) {
        let words = lines::words(&shown.command);
        if let Err(what) = parses(&words[1..]) {
            problems.push(format!("{name}:{}: `{}` is not a command of the course: {what}", shown.line, shown.command));
        }
    }
    for block in lines::generated(text) {
        let runs = block.runs.iter();
        for (command, _) in runs.filter(|(_, output)| output.iter().all(|line| line.is_empty())) {
            problems.push(format!(
                "{name}:{}: no output below `{command}`; write it with: cargo xtask book outputs",
                block.line
            ));
        }
    }
    problems
}

/// Whether clap takes `xtask …`; help and version are fine.
fn parses(words: &[String]) -> Result<(), String> {
    match crate::commands::cli().try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) if !error.use_stderr() => Ok(()),
        Err(error) => {
            Err(error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_string())
        }
    }
}

fn in_tasks(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let manifest = Manifest::load(workspace)?;
    let mut problems = Vec::new();
    for task in manifest.tasks() {
        let chapter = format!("book/src/{}", task.chapter);
        let text =
            fs::read_to_string(workspace.root().join(&chapter)).with_context(|| format!("{chapter} cannot be read"))?;
        let hints = chapter_hints::of_task(&text, task.id);
        let summaries: Vec<&str> = hints.iter().map(|hint| hint.summary.as_str()).collect();
        if summaries != HINTS {
            problems.push(format!("{chapter}: task {} has the hints {summaries:?}, not {HINTS:?}", task.id));
        }
        let heading = text.lines().find(|line| line.starts_with(&format!("## Task {}", task.id)));
        let anchor = heading.map(|heading| anchor_of(heading.trim_start_matches("## ")));
        if anchor.as_deref() != Some(task.anchor.as_str()) {
            let found = anchor.unwrap_or_else(|| "no section".into());
            problems.push(format!("{chapter}: task {} should be at #{}, and there is {found}", task.id, task.anchor));
        }
    }
    Ok(problems)
}

/// The id that mdBook gives a heading.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_commands_and_open_ends_are_reported_with_their_line() {
        let text = "a\n\nTODO b, `cargo xtask tset --week 1`\n\n```console,generated\n$ cargo xtask status\n```\n";
        let found = in_text("a.md", text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("a.md:3: TODO"));
        assert!(found[1].starts_with("a.md:3: `cargo xtask tset --week 1` is not a command"));
        assert!(found[2].starts_with("a.md:5: no output below `cargo xtask status`"));
    }

    #[test]
    fn anchors_are_those_of_the_pages() {
        assert_eq!(anchor_of("Task 1.7.2: top-k"), "task-172-top-k");
    }
}
