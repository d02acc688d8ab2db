//! C++ sources into a static library, on every core, keeping the objects that an earlier run finished.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, anyhow, bail, ensure};

use crate::failure;
use crate::place;
use crate::platform::{Platform, System};
use crate::progress::Step;

/// More groups than this read the headers more often than they save time.
const MOST_GROUPS: usize = 4;

/// The C++ compiler of this machine (`CXX`, else the system's) with the flags for code that uses MLX.
pub struct Compiler {
    build: cc::Build,
    identity: String,
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
        let flags = tool.args().iter().map(|flag| flag.to_string_lossy());
        // Without paths: a repository that has moved needs no other mlx-c.
        let flags: Vec<_> = flags.filter(|flag| !flag.contains('/')).collect();
        Ok(Compiler { build, identity: format!("{version} {}", flags.join(" ")), system: platform.system })
    }

    /// What the compiler calls itself, and its flags.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The program with its flags.
    pub fn command(&self) -> anyhow::Result<Command> {
        Ok(self.build.try_get_compiler().map_err(|error| anyhow!("{error}"))?.to_command())
    }

    /// The same for mlx-c: with its headers, and with what it takes for granted before every file.
    pub fn with(&self, mlx_c: &Path, format: &Path) -> Self {
        let mut build = self.build.clone();
        build.include(mlx_c);
        build.flag("-include");
        match self.system {
            System::Linux => build.flag(format),
            // mlx-c relies on a header that only some versions of the system's C++ library include by themselves.
            System::MacOs => build.flag("cmath"),
        };
        Compiler { build, identity: self.identity.clone(), system: self.system }
    }
}

/// Compiles the sources in `work`, a group a core, and collects the objects in `library`.
///
/// A group is one translation unit: nearly all of the time goes into MLX's headers, which it reads once.
pub fn archive(
    compiler: &Compiler,
    sources: &[PathBuf],
    work: &Path,
    library: &Path,
    step: &Step,
) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let groups = write_groups(sources, work, cores.min(MOST_GROUPS))?;
    let done = AtomicUsize::new(0);
    let compiled = std::thread::scope(|scope| {
        let compile = |group: &PathBuf| {
            object(compiler.command()?, group)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            step.show(done as u64, groups.len() as u64, &format!("{done} of {} groups", groups.len()));
            Ok(group.with_extension("o"))
        };
        step.show(0, groups.len() as u64, &format!("0 of {} groups", groups.len()));
        let threads: Vec<_> = groups.iter().map(|group| scope.spawn(move || compile(group))).collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("a thread panicked")));
        results.collect::<anyhow::Result<Vec<_>>>()
    });
    let objects = compiled?;
    place::remove(library)?;
    let mut archiver = compiler.build.try_get_archiver().map_err(|error| anyhow!("{error}"))?;
    let output = archiver.arg("crs").arg(library).args(&objects).output();
    let output = output.context("ar does not run; install it with: sudo apt-get install binutils (Debian, Ubuntu)")?;
    ensure!(output.status.success(), "ar failed: {}", failure::last_line(&output.stderr));
    Ok(())
}

/// Writes one file a group that includes the group's sources; groups are of about the same length in bytes.
fn write_groups(sources: &[PathBuf], work: &Path, count: usize) -> anyhow::Result<Vec<PathBuf>> {
    let mut sized = Vec::new();
    for source in sources {
        sized.push((fs::metadata(source).with_context(|| format!("cannot read {}", source.display()))?.len(), source));
    }
    sized.sort_by(|a, b| b.cmp(a));
    let mut groups = vec![(0, String::new()); count];
    for (bytes, source) in sized {
        if let Some(lightest) = groups.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            lightest.0 += bytes;
            lightest.1 += &format!("#include \"{}\"\n", source.display());
        }
    }
    let write = |(index, (_, text)): (usize, (u64, String))| {
        let group = work.join(format!("group-{}-of-{count}.cpp", index + 1));
        fs::write(&group, text).with_context(|| format!("cannot write {}", group.display()))?;
        Ok(group)
    };
    groups.into_iter().enumerate().map(write).collect()
}

/// Compiles `x.cpp` to `x.o`, unless that is done; a half-written object never bears the final name.
fn object(mut compiler: Command, source: &Path) -> anyhow::Result<()> {
    let object = &source.with_extension("o");
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
            format!("{compiler} could not compile mlx-c ({name}): {error}; it must know C++20: g++ 11 or clang 14 do")
        }
        // A signal, and so most often the system's answer to a lack of memory.
        None => {
            format!("{compiler} was stopped while compiling mlx-c ({}); free some memory and run again", output.status)
        }
    }
}
