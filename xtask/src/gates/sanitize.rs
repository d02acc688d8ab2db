//! The kernels under sanitizers: the tests of the reference's extension with AddressSanitizer and
//! UndefinedBehaviorSanitizer, its threads with ThreadSanitizer. In comes the extension, out comes the first report.
//!
//! Each sanitizer must first find a mistake that was planted for it, so that a gate which sees nothing does not pass.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, ensure};

use super::{Outcome, output};
use crate::grade::package::{TestProgram, executable};
use crate::workspace::Workspace;

/// The package whose feature `sanitize` compiles its C++ with the first two sanitizers.
const PACKAGE: &str = "solution-extensions";

/// Memory that nothing was written to reads as NaN in f32, f16 and bf16. Leaks are not looked for: MLX keeps threads and
/// caches until the end of the process.
const ASAN_OPTIONS: &str =
    "detect_leaks=0:malloc_fill_byte=255:max_malloc_fill_size=1073741824:detect_stack_use_after_return=1";
const UBSAN_OPTIONS: &str = "print_stacktrace=1";

/// Lines of a report that are shown.
const LINES: usize = 40;

/// For every change: the pool, and the planted mistakes.
pub fn smoke(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if runtime()?.is_none() {
        return Ok(without_runtime());
    }
    Ok(match pool(workspace).and_then(|()| planted(workspace)) {
        Ok(()) => Outcome::Passed("the pool of threads; planted mistakes found; all kernels with --deep".to_string()),
        Err(report) => Outcome::Failed(format!("{report:#}")),
    })
}

fn without_runtime() -> Outcome {
    Outcome::Skipped("the C++ compiler has no AddressSanitizer that can be loaded first".to_string())
}

/// All tests of the extension besides, the slow ones too.
pub fn whole(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let Some(runtime) = runtime()? else {
        return Ok(without_runtime());
    };
    if let Err(report) = pool(workspace).and_then(|()| planted(workspace)) {
        return Ok(Outcome::Failed(format!("{report:#}")));
    }
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--no-run", "--color", "never", "--package", PACKAGE, "--features", "sanitize", "--test", "*"]);
    let (status, text) = output(&mut cargo)?;
    if !status.success() {
        return Ok(Outcome::Failed(format!("the extension does not compile with sanitizers:\n{text}")));
    }
    let folder = workspace.root().join("solutions/extensions");
    let (mut programs, mut tests) = (0, 0);
    for (_, path) in text.lines().filter_map(executable) {
        let program = TestProgram { path: workspace.root().join(path), folder: folder.clone() };
        let mut command = Command::new(&program.path);
        command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
        command.env("LD_PRELOAD", &runtime).env("ASAN_OPTIONS", ASAN_OPTIONS).env("UBSAN_OPTIONS", UBSAN_OPTIONS);
        command.env("RUST_TEST_THREADS", "1").args(["--color", "never", "--include-ignored"]);
        let (status, text) = output(&mut command)?;
        if !status.success() {
            return Ok(Outcome::Failed(report(&text)));
        }
        programs += 1;
        tests += text.lines().filter(|line| line.starts_with("test ") && line.ends_with("... ok")).count();
    }
    ensure!(tests > 0, "no test of {PACKAGE} ran under the sanitizers");
    Ok(Outcome::Passed(format!("{tests} tests of {programs} programs; planted mistakes found")))
}

/// The library that has to be loaded before all others; `None` where the compiler brings none.
fn runtime() -> anyhow::Result<Option<PathBuf>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let Ok(output) = compiler().arg("-print-file-name=libasan.so").output() else { return Ok(None) };
    // A compiler that does not have the file repeats its name.
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(path.is_absolute().then_some(path))
}

fn compiler() -> Command {
    Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()))
}

/// The threads of the extension do their work without a race, and ThreadSanitizer finds the one that was planted.
fn pool(workspace: &Workspace) -> anyhow::Result<()> {
    let program = compiled(workspace, "pool", &["-fsanitize=thread"], &["src/pool.cpp"])?;
    let fine = started(&program, &[])?;
    ensure!(fine.status.success(), "the threads of src/pool.cpp:\n{}", report(&words(&fine)));
    found(&started(&program, &["planted"])?, "ThreadSanitizer: data race")
}

/// AddressSanitizer and UndefinedBehaviorSanitizer find what was planted for them.
fn planted(workspace: &Workspace) -> anyhow::Result<()> {
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ftrivial-auto-var-init=pattern"];
    let program = compiled(workspace, "planted", &flags, &[])?;
    found(&started(&program, &["beyond"])?, "AddressSanitizer: heap-buffer-overflow")?;
    found(&started(&program, &["freed"])?, "AddressSanitizer: heap-use-after-free")?;
    found(&started(&program, &["shift"])?, "runtime error: shift exponent")?;
    found(&started(&program, &["unwritten"])?, "the sum is not a number")
}

/// Compiles tests/sanitize/NAME.cpp with more sources of the extension.
fn compiled(workspace: &Workspace, name: &str, flags: &[&str], sources: &[&str]) -> anyhow::Result<PathBuf> {
    let package = workspace.root().join("solutions/extensions");
    let folder = workspace.root().join("target/ci/sanitize");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let program = folder.join(name);
    let mut command = compiler();
    command.args(["-std=c++20", "-O1", "-g1", "-DEXT_NS=sanitized", "-DEXT_PREFIX=sanitized_", "-pthread"]);
    command.args(flags).arg("-I").arg(package.join("include")).arg(package.join(format!("tests/sanitize/{name}.cpp")));
    command.args(sources.iter().map(|source| package.join(source))).arg("-o").arg(&program);
    let (status, text) = output(&mut command)?;
    ensure!(status.success(), "tests/sanitize/{name}.cpp does not compile:\n{text}");
    Ok(program)
}

fn started(program: &Path, arguments: &[&str]) -> anyhow::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments).env("ASAN_OPTIONS", ASAN_OPTIONS).env("UBSAN_OPTIONS", UBSAN_OPTIONS);
    command.output().with_context(|| format!("{} does not run", program.display()))
}

/// Errors where the program ended well, or badly for another reason.
fn found(output: &Output, sign: &str) -> anyhow::Result<()> {
    let text = words(output);
    let blind = "a mistake that was planted was not found, so the sanitizer sees nothing";
    ensure!(!output.status.success() && text.contains(sign), "{blind} ({sign}):\n{}", report(&text));
    Ok(())
}

fn words(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// From the line of a sanitizer on, or the end of the text.
fn report(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_report = |line: &&str| line.contains("Sanitizer: ") || line.contains("runtime error: ");
    let start = lines.iter().position(is_report).unwrap_or(lines.len().saturating_sub(LINES));
    lines[start..].iter().take(LINES).copied().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_begins_where_the_sanitizer_speaks() {
        let before = "running 1 test\n".repeat(50);
        let text = format!("{before}==1==ERROR: AddressSanitizer: heap-buffer-overflow on x\n    #0 kernel\n");
        assert_eq!(report(&text), "==1==ERROR: AddressSanitizer: heap-buffer-overflow on x\n    #0 kernel");
        assert_eq!(report(&before).lines().count(), LINES);
        assert_eq!(
            report("a.cpp:3:5: runtime error: shift exponent 40 is too large"),
            "a.cpp:3:5: runtime error: shift exponent 40 is too large"
        );
    }
}
