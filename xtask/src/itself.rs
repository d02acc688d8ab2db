//! Where this program is, for the commands that run it again.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::Context;

static PATH: OnceLock<PathBuf> = OnceLock::new();

/// Looks while the file is surely there: a build that this program starts may put a new one in its place, and Linux then
/// calls the old one `… (deleted)`.
pub fn remember() {
    if let Ok(path) = std::env::current_exe() {
        PATH.get_or_init(|| path);
    }
}

/// The path of this program, or of the one that has been built in its place.
pub fn path() -> anyhow::Result<PathBuf> {
    PATH.get().cloned().context("this program does not know where it is")
}
