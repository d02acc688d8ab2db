//! C++ sources into a static library, on every core, keeping the objects that an earlier run finished.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, anyhow, ensure};

use crate::failure;
use crate::place;
use crate::platform::{Platform, System};
use crate::progress::Step;

/// The C++ compiler of this machine (`CXX`, else the system's) with the flags for code that uses MLX.
pub struct Compiler {
    build: cc::Build,
    version: String,
    system: System,
}

impl Compiler {
    /// Finds it and sees that it runs.
    pub fn find(platform: &Platform, mlx_headers: &Path) -> anyhow::Result<Self> {
        let mut build = cc::Build::new();
        build.cpp(true).std("c++20").opt_level(2).debug(false).pic(true).warnings(false).cargo_metadata(false);
        build.target(platform.triple).host(platform.triple);
        build.flag("-isystem").flag(mlx_headers);
        if platform.system == System::MacOs {
            build.flag("-isystem").flag(mlx_headers.join("metal_cpp"));
        }
        let missing = "no C++ compiler was found; install one with: sudo apt-get install g++ (Debian, Ubuntu) or: \
                       xcode-select --install (macOS)";
        let tool = build.try_get_compiler().map_err(|_| anyhow!(missing))?;
        let output = Command::new(tool.path()).arg("--version").output().context(missing)?;
        ensure!(
            output.status.success(),
            "{} --version failed: {}",
            tool.path().display(),
            failure::last_line(&output.stderr)
        );
        let version = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string();
        Ok(Compiler { build, version, system: platform.system })
    }

    /// What the compiler calls itself.
    pub fn identity(&self) -> &str {
        &self.version
    }

    /// The program with its flags.
    pub fn command(&self) -> anyhow::Result<Command> {
        Ok(self.build.try_get_compiler().map_err(|error| anyhow!("{error}"))?.to_command())
    }

    /// The same for mlx-c: with its headers, and with our stand-in for `<format>` before every file.
    pub fn with(&self, mlx_c: &Path, format: &Path) -> Self {
        let mut build = self.build.clone();
        build.include(mlx_c);
        if self.system == System::Linux {
            build.flag("-include").flag(format);
        }
        Compiler { build, version: self.version.clone(), system: self.system }
    }
}

/// Compiles every source into `work` and collects the objects in `library`.
pub fn archive(
    compiler: &Compiler,
    sources: &[PathBuf],
    work: &Path,
    library: &Path,
    step: &Step,
) -> anyhow::Result<()> {
    let objects: Vec<PathBuf> = sources.iter().map(|source| object_of(source, work)).collect();
    let tool = compiler.build.try_get_compiler().map_err(|error| anyhow!("{error}"))?;
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let work_off = || {
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = object(tool.to_command(), source, &object_of(source, work)) {
                next.store(sources.len(), Ordering::Relaxed);
                failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            step.show(done as u64, sources.len() as u64, &format!("{done} of {}", sources.len()));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work_off);
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        return Err(error);
    }
    place::remove(library)?;
    let mut archiver = compiler.build.try_get_archiver().map_err(|error| anyhow!("{error}"))?;
    let output = archiver.arg("crs").arg(library).args(&objects).output();
    let output = output.context("ar does not run; install it with: sudo apt-get install binutils (Debian, Ubuntu)")?;
    ensure!(output.status.success(), "ar failed: {}", failure::last_line(&output.stderr));
    Ok(())
}

fn object_of(source: &Path, work: &Path) -> PathBuf {
    work.join(source.file_stem().unwrap_or_default()).with_extension("o")
}

/// Compiles one file, unless that is done; a half-written object never bears the final name.
fn object(mut compiler: Command, source: &Path, object: &Path) -> anyhow::Result<()> {
    if object.is_file() {
        return Ok(());
    }
    let unfinished = object.with_extension("part");
    let output = compiler.arg("-c").arg(source).arg("-o").arg(&unfinished).output();
    let output = output.with_context(|| format!("{} does not run", compiler.get_program().display()))?;
    ensure!(output.status.success(), why(&compiler, source, &output));
    fs::rename(&unfinished, object).with_context(|| format!("cannot write {}", object.display()))
}

fn why(compiler: &Command, source: &Path, output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let name = source.file_name().unwrap_or_default().display();
    let compiler = compiler.get_program().display();
    match said.lines().find(|line| line.contains("error") || line.contains("No space left")) {
        Some(error) => {
            format!("{compiler} could not compile {name}: {error}; it must know C++20: g++ 11 or clang 14 do")
        }
        // A signal, and so most often the system's answer to a lack of memory.
        None => {
            format!("{compiler} was stopped while compiling {name} ({}); free some memory and run again", output.status)
        }
    }
}
