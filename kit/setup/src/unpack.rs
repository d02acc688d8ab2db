//! Takes files out of a wheel, which is a zip archive.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use zip::ZipArchive;

/// Writes every file that `place_for` gives a path to; the names come from the archive, with `/` between folders.
pub fn unpack(wheel: &Path, place_for: impl Fn(&str) -> Option<PathBuf>) -> anyhow::Result<()> {
    let unreadable = || format!("{} is damaged; delete it and run: cargo xtask setup", wheel.display());
    let file = File::open(wheel).with_context(unreadable)?;
    let mut archive = ZipArchive::new(io::BufReader::new(file)).with_context(unreadable)?;
    let mut written = 0;
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).with_context(unreadable)?;
        // A name that leads out of the folder is not one of ours.
        let Some(name) = member.enclosed_name().and_then(|name| name.to_str().map(str::to_owned)) else { continue };
        let Some(path) = place_for(&name).filter(|_| member.is_file()) else { continue };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let mut output = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        io::copy(&mut member, &mut output).with_context(|| format!("cannot write {}", path.display()))?;
        written += 1;
    }
    ensure!(written > 0, "{} holds none of the files that it should", wheel.display());
    Ok(())
}
