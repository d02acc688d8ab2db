//! What setup and every build need: Rust, a C++ compiler, pip.

use std::io::Write;
use std::process::{Command, Stdio};

use super::check::{Check, Need};
use super::{first_line, version_in};
use crate::commands::setup;
use crate::workspace::Workspace;

const FIRST_DAY: Need = Need::From(1, 1);

/// The first Cargo whose configuration files may include others; an older one ignores where MLX is.
const OLDEST_CARGO: (u32, u32) = (1, 94);

/// Cargo, as this command was started with.
pub fn rust(workspace: &Workspace) -> Check {
    let fix = "update Rust: rustup update stable";
    match first_line(workspace.cargo().arg("--version")) {
        Some(version) if version_in(&version) >= Some(OLDEST_CARGO) => Check::fine("Rust", FIRST_DAY, version),
        Some(version) => {
            let (major, minor) = OLDEST_CARGO;
            Check::missing("Rust", FIRST_DAY, format!("{version} is older than {major}.{minor}"), fix)
        }
        None => Check::missing("Rust", FIRST_DAY, "cargo does not run", "install Rust: https://rustup.rs"),
    }
}

/// The C++ compiler: `CXX`, else the system's; it must know C++20 and have its library's headers.
pub fn cxx() -> Check {
    let name = "C++ compiler";
    let program = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    // `CXX` may carry flags: `ccache g++`.
    let words: Vec<&str> = program.split_whitespace().collect();
    let command = || {
        let mut command = Command::new(words.first().copied().unwrap_or("c++"));
        command.args(words.iter().skip(1));
        command
    };
    let Some(version) = first_line(command().arg("--version")) else {
        let fix = "install it: sudo apt-get install g++ (Debian, Ubuntu) or xcode-select --install (macOS)";
        return Check::missing(name, FIRST_DAY, format!("there is no C++ compiler ({program} does not run)"), fix);
    };
    if compiles(command().args(["-std=c++20", "-fsyntax-only", "-x", "c++", "-"])) {
        return Check::fine(name, FIRST_DAY, version);
    }
    let found = format!("{version} does not compile C++20 with its standard library");
    Check::missing(name, FIRST_DAY, found, "install g++ 11 or clang 14, or a newer one, and name it in CXX")
}

fn compiles(compiler: &mut Command) -> bool {
    let child = compiler.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that reads no further says why with its exit status.
        stdin.write_all(b"#include <span>\nstd::span<int> s;\n").unwrap_or(());
    }
    child.wait().is_ok_and(|status| status.success())
}

/// pip, alone or through uv, which downloads MLX; no longer needed once MLX is here.
pub fn pip(workspace: &Workspace) -> Check {
    let name = "Python and pip";
    let own_mlx = std::env::var_os("MLX_ROOT").is_some_and(|root| !root.is_empty());
    let need = if setup::installed(workspace).is_some() || own_mlx { Need::Optional } else { FIRST_DAY };
    let mut python = None;
    for program in ["python3", "python"] {
        if let Some(pip) = first_line(Command::new(program).args(["-m", "pip", "--version"])) {
            let version = pip.split(" from ").next().unwrap_or_default();
            return Check::fine(name, need, format!("{version} ({program})"));
        }
        python = python.or_else(|| first_line(Command::new(program).arg("--version")));
    }
    if let Some(uv) = first_line(Command::new("uv").arg("--version")) {
        return Check::fine(name, need, uv);
    }
    let fix = "install it: sudo apt-get install python3-pip (Debian, Ubuntu) or brew install python (macOS)";
    match python {
        Some(version) => Check::missing(name, need, format!("{version} has no pip, which downloads MLX"), fix),
        None => Check::missing(name, need, "there is no Python with pip, which downloads MLX", fix),
    }
}
