//! Writes a merged tree into the learner's folder, so that an interruption at any point loses nothing.
//!
//! The order: a snapshot of the folder becomes a commit under `refs/learner-backup/`, changed files are copied to
//! `.learner/backup/`, a note `.learner/update` says what is about to be written, the files are written, the branch moves, the
//! note goes. While the note is there, `cargo xtask update` says how to go on.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::git::{Entry, Git, Tree};
use crate::backup::Backup;
use crate::state::write_whole;

/// What `.learner/update` says.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    /// The reference of the snapshot: `refs/learner-backup/20260823-141502`.
    pub snapshot: String,
    /// The commit that the branch moves to.
    pub target: String,
    /// The paths that are written.
    pub paths: Vec<String>,
}

impl Note {
    fn path(root: &Path) -> PathBuf {
        root.join(".learner/update")
    }

    /// The note of an update that did not end, if there is one.
    pub fn read(root: &Path) -> anyhow::Result<Option<Self>> {
        let path = Self::path(root);
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_string);
        let (snapshot, target) = (value("snapshot "), value("target "));
        let (Some(snapshot), Some(target)) = (snapshot, target) else {
            anyhow::bail!(
                "{} is damaged; your files before the update are in a commit that `git for-each-ref refs/learner-backup` names",
                path.display()
            );
        };
        let paths = text.lines().filter_map(|line| line.strip_prefix("path ")).map(str::to_string).collect();
        Ok(Some(Self { snapshot, target, paths }))
    }

    fn write(&self, root: &Path) -> anyhow::Result<()> {
        let mut text = format!("snapshot {}\ntarget {}\n", self.snapshot, self.target);
        self.paths.iter().for_each(|path| text += &format!("path {path}\n"));
        write_whole(&Self::path(root), text.as_bytes())
    }

    /// Removes the note: the update has ended.
    pub fn finish(root: &Path) -> anyhow::Result<()> {
        let path = Self::path(root);
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
    }
}

/// Writes the files in which `after` differs from the folder's snapshot `before`, then moves the branch to the note's target.
pub fn apply(git: &Git, root: &Path, backup: &Backup, before: &Tree, after: &Tree, note: &Note) -> anyhow::Result<()> {
    note.write(root)?;
    for path in &note.paths {
        put(git, root, backup, path, before.get(path), after.get(path))?;
    }
    git.text(["reset", "--quiet", &note.target])?;
    Note::finish(root)
}

/// The paths in which two trees differ.
pub fn differences(before: &Tree, after: &Tree) -> Vec<String> {
    let mut paths: Vec<String> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).cloned().collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Puts the folder back to the snapshot of an update that did not end; what was changed since is backed up.
pub fn restore(git: &Git, root: &Path, backup: &Backup, note: &Note) -> anyhow::Result<()> {
    let (before, after) = (git.tree(&note.snapshot)?, git.tree(&note.target)?);
    for path in &note.paths {
        put(git, root, backup, path, after.get(path), before.get(path))?;
    }
    git.text(["reset", "--quiet"])?;
    Note::finish(root)
}

/// Writes one file, or removes it; bytes that are neither of the two versions are backed up first.
fn put(
    git: &Git,
    root: &Path,
    backup: &Backup,
    path: &str,
    from: Option<&Entry>,
    to: Option<&Entry>,
) -> anyhow::Result<()> {
    let file = root.join(path);
    let bytes = |entry: Option<&Entry>| entry.map(|entry| git.blob(&entry.blob)).transpose();
    let (from, wanted) = (bytes(from)?, bytes(to)?);
    let present = match fs::read(&file) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).context(format!("cannot read {}", file.display())),
    };
    if let Some(present) =
        present.as_ref().filter(|present| Some(*present) != from.as_ref() && Some(*present) != wanted.as_ref())
    {
        backup.keep(path, present)?;
    }
    match (wanted, present) {
        (Some(wanted), present) => {
            if Some(&wanted) != present.as_ref() {
                write_whole(&file, &wanted)?;
            }
            set_executable(&file, to.is_some_and(|entry| entry.mode == "100755"))
        }
        (None, Some(_)) => fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display())),
        (None, None) => Ok(()),
    }
}

#[cfg(unix)]
fn set_executable(file: &Path, executable: bool) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file)?.permissions().mode();
    let wanted = if executable { mode | 0o111 } else { mode & !0o111 };
    if wanted != mode {
        fs::set_permissions(file, fs::Permissions::from_mode(wanted))
            .with_context(|| format!("cannot change {}", file.display()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn set_executable(_file: &Path, _executable: bool) -> anyhow::Result<()> {
    Ok(())
}

/// Copies every file that the learner changed since `base` to the backup folder.
pub fn copy_changes(git: &Git, backup: &Backup, base: &Tree, ours: &Tree) -> anyhow::Result<usize> {
    let changed = ours.iter().filter(|(path, entry)| base.get(*path) != Some(*entry));
    let mut copied = 0;
    for (path, entry) in changed {
        backup.keep(path, &git.blob(&entry.blob)?)?;
        copied += 1;
    }
    Ok(copied)
}

/// Keeps a snapshot alive: a commit of it under a reference that git does not clean away.
pub fn keep_snapshot(git: &Git, backup: &Backup, tree: &str, head: &str) -> anyhow::Result<String> {
    let commit = git.commit(tree, &[head], "Everything as it was before an update")?;
    let reference = format!("refs/learner-backup/{}", backup.name);
    git.text(["update-ref", &reference, &commit])?;
    ensure!(git.succeeds(["rev-parse", "--verify", "--quiet", &reference]), "git did not keep {reference}");
    Ok(reference)
}
