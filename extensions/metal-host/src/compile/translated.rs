//! The first half of compiling: a `.metal` source is preprocessed and becomes C++, or is refused.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::cache::{Cache, file};
use super::compiler::Compiler;
use super::messages::{self, Lines};
use super::{embedded, run};
use crate::error::{Error, Result};
use crate::finding::{Finding, Kind};
use crate::options::{Options, Source};
use crate::translate::translate;

/// A source that is C++, and what made it that.
pub(crate) struct Translated {
    pub compiler: Compiler,
    pub cache: Cache,
    pub own: PathBuf,
    pub lines: Lines,
    pub text: String,
}

impl Translated {
    /// Preprocesses and translates, and no more.
    pub fn of(source: &Source, options: &Options) -> Result<Self> {
        let compiler = Compiler::find(options.compiler.as_deref())?;
        let cache = Cache::open(options)?;
        let own = cache.folder_of("metal-host", embedded::FILES)?;
        let empty = embedded::EMPTY_HEADERS.map(|name| (name, ""));
        let empty = cache.folder_of("empty-headers", &empty)?;
        let lines = match &source.text {
            Some(text) => Lines::with(&source.name, text),
            None => Lines::default(),
        };
        let preprocessed = preprocess(source, options, &compiler, &own, &empty, &lines)?;
        let text = translate(&preprocessed, options.strict).map_err(|errors| {
            let finding = |d: crate::translate::Diagnostic| {
                let finding = Finding::error(Kind::Compile, d.message).at(Some(lines.place(&d.file, d.line)));
                match d.help {
                    Some(help) => finding.help(help),
                    None => finding,
                }
            };
            Error::Compile(errors.into_iter().map(finding).collect())
        })?;
        Ok(Translated { compiler, cache, own, lines, text })
    }
}

/// The source with its includes and macros resolved, as g++ or clang does that.
fn preprocess(
    source: &Source,
    options: &Options,
    compiler: &Compiler,
    own: &Path,
    empty: &Path,
    lines: &Lines,
) -> Result<String> {
    let mut command = compiler.command();
    // Without the system's macros: only Metal's are defined.
    command.args(["-E", "-x", "c++", "-undef", "-nostdinc", "-D__METAL__=1", "-D__METAL_VERSION__=320"]);
    command.args(["-D__HAVE_BFLOAT__=1", "-D__HAVE_SIMDGROUP_MATRIX__=1", "-D__METAL_CPU_HOST__=1"]);
    if !compiler.is_clang {
        command.arg("-fdiagnostics-plain-output");
    }
    command.arg("-I").arg(empty).arg("-I").arg(own.join("include/shadow"));
    for folder in &options.includes {
        command.arg("-I").arg(folder);
    }
    command.args(options.defines.iter().map(|define| format!("-D{define}")));
    let output = match &source.text {
        None => {
            command.arg(&source.name);
            std::fs::metadata(&source.name).map_err(file("reading", Path::new(&source.name)))?;
            run(command)?
        }
        Some(text) => {
            command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let name = format!("{:?}", command.get_program());
            let program = |source| Error::Program { name: name.clone(), source };
            let mut child = command.spawn().map_err(program)?;
            let mut input = child.stdin.take().expect("stdin was asked for two lines above");
            let text = format!("# 1 {:?}\n{text}", source.name);
            // From a thread of its own: the compiler may print before it has read everything.
            let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
            let output = child.wait_with_output().map_err(program)?;
            // A compiler that stops early closes the pipe; its own message says why.
            drop(writer.join());
            output
        }
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Error::Compile(messages::errors(&String::from_utf8_lossy(&output.stderr), lines)))
}
