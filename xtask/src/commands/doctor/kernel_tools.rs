//! What kernels need beside a C++ compiler: CMake where build-ext is used, and on macOS, from Week 2 Day 3 on, Xcode with
//! its Metal tools.

use std::process::Command;

use super::check::{Check, Need};
use super::{first_line, version_in};

const FIRST_KERNEL: Need = Need::From(2, 3);
/// The first CMake with what MLX' own build files use.
const OLDEST_CMAKE: (u32, u32) = (3, 27);

/// In the order in which one depends on another.
pub fn all() -> Vec<Check> {
    let mut checks = vec![cmake()];
    if cfg!(target_os = "macos") {
        checks.extend([xcode(), license(), metal(), metal_toolchain()]);
    }
    checks
}

/// The machine's own CMake, which `build-ext` alone uses; it fetches one where this does not do.
pub fn cmake() -> Check {
    let name = "CMake";
    let fix = "only cargo xtask build-ext uses it, and fetches one; or pipx install cmake, brew install cmake (macOS)";
    match first_line(Command::new("cmake").arg("--version")) {
        Some(version) if version_in(&version) >= Some(OLDEST_CMAKE) => Check::fine(name, Need::Optional, version),
        Some(version) => Check::missing(name, Need::Optional, format!("{version} is older than 3.27"), fix),
        None => Check::missing(name, Need::Optional, "not found", fix),
    }
}

/// Xcode itself: its command line tools alone have no Metal compiler.
pub fn xcode() -> Check {
    let name = "Xcode";
    let fix = "install Xcode, then: sudo xcode-select --switch /Applications/Xcode.app";
    match first_line(Command::new("xcode-select").arg("--print-path")) {
        Some(path) if path.contains("CommandLineTools") => {
            Check::missing(name, FIRST_KERNEL, format!("only the command line tools ({path})"), fix)
        }
        Some(path) => Check::fine(name, FIRST_KERNEL, path),
        None => Check::missing(name, FIRST_KERNEL, "not found", fix),
    }
}

fn license() -> Check {
    let name = "Xcode license";
    match first_line(Command::new("xcodebuild").args(["-license", "check"])) {
        Some(_) => Check::fine(name, FIRST_KERNEL, "accepted"),
        None => Check::missing(name, FIRST_KERNEL, "not accepted", "sudo xcodebuild -license accept"),
    }
}

/// Apple's Metal compiler.
pub fn metal() -> Check {
    let name = "xcrun metal";
    match first_line(Command::new("xcrun").args(["--sdk", "macosx", "metal", "--version"])) {
        Some(version) => Check::fine(name, FIRST_KERNEL, version),
        None => Check::missing(name, FIRST_KERNEL, "does not run", "xcodebuild -downloadComponent MetalToolchain"),
    }
}

/// A part of its own since Xcode 26; older ones have the compiler inside.
fn metal_toolchain() -> Check {
    let name = "Metal toolchain";
    let fix = "xcodebuild -downloadComponent MetalToolchain";
    let version = first_line(Command::new("xcodebuild").arg("-version")).unwrap_or_default();
    if version_in(&version) < Some((26, 0)) {
        return Check::fine(name, FIRST_KERNEL, format!("part of {version}"));
    }
    let shown = Command::new("xcodebuild").args(["-showComponent", "MetalToolchain"]).output();
    match shown.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("installed")) {
        true => Check::fine(name, FIRST_KERNEL, "installed"),
        false => Check::missing(name, FIRST_KERNEL, "not installed", fix),
    }
}
