//! Libraries that a process compiles once, for programs that launch kernels by file and name over and over.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::Result;
use crate::kernel::Kernel;
use crate::library::Library;
use crate::options::{Options, Source};

/// Compiled files by path. A file that changes while the process runs is not looked at again.
#[derive(Default)]
pub struct Store {
    options: Options,
    kernels: Mutex<HashMap<(PathBuf, String), Kernel>>,
    libraries: Mutex<HashMap<PathBuf, Library>>,
}

impl Store {
    /// A store that compiles with these options.
    pub fn new(options: Options) -> Self {
        Store { options, ..Store::default() }
    }

    /// The kernel `name` of `file`, which is compiled when it is asked for first.
    pub fn kernel(&self, file: &Path, name: &str) -> Result<Kernel> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (file.to_path_buf(), name.to_string());
        if let Some(kernel) = kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        let library = match libraries.get(file) {
            Some(library) => library.clone(),
            None => {
                let library = Library::compile(&Source::file(file), &self.options)?;
                libraries.insert(file.into(), library.clone());
                library
            }
        };
        let kernel = library.kernel(name)?;
        kernels.insert(key, kernel.clone());
        Ok(kernel)
    }
}
