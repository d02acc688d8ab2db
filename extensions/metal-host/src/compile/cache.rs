//! Compiled files, kept by a hash of everything they were made from. Any number of processes may share a folder: a file
//! is written under a name of its own and renamed when it is whole.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Error, Result};
use crate::options::Options;

pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub fn open(options: &Options) -> Result<Self> {
        let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = options
            .cache
            .clone()
            .or_else(|| variable("METAL_HOST_CACHE"))
            .or_else(|| variable("XDG_CACHE_HOME").map(|f| f.join("metal-host")))
            .or_else(|| variable("HOME").map(|f| f.join(".cache/metal-host")))
            .unwrap_or_else(|| std::env::temp_dir().join("metal-host"));
        // Absolute: compiled kernels find the runtime by this path, from any working folder.
        let folder = std::path::absolute(&folder).map_err(file("resolving the cache folder", &folder))?;
        std::fs::create_dir_all(&folder).map_err(file("creating the cache folder", &folder))?;
        Ok(Cache { folder })
    }

    /// The file of this name and key; `make` writes it where there is none.
    pub fn file(&self, name: &str, key: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let path = self.folder.join(format!("{stem}-{}.{ending}", hash(key)));
        if !path.exists() {
            let temporary = self.temporary(ending);
            let made = make(&temporary)
                .and_then(|()| std::fs::rename(&temporary, &path).map_err(file("renaming a compiled file to", &path)));
            if made.is_err() {
                remove(&temporary);
            }
            made?;
        }
        Ok(path)
    }

    /// The folder that holds these files.
    pub fn folder_of(&self, name: &str, files: &[(&str, &str)]) -> Result<PathBuf> {
        let key: String = files.iter().map(|(name, text)| format!("{name}\0{text}\0")).collect();
        let path = self.folder.join(format!("{name}-{}", hash(&key)));
        if path.exists() {
            return Ok(path);
        }
        let temporary = self.temporary("folder");
        for (name, text) in files {
            let to = temporary.join(name);
            let parent = to.parent().unwrap_or(&temporary);
            std::fs::create_dir_all(parent).map_err(file("creating", parent))?;
            std::fs::write(&to, text).map_err(file("writing", &to))?;
        }
        match std::fs::rename(&temporary, &path) {
            Ok(()) => Ok(path),
            // Another process was faster.
            Err(_) if path.exists() => {
                remove(&temporary);
                Ok(path)
            }
            Err(source) => Err(file("renaming a folder to", &path)(source)),
        }
    }

    /// A path that no other process and no other call uses.
    pub fn temporary(&self, ending: &str) -> PathBuf {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let n = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("temporary-{}-{n}.{ending}", std::process::id()))
    }
}

/// Removes what is only in the way: nothing depends on it being gone.
pub(crate) fn remove(path: &Path) {
    let gone = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    drop(gone);
}

pub(crate) fn file<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(std::io::Error) -> Error + 'a {
    move |source| Error::File { path: path.into(), doing, source }
}

/// FNV-1a in 128 bits: two keys that ever meet have different hashes.
fn hash(key: &str) -> String {
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    const START: u128 = 0x6c62272e07bb014262b821756295c58d;
    let hash = key.bytes().fold(START, |h, byte| (h ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}
