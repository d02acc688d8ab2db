//! What a new version asks differently: in go two trees, out come the tasks whose documentation or signature changed, and the
//! tests that changed.

use super::answers;
use super::git::{Git, Tree};
use crate::manifest::TaskId;

/// A function of a task that reads differently now.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    /// Its task.
    pub task: TaskId,
    /// Its name in the new version, or in the old one when it is gone.
    pub function: String,
    /// The new version's file.
    pub file: String,
    /// `signature`, `documentation`, …
    pub what: &'static str,
}

/// The changes of every stub in the learner's packages.
pub fn changes(git: &Git, base: &Tree, theirs: &Tree, packages: &[String]) -> anyhow::Result<Vec<Change>> {
    let (before, after) = (heads(git, base, theirs, packages)?, heads(git, theirs, base, packages)?);
    let mut changes = Vec::new();
    for head in &after {
        let what = match before.iter().find(|old| (old.task, &old.function) == (head.task, &head.function)) {
            None => "a new function",
            Some(old) if old.signature != head.signature && old.documentation != head.documentation => {
                "signature and documentation"
            }
            Some(old) if old.signature != head.signature => "signature",
            Some(old) if old.documentation != head.documentation => "documentation",
            Some(_) => continue,
        };
        changes.push(Change { task: head.task, function: head.function.clone(), file: head.file.clone(), what });
    }
    for old in before {
        if !after.iter().any(|head| (head.task, &head.function) == (old.task, &old.function)) {
            changes.push(Change {
                task: old.task,
                function: old.function,
                file: old.file,
                what: "no longer asked for",
            });
        }
    }
    changes.sort_by(|one, other| (one.task, &one.function).cmp(&(other.task, &other.function)));
    Ok(changes)
}

/// The tests that differ: the package and the test, such as `week1` and `day7`.
pub fn changed_tests(base: &Tree, theirs: &Tree) -> Vec<(String, String)> {
    let changed = theirs.iter().filter(|(path, entry)| base.get(*path) != Some(*entry));
    changed.filter_map(|(path, _)| test_of(path)).collect()
}

/// `solutions/week1/tests/cases/day7.rs` is the test `day7` of `week1`.
fn test_of(path: &str) -> Option<(String, String)> {
    let (package, file) = path.strip_prefix("solutions/")?.split_once("/tests/cases/")?;
    Some((package.to_string(), file.strip_suffix(".rs")?.to_string()))
}

struct Head {
    task: TaskId,
    function: String,
    file: String,
    documentation: String,
    signature: String,
}

/// What stands above every stub, in the files that are not the same in `other`.
fn heads(git: &Git, tree: &Tree, other: &Tree, packages: &[String]) -> anyhow::Result<Vec<Head>> {
    let mut heads = Vec::new();
    for (path, entry) in tree {
        let mine = packages.iter().any(|package| path.starts_with(&format!("{package}/src/"))) && path.ends_with(".rs");
        if !mine || other.get(path) == Some(entry) {
            continue;
        }
        let Ok(text) = String::from_utf8(git.blob(&entry.blob)?) else { continue };
        for stub in answers::stubs(&text).unwrap_or_default() {
            let is_documentation = |line: &&str| line.trim_start().starts_with("///");
            let (documentation, signature): (Vec<&str>, Vec<&str>) =
                text[stub.function.head].lines().partition(is_documentation);
            heads.push(Head {
                task: stub.task,
                function: stub.function.path,
                file: path.clone(),
                documentation: documentation.join("\n"),
                signature: signature.join("\n"),
            });
        }
    }
    Ok(heads)
}
