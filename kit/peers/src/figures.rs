//! `peers figures`: the author's newest measurement goes into the book's ledger, the ledger's tables into the book.

use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use kit::{Error, Result};

use crate::{ledger, tables};

/// Where everything lies.
pub struct Places {
    /// What `cargo xtask bench` has added to on this machine.
    pub measured: PathBuf,
    /// What the book keeps.
    pub kept: PathBuf,
    /// The folder of the tables.
    pub tables: PathBuf,
}

/// Adds the newest `count` measurements to the book's ledger and writes the tables. Returns the names of changed files.
///
/// Errors: `Other` where a file cannot be read or written, or fewer measurements are there.
pub fn write(places: &Places, count: usize) -> Result<Vec<String>> {
    let mut kept = ledger::parse(&text_of(&places.kept)?)?;
    let measured = if count == 0 { Vec::new() } else { ledger::parse(&text_of(&places.measured)?)? };
    let Some(start) = measured.len().checked_sub(count) else {
        let there = measured.len();
        return Err(Error::Other(format!(
            "{count} measurements should be kept, but {there} were made; cargo xtask bench makes one"
        )));
    };
    measured.into_iter().skip(start).for_each(|line| ledger::keep(&mut kept, line));
    let mut changed = Vec::new();
    let mut files = vec![(places.kept.clone(), ledger::text(&kept))];
    files.extend(tables::files(&kept).into_iter().map(|(name, text)| (places.tables.join(name), text)));
    for (file, text) in files {
        if text_of(&file)? != text {
            replace(&file, &text)?;
            changed.push(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    Ok(changed)
}

/// The names of tables that are not what the ledger gives.
pub fn stale(places: &Places) -> Result<Vec<String>> {
    let wanted = tables::files(&ledger::parse(&text_of(&places.kept)?)?);
    let mut stale = Vec::new();
    for (name, text) in wanted {
        if text_of(&places.tables.join(&name))? != text {
            stale.push(name);
        }
    }
    Ok(stale)
}

/// Empty where there is no such file.
fn text_of(file: &Path) -> Result<String> {
    match fs::read_to_string(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|e| Error::Other(format!("{} cannot be read: {e}", file.display()))),
    }
}

fn replace(file: &Path, text: &str) -> Result<()> {
    let write = || {
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut out = OpenOptions::new().create(true).write(true).truncate(true).open(file)?;
        io::Write::write_all(&mut out, text.as_bytes())
    };
    write().map_err(|e| Error::Other(format!("{} cannot be written: {e}", file.display())))
}
