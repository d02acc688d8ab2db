//! Compiled kernels are kept, made anew when something they depend on changes, and shared between processes.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use metal_host::{Arg, Checks, Error, Grid, Library, Options, Result, Source};

/// A folder that is empty, for the test of this name.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{name}-{}", std::process::id()));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    }
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// The names in a folder that begin so.
fn names(folder: &Path, start: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let names = entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned()));
    names.filter(|n| n.starts_with(start)).collect()
}

/// What the kernel `k` of a library writes.
fn value(library: &Library) -> Result<f32> {
    let mut o = [0.0f32];
    library.kernel("k")?.dispatch(Grid::threads(1), 1, &[Arg::output(&mut o)], &Checks::none())?;
    Ok(o[0])
}

const KERNEL: &str = "#include <metal_stdlib>\n#include \"value.h\"\nusing namespace metal;\nkernel void k(device float* o [[buffer(0)]]) { o[0] = VALUE; }\n";

#[test]
fn a_changed_header_or_macro_is_another_library() -> Result<()> {
    let folder = folder("headers");
    let (cache, source) = (folder.join("cache"), folder.join("k.metal"));
    write(&source, KERNEL);
    write(&folder.join("value.h"), "#ifndef VALUE\n#define VALUE 1.5\n#endif\n");
    let options = Options::default().cache(&cache);
    let compile = |options: &Options| Library::compile(&Source::file(&source), options);
    assert_eq!(value(&compile(&options)?)?, 1.5);
    assert_eq!(value(&compile(&options)?)?, 1.5);
    assert_eq!(names(&cache, "kernels-").len(), 1, "the same source was compiled twice");
    write(&folder.join("value.h"), "#ifndef VALUE\n#define VALUE 2.5\n#endif\n");
    assert_eq!(value(&compile(&options)?)?, 2.5);
    assert_eq!(value(&compile(&options.clone().define("VALUE=3.5"))?)?, 3.5);
    assert_eq!(names(&cache, "kernels-").len(), 3);
    // What was compiled is not compiled again.
    let written = |name: &str| std::fs::metadata(cache.join(name)).and_then(|m| m.modified()).ok();
    let before: Vec<_> = names(&cache, "").into_iter().map(|n| (written(&n), n)).collect();
    assert_eq!(value(&compile(&options)?)?, 2.5);
    for (time, name) in before {
        assert_eq!(time, written(&name), "{name} was written again");
    }
    Ok(())
}

/// Runs this test program several times at once, on one empty cache.
#[test]
fn many_processes_at_once_share_a_cache() -> Result<()> {
    if let Some(cache) = std::env::var_os("METAL_HOST_TEST_SHARED") {
        let source = Source::text("k.metal", &KERNEL.replace("#include \"value.h\"\n", "").replace("VALUE", "5.5"));
        let library = Library::compile(&source, &Options::default().cache(cache))?;
        assert_eq!(value(&library)?, 5.5);
        return Ok(());
    }
    let folder = folder("shared");
    let program = std::env::current_exe().expect("the test program");
    let start = |_| {
        let mut command = Command::new(&program);
        command.args(["many_processes_at_once_share_a_cache", "--exact"]).env("METAL_HOST_TEST_SHARED", &folder);
        command.stdout(Stdio::null()).spawn().expect("the test program starts")
    };
    let running: Vec<_> = (0..3).map(start).collect();
    for mut process in running {
        assert!(process.wait().expect("a child of this process").success());
    }
    assert_eq!(names(&folder, "kernels-").len(), 1);
    assert_eq!(names(&folder, "libmetal-host-").len(), 1);
    assert!(names(&folder, "temporary-").is_empty(), "{:?}", names(&folder, "temporary-"));
    Ok(())
}

#[test]
fn without_a_compiler_there_is_a_sentence() {
    let options = support::options().compiler("no-such-compiler");
    let error = Library::compile(&Source::text("k.metal", KERNEL), &options).err().expect("there is no such compiler");
    assert!(matches!(error, Error::NoCompiler(_)), "{error}");
    assert!(error.to_string().contains("no-such-compiler cannot be started"), "{error}");
}

/// A machine where no compiler is found says what to install.
#[test]
fn without_any_compiler_there_is_advice() {
    if std::env::var_os("METAL_HOST_TEST_ALONE").is_some() {
        let error =
            Library::compile(&Source::text("k.metal", KERNEL), &support::options()).err().expect("none is found");
        assert!(error.to_string().contains("apt install g++") && error.to_string().contains("CXX"), "{error}");
        return;
    }
    let mut command = Command::new(std::env::current_exe().expect("the test program"));
    command.args(["without_any_compiler_there_is_advice", "--exact"]).env("METAL_HOST_TEST_ALONE", "yes");
    command.env("PATH", "/nowhere").env_remove("CXX").env_remove("METAL_HOST_CXX");
    assert!(command.stdout(Stdio::null()).status().expect("the test program starts").success());
}

#[test]
fn a_missing_file_is_named() {
    let error = Library::compile(&Source::file("tests/kernels/nothing.metal"), &support::options())
        .err()
        .expect("no such file");
    assert!(error.to_string().contains("tests/kernels/nothing.metal"), "{error}");
    let text = "#include <metal_stdlib>\n#include \"nothing.h\"\n";
    let error = Library::compile(&Source::text("k.metal", text), &support::options()).err().expect("no such header");
    let said = error.to_string();
    assert!(said.contains("nothing.h") && said.contains("k.metal:2"), "{said}");
}
