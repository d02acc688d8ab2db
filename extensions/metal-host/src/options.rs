//! What is compiled, and how.

use std::path::{Path, PathBuf};

/// A Metal source.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: String,
    /// None: `name` is a path.
    pub(crate) text: Option<String>,
}

impl Source {
    /// A file. Its `#include "..."` are looked for beside it.
    pub fn file(path: impl AsRef<Path>) -> Self {
        Source { name: path.as_ref().display().to_string(), text: None }
    }

    /// Text; `name` is what reports call it.
    pub fn text(name: &str, text: &str) -> Self {
        Source { name: name.into(), text: Some(text.into()) }
    }
}

/// How to compile. `Options::default()` suits a file without includes of its own; it defines the macros that the variable
/// METAL_HOST_DEFINES lists, such as `A,B=2`.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) includes: Vec<PathBuf>,
    pub(crate) defines: Vec<String>,
    pub(crate) compiler: Option<PathBuf>,
    pub(crate) cache: Option<PathBuf>,
    pub(crate) strict: bool,
    pub(crate) portable_fibers: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            includes: Vec::new(),
            defines: defines_of(std::env::var("METAL_HOST_DEFINES").unwrap_or_default().as_str()),
            compiler: None,
            cache: None,
            strict: true,
            portable_fibers: false,
        }
    }
}

fn defines_of(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|define| !define.is_empty()).map(String::from).collect()
}

impl Options {
    /// Looks for `#include` files in this folder too.
    pub fn include(mut self, folder: impl AsRef<Path>) -> Self {
        self.includes.push(folder.as_ref().into());
        self
    }

    /// Defines a macro: `NAME` or `NAME=value`.
    pub fn define(mut self, macro_and_value: &str) -> Self {
        self.defines.push(macro_and_value.into());
        self
    }

    /// Uses this C++ compiler. Without it: the variables METAL_HOST_CXX and CXX, then what is installed.
    pub fn compiler(mut self, path: impl AsRef<Path>) -> Self {
        self.compiler = Some(path.as_ref().into());
        self
    }

    /// Keeps compiled kernels in this folder. Without it: the variable METAL_HOST_CACHE, then `metal-host` in the user's
    /// cache folder. It can be deleted at any time.
    pub fn cache(mut self, folder: impl AsRef<Path>) -> Self {
        self.cache = Some(folder.as_ref().into());
        self
    }

    /// Switches threads by ucontext instead of this crate's assembly: the way of processors other than x86-64 and ARM64,
    /// several times slower.
    pub fn portable_fibers(mut self) -> Self {
        self.portable_fibers = true;
        self
    }

    /// Compiles what Apple's compiler would refuse but C++ accepts: for experiments.
    pub fn lenient(mut self) -> Self {
        self.strict = false;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_the_environment_are_a_list() {
        assert_eq!(defines_of(" A, B=2,,"), ["A", "B=2"]);
        assert!(defines_of("").is_empty());
    }
}
