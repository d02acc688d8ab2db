//! What kernels need beside a C++ compiler: CMake where `build-ext` is used, and on macOS Xcode where a Metal library is
//! built.

use super::apple_tools::{self, Ask};
use super::check::{Check, Need};
use super::version_in;

/// The first CMake with what MLX' own build files use.
const OLDEST_CMAKE: (u32, u32) = (3, 27);

/// All of them, as this machine answers.
pub fn all() -> Vec<Check> {
    let mut checks = vec![cmake(&apple_tools::ask)];
    if cfg!(target_os = "macos") {
        checks.extend(apple_tools::checks(&apple_tools::ask));
    }
    checks
}

/// The machine's own CMake, which `build-ext` alone uses; it fetches one where this does not do.
pub fn cmake(ask: Ask) -> Check {
    let name = "CMake";
    let fix = "only cargo xtask build-ext uses it, and fetches one; or pipx install cmake, brew install cmake (macOS)";
    let answer = ask("cmake --version");
    let version = answer.text.lines().next().unwrap_or_default().trim().to_string();
    match answer.code {
        Some(0) if version_in(&version) >= Some(OLDEST_CMAKE) => Check::fine(name, Need::Optional, version),
        Some(0) => Check::missing(name, Need::Optional, format!("{version} is older than 3.27"), fix),
        _ => Check::missing(name, Need::Optional, "not found", fix),
    }
}

#[cfg(test)]
mod tests {
    use super::super::apple_tools::Answer;
    use super::cmake;

    #[test]
    fn a_cmake_that_is_too_old() {
        let with = |code, text: &'static str| cmake(&move |_: &str| Answer { code, text: text.to_string() });
        let old = with(
            Some(0),
            "cmake version 3.25.1\n\nCMake suite maintained and supported by Kitware (kitware.com/cmake).\n",
        );
        assert!(!old.fine);
        assert_eq!(old.found, "cmake version 3.25.1 is older than 3.27");
        assert!(old.fix.contains("brew install cmake"), "{old:?}");
        assert!(with(Some(0), "cmake version 3.27.0\n").fine);
        assert!(with(Some(0), "cmake version 4.1.2\n").fine);
        assert_eq!(with(None, "").found, "not found");
    }
}
