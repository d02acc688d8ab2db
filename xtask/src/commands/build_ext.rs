//! `cargo xtask build-ext`: checks the tools of kernel work, then builds an extensions package through CMake.

use std::process::{ExitCode, Output};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction};

use super::doctor::check::Check;
use super::doctor::{build_tools, kernel_tools};
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
    let metal = Metal::choose(backend)?;
    setup::ensure_mlx(workspace)?;
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
    let installed = kernel_tools::cmake();
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
struct Metal {
    skipped: Option<String>,
}

impl Metal {
    fn choose(asked: Option<&str>) -> anyhow::Result<Self> {
        let skip = |why: &str| Ok(Self { skipped: Some(why.to_string()) });
        match asked {
            Some("cpu") => return skip("--backend cpu was asked for"),
            Some(_) if !cfg!(target_os = "macos") => bail!(
                "--backend metal needs macOS: Apple's Metal compiler, `xcrun metal`, exists nowhere else. Here, run: \
                 cargo xtask build-ext"
            ),
            None if !cfg!(target_os = "macos") => {
                return skip(
                    "Apple's Metal compiler, `xcrun metal`, exists on macOS only; kernels run on the CPU here",
                );
            }
            _ => {}
        }
        let tools =
            [(kernel_tools::xcode(), "xcode-select --print-path"), (kernel_tools::metal(), "xcrun metal --version")];
        tools.iter().for_each(|(tool, command)| show(tool, command));
        let missing = tools.iter().find(|(tool, _)| !tool.fine);
        let why = missing.map(|(tool, command)| format!("{} ({command}): {}; {}", tool.name, tool.found, tool.fix));
        match why {
            Some(why) if asked.is_some() => bail!("--backend metal cannot be built: {why}"),
            skipped => Ok(Self { skipped }),
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
