//! Builds `extensions` or `solutions/extensions` through its `CMakeLists.txt`, for `cargo xtask build-ext`.
//!
//! In: `ROOT PACKAGE cpu|metal CMAKE`, where CMAKE is a program or `pinned`. Out: the library, and with `metal` the
//! Metal library, in `target/build-ext/PACKAGE/build`; CMake's and the compiler's lines on standard output. A failure
//! is one sentence on standard error: exit code 1 when the sources do not build, 2 when a tool is missing.

mod pinned;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{bail, ensure};

/// The cmake crate reads the program's name from here, so the building is done by a process of its own.
const PROGRAM: &str = "CMAKE";
/// The first argument of that process.
const BUILD: &str = "build";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [BUILD, root, package, backend] => build(Path::new(root), package, backend == "metal").map_err(|e| (1, e)),
        [root, package, backend, cmake] => prepare(Path::new(root), package, backend, cmake),
        _ => Err((2, anyhow::anyhow!("this program is run by: cargo xtask build-ext"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, error)) => {
            eprintln!("{error:#}");
            ExitCode::from(code)
        }
    }
}

/// Makes sure of the tools, then builds. An error comes with its exit code.
fn prepare(root: &Path, package: &str, backend: &str, cmake: &str) -> Result<(), (u8, anyhow::Error)> {
    let environment = |error| (2, error);
    mlx(root).map_err(environment)?;
    let program = program(root, cmake).map_err(environment)?;
    let status = std::env::current_exe().and_then(|this| {
        Command::new(this).args([BUILD, &root.to_string_lossy(), package, backend]).env(PROGRAM, &program).status()
    });
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err((1, anyhow::anyhow!("{package} does not build with {}", program.display()))),
        Err(error) => Err((2, anyhow::anyhow!("this program cannot run itself: {error}"))),
    }
}

/// CMake itself: the one named, or the pinned one, which is installed first where it is missing.
fn program(root: &Path, cmake: &str) -> anyhow::Result<PathBuf> {
    match cmake {
        "pinned" => pinned::install(root),
        program => Ok(program.into()),
    }
}

/// The folder of MLX's CMake package.
fn mlx(root: &Path) -> anyhow::Result<PathBuf> {
    let folder = root.join(".mlx/mlx/share/cmake/MLX");
    ensure!(
        folder.join("MLXConfig.cmake").is_file(),
        "{} has no MLXConfig.cmake: MLX was set up without its CMake files; delete .mlx and run: cargo xtask setup",
        folder.display()
    );
    Ok(folder)
}

fn build(root: &Path, package: &str, metal: bool) -> anyhow::Result<()> {
    let mut build = cmake::Config::new(root.join(package));
    build
        .out_dir(root.join("target/build-ext").join(package))
        .target(&triple()?)
        .host(&triple()?)
        .profile("Release")
        .define("MLX_DIR", mlx(root)?)
        .define("MLX_C_INCLUDE", root.join(".mlx/mlxc/include"))
        .define("EXT_METAL", if metal { "ON" } else { "OFF" })
        // Nothing is installed: the libraries stay where they are built.
        .build_target("all");
    // The crate panics when CMake fails, with a text meant for build scripts; the lines above it say more.
    std::panic::set_hook(Box::new(|_| {}));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build.build())) {
        Ok(_) => Ok(()),
        Err(_) => bail!("the first `error:` above is the one to read"),
    }
}

/// The Rust name of this machine, which the cmake crate asks for outside a build script.
fn triple() -> anyhow::Result<String> {
    let system = match std::env::consts::OS {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        other => bail!("kernels are built on Linux and macOS, and this is {other}"),
    };
    Ok(format!("{}-{system}", std::env::consts::ARCH))
}
