//! `.mlx/`: where things lie, which steps are done, and that one setup works at a time.

use std::cell::Cell;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// Between a stamp's inputs and its list of files.
const FILES: &str = "\nfiles\n";

/// The repository's `.mlx` folder, locked for as long as this value lives.
pub struct Place {
    root: PathBuf,
    changed: Cell<bool>,
    _lock: File,
}

impl Place {
    /// Creates the folder where it is missing, waits for another setup to end, and removes what that one left half done.
    pub fn lock(root: &Path) -> anyhow::Result<Self> {
        let text = root.to_str().unwrap_or_default();
        ensure!(
            !text.is_empty() && !text.contains([':', '"', '\n']),
            "compilers cannot take the folder {} in a list of paths; move the repository to a path in Unicode without \
             colons and quotes",
            root.display()
        );
        let home = root.join(".mlx");
        fs::create_dir_all(&home).with_context(|| format!("cannot create {}", home.display()))?;
        let path = home.join("lock");
        let lock = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("  waiting for another setup of this folder to end");
                lock.lock().with_context(|| format!("cannot lock {}", path.display()))?;
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        Ok(Place { root: root.to_path_buf(), changed: Cell::new(false), _lock: lock })
    }

    /// The repository's top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside `.mlx`.
    pub fn at(&self, inside: &str) -> PathBuf {
        self.root.join(".mlx").join(inside)
    }

    /// A folder, made where missing, for work that is not whole yet; on the same disk as its destination.
    pub fn partial(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.at("partial").join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }

    /// The same, empty.
    pub fn fresh_partial(&self, name: &str) -> anyhow::Result<PathBuf> {
        remove(&self.at("partial").join(name))?;
        self.partial(name)
    }

    /// Removes what steps needed only while they ran.
    pub fn forget_partial_work(&self) -> anyhow::Result<()> {
        remove(&self.at("partial"))
    }

    /// Moves a whole file or folder to its final name in `.mlx`, in place of what is there.
    pub fn publish(&self, whole: &Path, name: &str) -> anyhow::Result<PathBuf> {
        let destination = self.at(name);
        if whole.is_dir() {
            remove(&destination)?;
        }
        if let Some(folder) = destination.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        fs::rename(whole, &destination).with_context(|| format!("cannot write {}", destination.display()))?;
        Ok(destination)
    }

    /// Whether any step had something to do.
    pub fn changed(&self) -> bool {
        self.changed.get()
    }

    /// Notes that something here is new.
    pub fn note_change(&self) {
        self.changed.set(true);
    }

    /// Whether the step was finished from these inputs and what it left is whole.
    pub fn is_current(&self, step: &str, inputs: &str) -> bool {
        self.is_from(step, inputs) && self.is_whole(step)
    }

    /// Whether the step was finished from these inputs.
    pub fn is_from(&self, step: &str, inputs: &str) -> bool {
        let stamp = fs::read_to_string(self.stamp(step)).unwrap_or_default();
        stamp.split_once(FILES).map_or(stamp.as_str(), |(noted, _)| noted) == inputs
    }

    /// Whether the step was finished, from whatever inputs.
    pub fn has_stamp(&self, step: &str) -> bool {
        self.stamp(step).is_file()
    }

    /// Whether every file that the finished step left still has its length; of an unfinished step nothing is known.
    pub fn is_whole(&self, step: &str) -> bool {
        let stamp = fs::read_to_string(self.stamp(step)).unwrap_or_default();
        let files = stamp.split_once(FILES).map_or("", |(_, files)| files);
        files.lines().all(|line| {
            let Some((length, path)) = line.split_once(' ') else { return false };
            fs::metadata(self.at(path)).is_ok_and(|file| file.len().to_string() == length)
        })
    }

    /// Notes that the step's results are about to change.
    pub fn begin(&self, step: &str) -> anyhow::Result<()> {
        self.note_change();
        remove(&self.stamp(step))
    }

    /// Notes that the step was finished from these inputs, and the lengths of the files that it left.
    ///
    /// `xtask` reads the lengths too, so that whichever command meets a damaged `.mlx` repairs it.
    pub fn finish(&self, step: &str, inputs: &str, left: &[String]) -> anyhow::Result<()> {
        let mut text = format!("{inputs}{FILES}");
        for path in left {
            let file =
                fs::metadata(self.at(path)).with_context(|| format!("cannot read {}", self.at(path).display()))?;
            text += &format!("{} {path}\n", file.len());
        }
        let whole = self.partial("stamps")?.join(step);
        fs::write(&whole, text).with_context(|| format!("cannot write {}", whole.display()))?;
        self.publish(&whole, &format!("stamps/{step}"))?;
        Ok(())
    }

    /// The paths below `.mlx` of all files in its folder `name`.
    pub fn files(&self, name: &str) -> anyhow::Result<Vec<String>> {
        let folder = self.at(name);
        let unreadable = || format!("cannot read {}", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            let path = format!("{name}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                files.extend(self.files(&path)?);
            } else {
                files.push(path);
            }
        }
        Ok(files)
    }

    fn stamp(&self, step: &str) -> PathBuf {
        self.at("stamps").join(step)
    }
}

/// Removes a file or folder that may be missing.
pub fn remove(path: &Path) -> anyhow::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
