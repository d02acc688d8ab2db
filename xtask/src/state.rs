//! What the course remembers of a learner, in the file `.learner/state`: one line a fact, readable and safe to delete.
//!
//!     copy week1/tests/day7.rs 92a3f0c41b7e55d0     the test as it was copied, by the hash of its text
//!     task 1.7.2 failing 3 of 5                     the result of the last `cargo xtask test`
//!     hint 1.7.2 2                                  how many hints have been shown

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::manifest::TaskId;
use crate::workspace::Workspace;

/// How far a task is, as its tests see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Its own stub answers.
    NotStarted,
    /// Some of its tests pass; its own stub answers the others.
    Partly { passed: u32, total: u32 },
    /// The stub of another task answers each test that does not pass; `total` is 0 where a state does not say it.
    Blocked { by: TaskId, passed: u32, total: u32 },
    /// A test fails for a reason that is no stub; `failed` counts every test that does not pass.
    Failing { failed: u32, total: u32 },
    /// All of its tests pass.
    Passing { total: u32 },
    /// None of its tests ran.
    Untested,
}

impl Progress {
    /// Whether a test has seen code of the learner.
    pub fn is_begun(self) -> bool {
        match self {
            Self::NotStarted | Self::Untested => false,
            Self::Blocked { passed, .. } => passed > 0,
            Self::Partly { .. } | Self::Failing { .. } | Self::Passing { .. } => true,
        }
    }
}

/// The facts of `.learner/state`.
#[derive(Default)]
pub struct State {
    copies: BTreeMap<String, u64>,
    tasks: BTreeMap<TaskId, Progress>,
    hints: BTreeMap<TaskId, usize>,
    /// Lines of another version of the course, kept as they are.
    others: Vec<String>,
    path: PathBuf,
}

const HEADER: &str =
    "# What `cargo xtask` remembers: copied tests, last results, hints shown. Deleting this file loses no answer.";

impl State {
    /// Reads the file; where there is none, nothing is remembered.
    pub fn load(workspace: &Workspace) -> anyhow::Result<Self> {
        let path = workspace.root().join(".learner/state");
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                let what = format!("{} cannot be read; it holds no answer and may be deleted", path.display());
                return Err(error).context(what);
            }
        };
        let mut state = Self { path, ..Self::default() };
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            if state.understand(line).is_none() {
                state.others.push(line.to_string());
            }
        }
        Ok(state)
    }

    fn understand(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        let (name, value) = rest.split_once(' ')?;
        match kind {
            "copy" => {
                self.copies.insert(name.to_string(), u64::from_str_radix(value, 16).ok()?);
            }
            "task" => {
                self.tasks.insert(name.parse().ok()?, read_progress(value)?);
            }
            "hint" => {
                self.hints.insert(name.parse().ok()?, value.parse().ok()?);
            }
            _ => return None,
        }
        Some(())
    }

    /// Writes the file beside itself first, so that an interruption leaves the old or the new one.
    pub fn save(&self) -> anyhow::Result<()> {
        write_whole(&self.path, self.to_string().as_bytes())
    }

    /// The hash of the test that was last copied to `path` (below the repository).
    pub fn copied(&self, path: &str) -> Option<u64> {
        self.copies.get(path).copied()
    }

    /// Remembers what was copied to `path`.
    pub fn set_copied(&mut self, path: &str, hash: u64) {
        self.copies.insert(path.to_string(), hash);
    }

    /// The task's last result, if it was ever tested.
    pub fn progress(&self, task: TaskId) -> Option<Progress> {
        self.tasks.get(&task).copied()
    }

    /// Whether the task's last result is that all of its tests pass.
    pub fn passes(&self, task: TaskId) -> bool {
        matches!(self.progress(task), Some(Progress::Passing { .. }))
    }

    /// Remembers a result.
    pub fn set_progress(&mut self, task: TaskId, progress: Progress) {
        self.tasks.insert(task, progress);
    }

    /// Forgets a result whose task has changed.
    pub fn forget_progress(&mut self, task: TaskId) {
        self.tasks.remove(&task);
    }

    /// How many hints of the task have been shown.
    pub fn hints_shown(&self, task: TaskId) -> usize {
        self.hints.get(&task).copied().unwrap_or(0)
    }

    /// Remembers how many hints have been shown; 0 forgets the task.
    pub fn set_hints_shown(&mut self, task: TaskId, shown: usize) {
        match shown {
            0 => drop(self.hints.remove(&task)),
            _ => drop(self.hints.insert(task, shown)),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (path, hash) in &self.copies {
            writeln!(f, "copy {path} {hash:016x}")?;
        }
        for (task, progress) in &self.tasks {
            writeln!(f, "task {task} {progress}")?;
        }
        for (task, shown) in &self.hints {
            writeln!(f, "hint {task} {shown}")?;
        }
        self.others.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted => write!(f, "not started"),
            Self::Partly { passed, total } => write!(f, "partly written, {passed} of {total} pass"),
            Self::Blocked { by, passed: 0, .. } => write!(f, "blocked by {by}"),
            Self::Blocked { by, passed, total } => write!(f, "blocked by {by}, {passed} of {total} pass"),
            Self::Failing { failed, total } => write!(f, "failing {failed} of {total}"),
            Self::Passing { total } => write!(f, "passing {total}"),
            Self::Untested => write!(f, "not tested"),
        }
    }
}

fn read_progress(text: &str) -> Option<Progress> {
    let words: Vec<&str> = text.split(' ').collect();
    Some(match words[..] {
        ["not", "started"] => Progress::NotStarted,
        ["not", "tested"] => Progress::Untested,
        ["partly", "written,", passed, "of", total, "pass"] => {
            Progress::Partly { passed: passed.parse().ok()?, total: total.parse().ok()? }
        }
        ["blocked", "by", task] => Progress::Blocked { by: task.parse().ok()?, passed: 0, total: 0 },
        ["blocked", "by", task, passed, "of", total, "pass"] => Progress::Blocked {
            by: task.strip_suffix(',')?.parse().ok()?,
            passed: passed.parse().ok()?,
            total: total.parse().ok()?,
        },
        ["failing", failed, "of", total] => {
            Progress::Failing { failed: failed.parse().ok()?, total: total.parse().ok()? }
        }
        ["passing", total] => Progress::Passing { total: total.parse().ok()? },
        _ => return None,
    })
}

/// Writes a file under another name and renames it, with its folder made where it is missing.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().with_context(|| format!("{} is not a file's path", path.display()))?;
    let name = path.file_name().with_context(|| format!("{} is not a file's path", path.display()))?;
    let beside = folder.join(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, bytes))
        .and_then(|()| fs::rename(&beside, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_unknown_lines_stay() {
        let lines = "copy week1/tests/day7.rs 00000000000000ff\ntask 1.1.1 passing 4\ntask 1.1.2 failing 3 of 5\n\
                     task 1.1.3 blocked by 1.1.1\ntask 1.1.4 not started\n\
                     task 1.6.1 partly written, 2 of 3 pass\ntask 1.6.2 blocked by 1.5.3, 9 of 10 pass\nhint 1.1.2 2\nbest decode 41.5\ntask x passing 1\n";
        let mut state = State::default();
        for line in lines.lines() {
            if state.understand(line).is_none() {
                state.others.push(line.to_string());
            }
        }
        assert_eq!(state.to_string(), format!("{HEADER}\n{lines}"));
        assert_eq!(state.copied("week1/tests/day7.rs"), Some(255));
        assert_eq!(state.others, ["best decode 41.5", "task x passing 1"]);
    }
}
