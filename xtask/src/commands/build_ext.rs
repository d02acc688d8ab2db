//! `cargo xtask build-ext`: checks the tools of kernel work, then builds an extensions package through CMake.

use std::process::{ExitCode, Output};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction};

use super::doctor::check::Check;
use super::doctor::{apple_tools, build_tools, kernel_tools};
use super::setup;
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;

/// The CMake that the package cmake-build installs where the machine has none that is new enough.
const PINNED_CMAKE: &str = "3.31.6";

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("build-ext")
        .about("Checks the tools for kernels and builds extensions/ through CMake")
        .arg(
            Arg::new("backend")
                .long("backend")
                .value_name("cpu|metal")
                .value_parser(["cpu", "metal"])
                .help("metal also compiles the Metal library; it is the default where Apple's Metal compiler answers"),
        )
        .arg(
            Arg::new("reference")
                .long("reference")
                .action(ArgAction::SetTrue)
                .help("Builds solutions/extensions in place of yours"),
        )
}

/// The command. Exit code 1 when the sources do not build, 2 when a tool is missing.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let package = if arguments.get_flag("reference") { "solutions/extensions" } else { "extensions" };
    let backend = arguments.get_one::<String>("backend").map(String::as_str);
    check_compiler()?;
    let cmake = choose_cmake(workspace)?;
    let metal = Metal::choose(backend, apple_checks)?;
    setup::ensure_mlx(workspace)?;
    if let Some(refused) = lint(workspace, package)? {
        print!("{refused}");
        return Ok(ExitCode::FAILURE);
    }
    println!("Building {package} …");
    let output = build(workspace, package, &metal, cmake)?;
    match output.status.code() {
        Some(0) => report(workspace, package, &metal),
        Some(1) => {
            print!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            Ok(ExitCode::FAILURE)
        }
        _ => bail!("{}", String::from_utf8_lossy(&output.stderr).trim_end()),
    }
}

/// Refuses a machine without a C++ compiler.
fn check_compiler() -> anyhow::Result<()> {
    let compiler = build_tools::cxx();
    ensure!(compiler.fine, "{}; {}", compiler.found, compiler.fix);
    show(&compiler, "c++ --version");
    Ok(())
}

/// The program's name, or `pinned`: the course's own, which pip installs.
fn choose_cmake(workspace: &Workspace) -> anyhow::Result<&'static str> {
    let installed = kernel_tools::cmake(&apple_tools::ask);
    show(&installed, "cmake --version");
    if installed.fine {
        return Ok("cmake");
    }
    let there = workspace.root().join(format!(".mlx/tools/cmake-{PINNED_CMAKE}")).is_dir();
    let pip = build_tools::pip(workspace);
    ensure!(
        there || pip.fine,
        "CMake 3.27 or newer is needed: {}; without pip the course cannot fetch its own either: {}",
        installed.found,
        pip.fix
    );
    println!("  {:<14} the course's own {PINNED_CMAKE} does instead, in .mlx/tools", "");
    Ok("pinned")
}

/// The Metal library: built, or skipped and why.
#[derive(Debug)]
struct Metal {
    skipped: Option<String>,
}

/// Apple's tools, each shown as it is looked at; `None` where there can be none.
fn apple_checks() -> Option<Vec<Check>> {
    let checks = cfg!(target_os = "macos").then(|| apple_tools::checks(&apple_tools::ask))?;
    checks.iter().for_each(|tool| show(tool, "cargo xtask doctor"));
    Some(checks)
}

impl Metal {
    fn choose(asked: Option<&str>, checks: impl FnOnce() -> Option<Vec<Check>>) -> anyhow::Result<Self> {
        let skip = |why: &str| Ok(Self { skipped: Some(why.to_string()) });
        if asked == Some("cpu") {
            return skip("--backend cpu was asked for");
        }
        let Some(checks) = checks() else {
            ensure!(
                asked.is_none(),
                "--backend metal needs macOS: Apple's Metal compiler, `xcrun metal`, exists nowhere else. Here, run: \
                 cargo xtask build-ext"
            );
            return skip("Apple's Metal compiler, `xcrun metal`, exists on macOS only; kernels run on the CPU here");
        };
        let missing = checks.iter().find(|tool| !tool.fine);
        let why = missing.map(|tool| format!("{}: {}; {}", tool.name, tool.found, tool.fix));
        match why {
            Some(why) if asked.is_some() => bail!("--backend metal cannot be built: {why}"),
            Some(why) => skip(&format!("{why}. Metal compiles each kernel when it is first launched instead")),
            None => Ok(Self { skipped: None }),
        }
    }

    fn backend(&self) -> &'static str {
        if self.skipped.is_none() { "metal" } else { "cpu" }
    }
}

/// A tool, what it answered and the command of the chapter that asks it.
fn show(tool: &Check, command: &str) {
    let terminal = Terminal::stdout();
    let found = terminal.paint(if tool.fine { Ink::Good } else { Ink::Open }, &tool.found);
    println!("  {:<14} {found}  {}", tool.name, terminal.paint(Ink::Quiet, command));
}

/// Runs the tool package, so that xtask itself needs no build dependencies.
fn build(workspace: &Workspace, package: &str, metal: &Metal, cmake: &str) -> anyhow::Result<Output> {
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "cmake-build", "--"]);
    cargo.arg(workspace.root()).args([package, metal.backend(), cmake]);
    cargo.output().context("cargo does not run; install Rust: https://rustup.rs")
}

/// What Apple's compiler would refuse in the package's Metal sources; on a Mac it says that itself.
fn lint(workspace: &Workspace, package: &str) -> anyhow::Result<Option<String>> {
    if cfg!(target_os = "macos") {
        return Ok(None);
    }
    // Without the list CMake says what is missing.
    let list = std::fs::read_to_string(workspace.root().join(package).join("sources.txt")).unwrap_or_default();
    let sources: Vec<String> =
        list.lines().filter(|line| line.ends_with(".metal")).map(|line| format!("{package}/{}", line.trim())).collect();
    if sources.is_empty() {
        return Ok(None);
    }
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "metal-host", "--bin", "metal-lint", "--"]).args(&sources);
    let output = cargo.output().context("cargo does not run; install Rust: https://rustup.rs")?;
    match output.status.code() {
        Some(0) => {
            println!("  checked  {} Metal sources keep Metal's rules, as far as metal-lint knows them", sources.len());
            Ok(None)
        }
        Some(1) => Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned())),
        _ => bail!("{}", String::from_utf8_lossy(&output.stderr).trim_end()),
    }
}

fn report(workspace: &Workspace, package: &str, metal: &Metal) -> anyhow::Result<ExitCode> {
    let folder = format!("target/build-ext/{package}/build");
    let name = package.replace("solutions/", "solution_");
    let ending = if cfg!(target_os = "macos") { "dylib" } else { "so" };
    let mut built = vec![format!("{folder}/lib{name}.{ending}")];
    if metal.skipped.is_none() {
        built.push(format!("{folder}/{name}.metallib"));
    }
    for file in built {
        ensure!(workspace.root().join(&file).is_file(), "CMake ended well, but {file} is not there");
        println!("  built    {file}");
    }
    if let Some(why) = &metal.skipped {
        println!("  skipped  the Metal library: {why}");
    }
    let reference = if package == "extensions" { "" } else { " --reference" };
    println!("Next: cargo xtask build-ext-test{reference}");
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::super::doctor::check::Need;
    use super::*;

    fn checks(fine: bool) -> Option<Vec<Check>> {
        let (name, fix) = ("xcrun metal", "xcodebuild -downloadComponent MetalToolchain");
        Some(vec![match fine {
            true => Check::fine(name, Need::Optional, "Apple metal version 32023.830"),
            false => Check::missing(name, Need::Optional, "the Metal toolchain is not installed", fix),
        }])
    }

    #[test]
    fn a_metal_library_is_built_where_its_compiler_is() {
        assert_eq!(Metal::choose(None, || checks(true)).expect("it is there").backend(), "metal");
        assert_eq!(Metal::choose(Some("metal"), || checks(true)).expect("it is there").backend(), "metal");
        assert_eq!(Metal::choose(Some("cpu"), || checks(true)).expect("nobody needs it").backend(), "cpu");
    }

    #[test]
    fn without_its_compiler_kernels_are_compiled_when_they_are_launched() {
        let metal = Metal::choose(None, || checks(false)).expect("it goes on without");
        assert_eq!(metal.backend(), "cpu");
        let why = metal.skipped.expect("it says why");
        assert!(why.contains("toolchain is not installed; xcodebuild -downloadComponent MetalToolchain"), "{why}");
        assert!(why.contains("Metal compiles each kernel when it is first launched"), "{why}");
        let error = Metal::choose(Some("metal"), || checks(false)).expect_err("it was asked for").to_string();
        assert!(error.starts_with("--backend metal cannot be built: xcrun metal: the Metal toolchain"), "{error}");
        let error = Metal::choose(Some("metal"), || None).expect_err("not a Mac").to_string();
        assert!(error.starts_with("--backend metal needs macOS"), "{error}");
    }
}
