//! The state of the checkout as one line, and whether the reference has passed on exactly this state.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::workspace::Workspace;

/// Notes that all tests of the course have passed on the reference. Without git there is nothing to note.
pub fn note_reference_passed(workspace: &Workspace) -> anyhow::Result<()> {
    let Ok(state) = state(workspace) else { return Ok(()) };
    let note = note(workspace);
    fs::create_dir_all(note.parent().unwrap_or(workspace.root())).context("cannot create the folder of the note")?;
    fs::write(&note, state).with_context(|| format!("cannot write {}", note.display()))
}

/// Whether the note is there and speaks of this state.
pub fn reference_has_passed(workspace: &Workspace) -> anyhow::Result<bool> {
    match fs::read_to_string(note(workspace)) {
        Ok(noted) => Ok(noted == state(workspace)?),
        Err(_) => Ok(false),
    }
}

fn note(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target/ci/reference-passed")
}

/// The commit's tree, and a hash of everything that differs from it, files that git does not know included.
fn state(workspace: &Workspace) -> anyhow::Result<String> {
    let tree = git(workspace, &["rev-parse", "HEAD^{tree}"])?;
    let mut hasher = DefaultHasher::new();
    git(workspace, &["diff", "HEAD", "--binary"])?.hash(&mut hasher);
    let unknown = git(workspace, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    for name in unknown.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        fs::read(workspace.root().join(&name)).with_context(|| format!("cannot read {name}"))?.hash(&mut hasher);
        name.hash(&mut hasher);
    }
    Ok(format!("{} {:016x}\n", String::from_utf8_lossy(&tree).trim(), hasher.finish()))
}

fn git(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output =
        Command::new("git").args(arguments).current_dir(workspace.root()).output().context("cannot run git")?;
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_holds_until_anything_changes() {
        let folder = std::env::temp_dir().join(format!("tree-note-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let workspace = Workspace::at(&folder);
        let author = ["-c", "user.name=a", "-c", "user.email=a@b"];
        fs::write(folder.join(".gitignore"), "/target\n").expect("a file");
        git(&workspace, &["init", "-q"]).expect("git");
        git(&workspace, &["add", "."]).expect("git");
        git(&workspace, &[&author[..], &["commit", "-qm", "x"]].concat()).expect("git");
        let holds = || reference_has_passed(&workspace).expect("an answer");

        assert!(!holds());
        note_reference_passed(&workspace).expect("a note");
        assert!(holds());
        fs::write(folder.join("new"), "1").expect("a file");
        assert!(!holds(), "a new file");
        note_reference_passed(&workspace).expect("a note");
        assert!(holds());
        fs::write(folder.join("new"), "2").expect("a file");
        assert!(!holds(), "another text in it");
        note_reference_passed(&workspace).expect("a note");
        fs::write(folder.join(".gitignore"), "/target\n/x\n").expect("a file");
        assert!(!holds(), "a change of a known file");
        fs::remove_dir_all(&folder).expect("the temporary folder can go");
    }
}
