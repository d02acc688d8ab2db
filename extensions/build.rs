//! Compiles the C++ sources of `sources.txt` into one static archive.
//!
//! The package's name goes into every C symbol and into the C++ namespace, so that the learner's package and the
//! reference can be linked into one test binary (include/ext/symbol.h). MLX's header folders come from the build-script
//! override that `cargo xtask setup` writes, as `DEP_MLX_INCLUDE`. MLX's headers take seconds to read, so a source is
//! compiled again only when it, one of our headers or the compiler's command has changed. The Metal host's header comes the
//! same way, as `DEP_METAL_HOST_API`, where there is one. The loops in `src/loops` include
//! none of them and are compiled once for every set of instructions that the kind of processor may have.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
    process::{self, Command},
    thread,
    time::SystemTime,
};

#[path = "build/diagnostics.rs"]
mod diagnostics;

fn main() {
    // What Cargo reads is printed at the end of a success: of a failure it shows all output, and only the compiler's
    // lines should be there.
    if let Err(sentence) = build() {
        eprintln!("{sentence}");
        process::exit(1);
    }
}

fn build() -> Result<(), String> {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    if fs::read_to_string(here.join("build.rs")).is_ok_and(|now| now != include_str!("build.rs")) {
        // A folder `target` that was copied here holds the script of another place, and Cargo takes it for this one.
        return Err(
            "This build script is not that of build.rs. Run: cargo clean -p extensions -p solution-extensions".into()
        );
    }
    let namespace = variable("CARGO_PKG_NAME")?.replace('-', "_");
    let objects = PathBuf::from(variable("OUT_DIR")?).join("objects");
    fs::create_dir_all(&objects).map_err(|e| format!("{} cannot be created: {e}", objects.display()))?;

    let compiler = compiler(&here, &namespace)?;
    let command = compiler.try_get_compiler().map_err(|e| no_compiler(&e))?.to_command();
    let sources = sources(&here)?;
    let units = units(&sources, &objects, &variable("CARGO_CFG_TARGET_ARCH")?);
    let (note, now) = (objects.join("command"), format!("{:?} {:?}", command.get_program(), command.get_args()));
    let same_command = fs::read_to_string(&note).is_ok_and(|before| before == now);
    let headers = newest(&here.join("include")).map_err(|e| format!("include/ cannot be read: {e}"))?;
    let stale = |unit: &&Unit| {
        let object = changed(&unit.object);
        let inputs = changed(&here.join(unit.source)).max(headers);
        !same_command || object.is_none() || object < inputs
    };
    compile(units.iter().filter(stale).collect(), &here, &command)?;
    fs::write(&note, now).map_err(|e| format!("{} cannot be written: {e}", note.display()))?;

    let mut archive = cc::Build::new();
    archive.cpp(true).objects(units.iter().map(|unit| &unit.object));
    archive.try_compile(&format!("{namespace}_kernels")).map_err(|e| format!("the archive cannot be made: {e}"))?;
    if variable("CARGO_CFG_TARGET_VENDOR")? == "apple" {
        // metal-cpp calls Objective-C.
        println!("cargo::rustc-link-lib=dylib=objc");
    }
    if sanitized() {
        // Found beside the compiler's own libraries; whoever runs a program loads the first of them before all others.
        println!("cargo::rustc-link-arg=-lasan");
        println!("cargo::rustc-link-arg=-lubsan");
    }
    println!("cargo::rustc-env=EXT_PREFIX={namespace}_");
    for input in ["build.rs", "include", "sources.txt"].into_iter().chain(sources.iter().map(String::as_str)) {
        println!("cargo::rerun-if-changed={input}");
    }
    Ok(())
}

/// The sets of instructions that loops are compiled for, the plainest first, with the flags of each.
const X86_64: [(&str, &[&str]); 3] = [
    ("baseline", &[]),
    ("avx2", &["-mavx2", "-mfma", "-mf16c"]),
    ("avx512", &["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx2", "-mfma", "-mf16c"]),
];

/// One call of the compiler.
struct Unit<'a> {
    source: &'a str,
    flags: Vec<String>,
    object: PathBuf,
}

/// Every source once, and the loops once for every set of instructions.
fn units<'a>(sources: &'a [String], objects: &Path, architecture: &str) -> Vec<Unit<'a>> {
    let sets = if architecture == "x86_64" { &X86_64[..] } else { &X86_64[..1] };
    let object =
        |source: &str, set: &str| objects.join(format!("{set}{}", source.replace('/', "-"))).with_extension("o");
    let mut units = Vec::new();
    for source in sources {
        if !source.starts_with("src/loops/") {
            units.push(Unit { source, flags: Vec::new(), object: object(source, "") });
            continue;
        }
        for (set, of_set) in sets {
            // A product and a sum become one instruction; a square root does not set errno.
            let mut flags = vec!["-ffp-contract=fast".into(), "-fno-math-errno".into(), format!("-DEXT_ISA={set}")];
            flags.extend(of_set.iter().map(|flag| flag.to_string()));
            units.push(Unit { source, flags, object: object(source, set) });
        }
    }
    units
}

/// With the feature `sanitize`, a wrong access to memory ends the program, and a variable that nothing was written to
/// holds no harmless zero.
const SANITIZERS: [&str; 5] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-ftrivial-auto-var-init=pattern",
    "-g1",
];

fn sanitized() -> bool {
    env::var_os("CARGO_FEATURE_SANITIZE").is_some()
}

/// The flags that every source is compiled with.
fn compiler(here: &Path, namespace: &str) -> Result<cc::Build, String> {
    let mut compiler = cc::Build::new();
    compiler.cargo_metadata(false).cargo_warnings(false).cargo_debug(false);
    compiler.cpp(true).std("c++20").debug(false).warnings(true).extra_warnings(true);
    match sanitized() {
        true => compiler.opt_level(1).flags(SANITIZERS),
        false => compiler.opt_level(3),
    };
    // A stub refuses without looking at its arguments.
    compiler
        .flag("-Wno-unused-parameter")
        .flag("-Wno-unknown-pragmas")
        .flag("-fdiagnostics-color=never")
        .flag("-fvisibility=hidden");
    compiler.define("EXT_NS", namespace).define("EXT_PREFIX", format!("{namespace}_").as_str());
    compiler.define("EXT_KERNELS", format!("\"{}\"", here.join("kernels").display()).as_str());
    compiler.include(here.join("include"));
    if let Some(metal_host) = env::var_os("DEP_METAL_HOST_API") {
        compiler.include(metal_host);
    }
    for folder in mlx_headers()? {
        // As system headers: their warnings are not the learner's.
        compiler.flag("-isystem").flag(&folder);
    }
    Ok(compiler)
}

/// A source and what the compiler said about it.
type Said<'a> = (&'a str, String);

/// Compiles on as many threads as Cargo allows. An error is what the compiler said about each source that failed; of the
/// sets of instructions the first speaks, because the others say the same.
fn compile<'a>(units: Vec<&Unit<'a>>, here: &Path, command: &Command) -> Result<(), String> {
    let workers = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let one = |unit: &Unit<'a>| {
        let mut compiler = Command::new(command.get_program());
        compiler
            .env("LC_ALL", "C")
            .args(command.get_args())
            .args(&unit.flags)
            .arg("-c")
            .arg(here.join(unit.source))
            .arg("-o")
            .arg(&unit.object);
        let begun = SystemTime::now();
        let no_compiler = |e| (unit.source, format!("{:?} does not run: {e}", command.get_program()));
        let output = compiler.output().map_err(no_compiler)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err((unit.source, diagnostics::once(&said, true)));
        }
        // A source that is saved while it compiles must be newer than its object.
        fs::File::options()
            .append(true)
            .open(&unit.object)
            .and_then(|object| object.set_modified(begun))
            .map_err(|e| (unit.source, format!("{} cannot be dated: {e}", unit.object.display())))?;
        Ok((unit.source, diagnostics::once(&said, false)))
    };
    let share = |worker| units.iter().skip(worker).step_by(workers).map(|unit| one(unit)).collect::<Vec<_>>();
    let results: Vec<Result<Said, Said>> = thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
        running.into_iter().flat_map(|worker| worker.join().expect("compiling does not panic")).collect()
    });
    let (mut said, mut failures) = (BTreeMap::new(), BTreeMap::new());
    for result in results {
        match result {
            Ok((_, nothing)) if nothing.is_empty() => {}
            Ok((source, warnings)) => drop(said.entry(source).or_insert(warnings)),
            Err((source, errors)) => drop(failures.entry(source).or_insert(errors)),
        }
    }
    if failures.is_empty() {
        said.values().flat_map(|warnings| warnings.lines()).for_each(|line| println!("cargo::warning={line}"));
        return Ok(());
    }
    let failures: Vec<String> = failures.into_values().collect();
    let sentence = "The C++ does not compile. The first `error:` above is the one to read.";
    Err(format!("\n{}\n{sentence}", failures.join("\n")))
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

/// When a file of a folder was last changed.
fn newest(folder: &Path) -> io::Result<Option<SystemTime>> {
    let mut newest = changed(folder);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        newest = newest.max(if path.is_dir() { self::newest(&path)? } else { changed(&path) });
    }
    Ok(newest)
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

fn no_compiler(error: &cc::Error) -> String {
    format!("There is no C++ compiler ({error}). Debian: sudo apt install g++. macOS: xcode-select --install")
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; this program is run by Cargo"))
}
