//! Backups of what a command is about to replace: `.learner/backup/TIME/PATH`, never written over.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::workspace::Workspace;

/// One folder of backups, made at its first file.
pub struct Backup {
    root: PathBuf,
    /// Its name, `20260823-141502`, with `-2` and so on for the second one of a second.
    pub name: String,
}

impl Backup {
    /// A folder that nothing has been written to yet.
    pub fn new(workspace: &Workspace) -> Self {
        let root = workspace.root().to_path_buf();
        let time = utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()));
        let taken = |name: &String| root.join(".learner/backup").join(name).exists();
        let mut names = std::iter::once(time.clone()).chain((2..).map(|n| format!("{time}-{n}")));
        let name = names.find(|name| !taken(name)).unwrap_or(time);
        Self { root, name }
    }

    /// Below the repository: `.learner/backup/20260823-141502`.
    pub fn folder(&self) -> String {
        format!(".learner/backup/{}", self.name)
    }

    /// Keeps these bytes of the file at `path` (below the repository) and says where (below the repository).
    pub fn keep(&self, path: &str, bytes: &[u8]) -> anyhow::Result<String> {
        let kept = format!("{}/{path}", self.folder());
        let file = self.root.join(&kept);
        fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))
            .and_then(|()| fs::write(&file, bytes))
            .with_context(|| format!("cannot write the backup {}", file.display()))?;
        Ok(kept)
    }
}

/// Seconds since 1970 as `YYYYMMDD-HHMMSS`.
fn utc(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year}{:02}{:02}-{hour:02}{minute:02}{second:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn names_are_dates() {
        assert_eq!(utc(0), "19700101-000000");
        assert_eq!(utc(951_782_399), "20000228-235959");
        assert_eq!(utc(951_782_400), "20000229-000000");
        assert_eq!(utc(1_767_225_599), "20251231-235959");
    }
}
