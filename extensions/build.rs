//! Compiles the C++ sources of `sources.txt` into one static archive.
//!
//! The package's name goes into every C symbol and into the C++ namespace, so that the learner's package and the
//! reference can be linked into one test binary (include/ext/symbol.h). MLX's header folders come from the build-script
//! override that `cargo xtask setup` writes, as `DEP_MLX_INCLUDE`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process, thread,
};

fn main() {
    if let Err(sentence) = build() {
        // A panic would bury the compiler's own lines, which Cargo shows as warnings above.
        eprintln!("{sentence}");
        process::exit(1);
    }
}

fn build() -> Result<(), String> {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let namespace = variable("CARGO_PKG_NAME")?.replace('-', "_");
    let prefix = format!("{namespace}_");
    println!("cargo::rustc-env=EXT_PREFIX={prefix}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=sources.txt");

    let mut compiler = cc::Build::new();
    compiler.cpp(true).std("c++20").opt_level(3).debug(false).warnings(true).extra_warnings(true);
    // A stub refuses without looking at its arguments.
    compiler.flag_if_supported("-Wno-unused-parameter").flag_if_supported("-fdiagnostics-color=never");
    compiler.flag_if_supported("-fvisibility=hidden");
    compiler.define("EXT_NS", namespace.as_str()).define("EXT_PREFIX", prefix.as_str());
    compiler.define("EXT_KERNELS", format!("\"{}\"", here.join("kernels").display()).as_str());
    compiler.include("include");
    for folder in mlx_headers()? {
        // As system headers: their warnings are not the learner's.
        compiler.flag("-isystem").flag(&folder);
    }
    let sources = sources(&here)?;
    sources.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
    let workers = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1).min(sources.len());
    let (compiler, all) = (&compiler, &sources);
    let objects = thread::scope(|scope| {
        let share = |worker| all.iter().skip(worker).step_by(workers);
        let work = |worker| scope.spawn(move || compiler.clone().files(share(worker)).try_compile_intermediates());
        let running: Vec<_> = (0..workers).map(work).collect();
        running.into_iter().map(|worker| worker.join().expect("cc does not panic")).collect::<Result<Vec<_>, _>>()
    });
    let objects = objects.map_err(|failure| worded(&failure, &here))?;
    cc::Build::new()
        .cpp(true)
        .objects(objects.concat())
        .try_compile(&format!("{namespace}_kernels"))
        .map_err(|failure| worded(&failure, &here))?;
    if variable("CARGO_CFG_TARGET_VENDOR")? == "apple" {
        // metal-cpp calls Objective-C.
        println!("cargo::rustc-link-lib=dylib=objc");
    }
    Ok(())
}

/// What to do about a failed compilation. The compiler's own lines have been printed.
fn worded(failure: &cc::Error, here: &Path) -> String {
    let failure = failure.to_string();
    if failure.contains("ailed to find tool") {
        return "There is no C++ compiler. Debian: sudo apt install g++. macOS: xcode-select --install".to_string();
    }
    format!("The C++ of {} does not compile. Read the first `error:` of the compiler's lines above.", here.display())
}

/// The C++ files of `sources.txt`, relative to the package.
fn sources(here: &Path) -> Result<Vec<String>, String> {
    let list = here.join("sources.txt");
    let text = fs::read_to_string(&list).map_err(|e| format!("{} cannot be read: {e}", list.display()))?;
    Ok(text.lines().map(str::trim).filter(|line| line.ends_with(".cpp")).map(String::from).collect())
}

/// MLX's and mlx-c's header folders, and metal-cpp's where this MLX has Metal.
fn mlx_headers() -> Result<Vec<PathBuf>, String> {
    let listed = env::var("DEP_MLX_INCLUDE").map_err(|_| "MLX is not set up yet. Run this first: cargo xtask setup")?;
    let mut folders: Vec<PathBuf> = env::split_paths(&listed).collect();
    let metal: Vec<PathBuf> = folders.iter().map(|folder| folder.join("metal_cpp")).filter(|f| f.is_dir()).collect();
    folders.extend(metal);
    Ok(folders)
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; this program is run by Cargo"))
}
