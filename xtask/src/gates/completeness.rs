//! Every task of the manifest has all that belongs to it: region, tests, wrong answers, chapter section, hints.

use std::fs;

use super::manifest;
use crate::chapter_hints;
use crate::grade::wrong_answers;
use crate::manifest::Task;
use crate::starter;
use crate::workspace::Workspace;

const HINTS: usize = 3;
const WRONG_ANSWERS: usize = 3;

/// What is missing, a line each.
pub fn complaints(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let manifest = manifest(workspace)?;
    let mut complaints = Vec::new();
    for package in starter::packages(&manifest) {
        complaints.extend(starter::generate(workspace, &manifest, &package)?.missing);
    }
    for task in manifest.tasks() {
        let missing = missing_of(workspace, task)?;
        complaints.extend(missing.into_iter().map(|what| format!("task {} ({}): {what}", task.id, task.title)));
    }
    Ok(complaints)
}

fn missing_of(workspace: &Workspace, task: &Task) -> anyhow::Result<Vec<String>> {
    let mut missing = Vec::new();
    let tests = format!("solutions/{}/tests/cases/{}.rs", task.package, task.test);
    let text = fs::read_to_string(workspace.root().join(&tests)).unwrap_or_default();
    if !text.contains(&format!("fn {}", task.test_prefix())) {
        missing.push(format!("no test in {tests} whose name begins with {}", task.test_prefix()));
    }
    let answers = wrong_answers::read(workspace, task)?.len();
    if answers < WRONG_ANSWERS {
        missing.push(format!("{answers} wrong answers, it needs {WRONG_ANSWERS}"));
    }
    let chapter = fs::read_to_string(workspace.root().join("book/src").join(&task.chapter)).unwrap_or_default();
    missing.extend(missing_in_chapter(&chapter, task));
    Ok(missing)
}

fn missing_in_chapter(text: &str, task: &Task) -> Vec<String> {
    let chapter = &task.chapter;
    let begins = |heading: &&str| heading.split([':', ' ']).next() == Some(task.id.to_string().as_str());
    let Some(heading) = text.lines().filter_map(|line| line.strip_prefix("## Task ")).find(begins) else {
        return vec![format!("no section `## Task {}: …` in {chapter}", task.id)];
    };
    let mut missing = Vec::new();
    let anchor = anchor(&format!("Task {heading}"));
    if anchor != task.anchor {
        missing.push(format!("the manifest's anchor is {}, the section's in {chapter} is {anchor}", task.anchor));
    }
    let hints = chapter_hints::of_task(text, task.id).len();
    if hints != HINTS {
        missing.push(format!("{hints} hints in {chapter}, it needs {HINTS}"));
    }
    missing
}

/// The anchor that mdBook gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c.is_whitespace();
    let text: String = heading.chars().filter(|c| kept(*c)).collect();
    text.trim().chars().map(|c| if c.is_whitespace() { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_mdbook() {
        assert_eq!(anchor("Task 1.7.2: top-k"), "task-172-top-k");
        assert_eq!(anchor("Task 1.7.6 (optional): practice kernels"), "task-176-optional-practice-kernels");
        assert_eq!(anchor("Task 1.1.1: `linear`"), "task-111-linear");
    }

    #[test]
    fn a_section_without_hints_or_with_another_anchor_is_named() {
        let task = |anchor: &str| Task {
            id: "1.1.1".parse().expect("an id"),
            title: "linear".into(),
            package: "week1".into(),
            file: "src/basics.rs".into(),
            item: "linear".into(),
            chapter: "c.md".into(),
            anchor: anchor.into(),
            test: "day1".into(),
            lines: 1,
            optional: false,
        };
        let hint = "<details class=\"hint\">\n<summary>Hint</summary>\n\nText.\n\n</details>\n";
        let chapter = format!("# A\n\n## Task 1.1.1: linear\n{}\n## Run it\n{hint}", hint.repeat(3));
        assert_eq!(missing_in_chapter(&chapter, &task("task-111-linear")), Vec::<String>::new());
        let renamed = missing_in_chapter(&chapter, &task("task-111-lines"));
        assert_eq!(renamed, ["the manifest's anchor is task-111-lines, the section's in c.md is task-111-linear"]);
        let two = chapter.replacen(hint, "", 1);
        assert_eq!(missing_in_chapter(&two, &task("task-111-linear")), ["2 hints in c.md, it needs 3"]);
        let none = missing_in_chapter("# A\n## Task 1.1.10: other\n", &task("a"));
        assert_eq!(none, ["no section `## Task 1.1.1: …` in c.md"]);
    }
}
