//! Why a kernel was not compiled or its launch is wrong.

use std::fmt;
use std::path::PathBuf;

use crate::finding::{Finding, Kind};

/// What went wrong. Every variant prints as sentences that name the value and, where there is one, the next step.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No C++ compiler that fits was found.
    NoCompiler(String),
    /// A file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A program could not be started.
    Program {
        /// The program.
        name: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The source is not accepted.
    Compile(Vec<Finding>),
    /// A compiled library could not be loaded.
    Load(String),
    /// The library has no kernel of that name.
    NoKernel {
        /// The name.
        name: String,
        /// The names it has.
        known: Vec<String>,
    },
    /// The launch does not fit the kernel, or the kernel is wrong.
    Kernel {
        /// The kernel's name.
        kernel: String,
        /// What was found. Boxed: results stay small.
        finding: Box<Finding>,
    },
}

impl Error {
    /// What was found, when it is about the kernel.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Error::Compile(findings) => findings,
            Error::Kernel { finding, .. } => std::slice::from_ref(finding),
            _ => &[],
        }
    }

    /// The kind of the first finding.
    pub fn kind(&self) -> Option<Kind> {
        self.findings().first().map(|f| f.kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NoCompiler(why) => f.write_str(why),
            Error::File { path, doing, source } => write!(f, "{doing} {}: {source}", path.display()),
            Error::Program { name, source } => write!(f, "{name} cannot be started: {source}"),
            Error::Compile(findings) => {
                for (n, finding) in findings.iter().enumerate() {
                    write!(f, "{}{finding}", if n == 0 { "" } else { "\n\n" })?;
                }
                Ok(())
            }
            Error::Load(why) => write!(f, "the compiled kernel cannot be loaded: {why}"),
            Error::NoKernel { name, known } if known.is_empty() => {
                write!(f, "there is no kernel `{name}`: the source defines none")
            }
            Error::NoKernel { name, known } => {
                write!(f, "there is no kernel `{name}`; there are: {}", known.join(", "))
            }
            Error::Kernel { kernel, finding } => write!(f, "{finding}\n = kernel {kernel}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { source, .. } | Error::Program { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
