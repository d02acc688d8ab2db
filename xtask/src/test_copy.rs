//! Copies of the master tests in the learner's packages: `solutions/week1/tests/cases/day7.rs` → `week1/tests/day7.rs`.
//!
//! A copy that nobody touched follows its master silently; a copy the learner changed is kept or backed up, and named.

use std::fs;

use anyhow::Context;

use crate::backup::Backup;
use crate::state::{State, write_whole};
use crate::workspace::Workspace;

/// What to do with a copy that the learner changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// Leave it as it is.
    Keep,
    /// Back it up and write the master over it.
    Replace,
}

/// What happened to a copy; paths are below the repository.
#[derive(Debug, PartialEq, Eq)]
pub enum Copied {
    /// It is there now.
    New,
    /// It was the same as the master already.
    Same,
    /// The master has changed and nobody had touched the copy.
    Refreshed,
    /// The learner's version is at this path.
    Replaced(String),
    /// The learner's version stays.
    Kept,
}

/// `week1/tests/day7.rs`, below the repository.
pub fn copy_path(package: &str, test: &str) -> String {
    format!("{package}/tests/{test}.rs")
}

/// `solutions/week1/tests/cases/day7.rs`, below the repository.
pub fn master_path(package: &str, test: &str) -> String {
    format!("solutions/{package}/tests/cases/{test}.rs")
}

/// Brings the copy up to date with the master and remembers it in `state` (which the caller saves).
pub fn copy(
    workspace: &Workspace,
    state: &mut State,
    package: &str,
    test: &str,
    changed: Changed,
) -> anyhow::Result<Copied> {
    let path = copy_path(package, test);
    let master = workspace.root().join(master_path(package, test));
    let master = fs::read(&master)
        .with_context(|| format!("the tests at {} cannot be read; restore them with git", master.display()))?;
    let file = workspace.root().join(&path);
    let current = match fs::read(&file) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).context(format!("cannot read {}", file.display())),
    };
    let outcome = match current {
        None => Copied::New,
        Some(bytes) if bytes == master => Copied::Same,
        Some(bytes) if state.copied(&path) == Some(hash(&bytes)) => Copied::Refreshed,
        Some(_) if changed == Changed::Keep => return Ok(Copied::Kept),
        Some(bytes) => Copied::Replaced(Backup::new(workspace).keep(&path, &bytes)?),
    };
    if outcome != Copied::Same {
        write_whole(&file, &master)?;
    }
    state.set_copied(&path, hash(&master));
    Ok(outcome)
}

/// 64-bit FNV-1a: the same on every machine and with every compiler.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
