//! What can be proven of macOS without a Mac: all C++ of the course compiles for it and links against MLX's own library.
//!
//! zig brings the compiler, the linker and the C++ library; the wheel brings `libmlx.dylib`, its headers and metal-cpp, so
//! the Metal calls of `gpu.cpp` are compiled too. Apple's frameworks are on no other system: a few declarations that
//! metal-cpp needs of them stand below.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, bail};

use super::{Outcome, output};
use crate::workspace::Workspace;

/// Everything of this gate, below the repository.
const HOME: &str = "target/macos";

/// What pip fetches, each into a folder of its own.
const PACKAGES: [(&str, &[&str]); 2] = [
    ("zig", &["ziglang==0.15.1"]),
    ("mlx", &["mlx-metal==0.32.2", "--platform", "macosx_14_0_arm64", "--only-binary=:all:"]),
];

const TARGET: &str = "aarch64-macos.14.0";

/// What metal-cpp names of Apple's frameworks, none of which the course uses, and the library that calls Objective-C.
const STAND_INS: [(&str, &str); 5] = [
    ("CoreFoundation/CoreFoundation.h", "#pragma once\n#include <cstdint>\ntypedef double CFTimeInterval;\n"),
    ("IOSurface/IOSurfaceRef.h", "#pragma once\ntypedef struct __IOSurface* IOSurfaceRef;\n"),
    ("CoreGraphics/CGGeometry.h", "#pragma once\nstruct CGSize { double width, height; };\n"),
    ("CoreGraphics/CGColorSpace.h", "#pragma once\ntypedef struct CGColorSpace* CGColorSpaceRef;\n"),
    (
        "libobjc.tbd",
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\ninstall-name: '/usr/lib/libobjc.A.dylib'\n\
         exports:\n  - targets: [ arm64-macos ]\n    symbols: [ _objc_msgSend ]\n...\n",
    ),
];

/// Fetches the compiler and the library: 130 MB.
pub fn fetch(workspace: &Workspace) -> anyhow::Result<()> {
    for (folder, what) in PACKAGES {
        let place = workspace.root().join(HOME).join(folder);
        if place.is_dir() {
            continue;
        }
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]).arg(&place).args(what);
        let (status, text) = output(&mut pip)?;
        if !status.success() {
            bail!("{} cannot be fetched:\n{text}", what[0]);
        }
    }
    Ok(())
}

/// Compiles and links; skipped where the tools have not been fetched.
pub fn cross_link(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let home = workspace.root().join(HOME);
    if !home.join("zig/ziglang").is_dir() || !home.join("mlx/mlx/lib/libmlx.dylib").is_file() {
        let how = "no compiler and no library for macOS here: cargo xtask ci --fetch gets them (130 MB)";
        return Ok(Outcome::Skipped(how.to_string()));
    }
    let Some(mlx_c) = mlx_c(workspace)? else {
        return Ok(Outcome::Skipped("Cargo does not say where the sources of mlx-sys are".to_string()));
    };
    let jobs = jobs(workspace, &home, &mlx_c)?;
    let failures = compile(&home, &jobs)?;
    if !failures.is_empty() {
        return Ok(Outcome::Failed(failures.join("\n")));
    }
    let mut link = zig(&home);
    link.args(["-shared", "-o"]).arg(home.join("course.dylib")).args(jobs.iter().map(|job| &job.object));
    link.arg(home.join("mlx/mlx/lib/libmlx.dylib")).arg(home.join("stand-ins/libobjc.tbd"));
    let (status, text) = output(&mut link)?;
    Ok(match status.success() {
        true => Outcome::Passed(format!("{} sources with their Metal calls, no symbol undefined", jobs.len())),
        false => Outcome::Failed(format!("the libraries do not link for {TARGET}:\n{text}")),
    })
}

/// One source and its flags.
struct Job {
    source: PathBuf,
    flags: Vec<String>,
    object: PathBuf,
}

fn jobs(workspace: &Workspace, home: &Path, mlx_c: &Path) -> anyhow::Result<Vec<Job>> {
    let objects = home.join("objects");
    fs::create_dir_all(&objects).with_context(|| format!("cannot create {}", objects.display()))?;
    let stand_ins = home.join("stand-ins");
    for (name, text) in STAND_INS {
        let path = stand_ins.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&stand_ins))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let headers = home.join("mlx/mlx/include");
    let system = |folder: &Path| ["-isystem".to_string(), folder.display().to_string()];
    let common = [system(&headers), system(mlx_c), system(&headers.join("metal_cpp")), system(&stand_ins)].concat();
    let job = |folder: &Path, source: &str, more: &[String]| {
        let object = objects.join(source.replace('/', "-")).with_extension("o");
        Job { object, flags: [&common[..], more].concat(), source: folder.join(source) }
    };
    let mut jobs: Vec<Job> = Vec::new();
    for entry in fs::read_dir(mlx_c.join("mlx/c")).context("the sources of mlx-c cannot be listed")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            jobs.push(job(mlx_c, &format!("mlx/c/{name}"), &[]));
        }
    }
    // The learner's package is the same code with stubs.
    let folder = workspace.root().join("solutions/extensions");
    let own = [
        "-DEXT_NS=solution_extensions".to_string(),
        "-DEXT_PREFIX=solution_extensions_".to_string(),
        "-DEXT_KERNELS=\"kernels\"".to_string(),
        format!("-I{}", folder.join("include").display()),
    ];
    let list = fs::read_to_string(folder.join("sources.txt")).context("solutions/extensions/sources.txt")?;
    // The sets of instructions beyond the baseline are those of x86-64.
    let of_loops =
        [&own[..], &["-DEXT_ISA=baseline", "-ffp-contract=fast", "-fno-math-errno"].map(String::from)].concat();
    for source in list.lines().map(str::trim).filter(|line| line.ends_with(".cpp")) {
        jobs.push(job(&folder, source, if source.starts_with("src/loops/") { &of_loops } else { &own }));
    }
    jobs.sort_by(|one, other| one.object.cmp(&other.object));
    Ok(jobs)
}

/// Compiles on every processor; returns what the compiler said about each source that failed. zig remembers its work.
fn compile(home: &Path, jobs: &[Job]) -> anyhow::Result<Vec<String>> {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> anyhow::Result<()> {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut command = zig(home);
            command.args(["-std=c++20", "-O1", "-fno-sanitize=undefined", "-include", "cmath", "-c"]);
            command.args(&job.flags).arg(&job.source).arg("-o").arg(&job.object);
            let (status, text) = output(&mut command)?;
            if !status.success() {
                let said = format!("{} does not compile for {TARGET}:\n{text}", job.source.display());
                failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(said);
            }
        }
        Ok(())
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow::anyhow!("a thread failed"))?)
    })?;
    Ok(failures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn zig(home: &Path) -> Command {
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", home.join("zig"));
    command.env("ZIG_GLOBAL_CACHE_DIR", home.join("cache")).env("ZIG_LOCAL_CACHE_DIR", home.join("cache"));
    command.args(["-m", "ziglang", "c++", "-target", TARGET]);
    command
}

/// The sources of mlx-c inside the package that Cargo has unpacked.
fn mlx_c(workspace: &Workspace) -> anyhow::Result<Option<PathBuf>> {
    let (status, text) = output(workspace.cargo().args(["metadata", "--format-version", "1", "--offline", "--quiet"]))?;
    let manifests = text.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut of_mlx = manifests
        .map(Path::new)
        .filter_map(Path::parent)
        .filter(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("mlx-sys-")));
    let found = of_mlx.next().map(|folder| folder.join("src/mlx-c"));
    Ok(found.filter(|folder| status.success() && folder.is_dir()))
}
