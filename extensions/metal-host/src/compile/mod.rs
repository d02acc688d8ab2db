//! A `.metal` source becomes a shared library: preprocessed, translated, compiled, kept in the cache.

mod cache;
mod compiler;
mod embedded;
mod messages;
mod translated;
mod wording;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) use cache::{Cache, file, remove};
pub(crate) use compiler::Compiler;
pub(crate) use embedded::is_own;
pub(crate) use messages::Lines;
pub(crate) use translated::Translated;

use crate::error::{Error, Result};
use crate::finding::{Finding, Kind};
use crate::options::{Options, Source};

/// How a library is instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sanitizer {
    /// Finds races: two threads, one memory, no barrier between. Names both lines.
    Thread,
    /// Finds accesses outside of buffers and arrays, to the byte, arrays of one thread included.
    Address,
    /// Finds misaligned vectors, shifts that are too wide, overflow of signed numbers.
    Undefined,
}

impl Sanitizer {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sanitizer::Thread => "thread",
            Sanitizer::Address => "address",
            Sanitizer::Undefined => "undefined",
        }
    }
}

/// A source that was translated, and all that is needed to compile it in any form.
pub(crate) struct Workshop {
    pub cache: Cache,
    pub compiler: Compiler,
    pub lines: Lines,
    /// The folder with the host's headers and the sources of its runtime.
    pub own: PathBuf,
    runtime: PathBuf,
    /// The C++.
    pub translated: String,
}

impl Workshop {
    /// Preprocesses and translates; compiles the runtime where it is not there yet.
    pub fn open(source: &Source, options: &Options) -> Result<Self> {
        if cfg!(not(target_os = "linux")) {
            return Err(Error::Load("the Metal host runs on Linux; on a Mac, run the kernel on its GPU".into()));
        }
        let Translated { compiler, cache, own, lines, text: translated } = Translated::of(source, options)?;
        let fibers = if options.portable_fibers { "-DMH_UCONTEXT" } else { "-UMH_UCONTEXT" };
        let runtime = cache.file("libmetal-host.so", &key(&compiler, &own, fibers), |to| {
            let mut command = compiler.command();
            command.args(["-std=c++17", "-O2", "-g", "-fPIC", "-shared", "-pthread", fibers]);
            command.arg("-I").arg(own.join("include")).arg(own.join("runtime/all.cpp")).arg("-o").arg(to);
            own_source(command, "the runtime")
        })?;
        Ok(Workshop { cache, compiler, lines, own, runtime, translated })
    }

    pub fn runtime(&self) -> &Path {
        &self.runtime
    }

    /// The compiled kernels, plain or instrumented.
    pub fn library(&self, sanitizer: Option<Sanitizer>) -> Result<PathBuf> {
        let instrument = match sanitizer {
            None => "-O2".to_string(),
            Some(s) => format!("-O1 -fno-omit-frame-pointer -fsanitize={}", s.name()),
        };
        let key = self.key(&instrument) + &self.translated;
        self.cache.file("kernels.so", &key, |to| {
            let cpp = self.cache.temporary("cpp");
            std::fs::write(&cpp, &self.translated).map_err(file("writing", &cpp))?;
            let mut command = self.compiler.command();
            command.args(self.compiler.flags()).args(instrument.split(' '));
            // Names in debug information as they were given, from whatever folder this is run.
            if let Ok(here) = std::env::current_dir() {
                command.arg(format!("-fdebug-prefix-map={}=.", here.display()));
            }
            // Other warnings are about C++ that nobody wrote; they are not shown.
            command
                .args(["-Werror=vla", "-shared"])
                .arg("-I")
                .arg(self.own.join("include"))
                .arg(&cpp)
                .arg("-o")
                .arg(to);
            self.link(&mut command);
            let output = run(command);
            remove(&cpp);
            let output = output?;
            if output.status.success() {
                return Ok(());
            }
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Error::Compile(messages::errors(&said, &self.lines)))
        })
    }

    /// The program that runs a launch under a sanitizer.
    pub fn child(&self, sanitizer: Sanitizer) -> Result<PathBuf> {
        let flag = format!("-fsanitize={}", sanitizer.name());
        self.cache.file(&format!("child-{}.bin", sanitizer.name()), &self.key(&flag), |to| {
            let mut command = self.compiler.command();
            command.args(["-std=c++17", "-O1", "-g", &flag]).arg("-I").arg(self.own.join("include"));
            command.arg(self.own.join("child/main.cpp")).arg("-o").arg(to).arg("-ldl");
            self.link(&mut command);
            let missing = |finding: Finding| {
                let help = "its sanitizers may be a package of their own (Debian: apt install libclang-rt-19-dev for clang 19, \
                            libtsan2 and libasan8 for g++ 12), or take another compiler by METAL_HOST_CXX";
                Finding { title: format!("{} has no {} sanitizer here: {}", self.compiler.name(), sanitizer.name(), finding.title), ..finding }.help(help)
            };
            own_source(command, "the program for sanitizers").map_err(|error| match error {
                Error::Compile(findings) => Error::Compile(findings.into_iter().map(missing).collect()),
                error => error,
            })
        })
    }

    /// Each runtime has libraries of its own: they are linked to it by its path.
    fn key(&self, flags: &str) -> String {
        key(&self.compiler, &self.own, flags) + &self.runtime.display().to_string()
    }

    /// The runtime that every library and the child share.
    fn link(&self, command: &mut Command) {
        let folder = self.runtime.parent().unwrap_or(Path::new("/"));
        command.arg(&self.runtime).arg(format!("-Wl,-rpath,{}", folder.display()));
    }
}

/// What a compiled file depends on besides its source.
fn key(compiler: &Compiler, own: &Path, flags: &str) -> String {
    // The folder's name holds the hash of the host's own files.
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}\0{}\0{}\0{}\0{flags}\0", own.display(), compiler.identity, compiler.flags().join(" "))
}

fn run(mut command: Command) -> Result<Output> {
    let name = command.get_program().display().to_string();
    command.output().map_err(|source| Error::Program { name, source })
}

/// Compiles a source of this crate, in which an error is not the user's.
fn own_source(command: Command, what: &str) -> Result<()> {
    let output = run(command)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // A linker says what it misses before the compiler says that it failed.
    let first =
        ["cannot find", "No such file", "error"].iter().find_map(|word| said.lines().find(|l| l.contains(word)));
    let first = first.unwrap_or(said.trim());
    Err(Error::Compile(vec![Finding::error(Kind::Internal, format!("{what} does not compile: {first}"))]))
}
