//! The systems that MLX has a wheel for, and what differs between them.

use std::process::Command;

use anyhow::{Context, bail};

use crate::wheels::{self, Wheels};

/// Linux or macOS, where names and link arguments differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux with glibc.
    Linux,
    /// macOS on Apple silicon.
    MacOs,
}

/// The machine that things are built on and for.
#[derive(Debug)]
pub struct Platform {
    /// Rust's name of it, `x86_64-unknown-linux-gnu`.
    pub triple: &'static str,
    /// Its system.
    pub system: System,
    /// The files to download.
    pub wheels: Wheels,
}

impl Platform {
    /// The host that this machine's Rust builds for.
    pub fn of_this_machine() -> anyhow::Result<Self> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc).arg("-vV").output();
        let output =
            output.with_context(|| format!("{} does not run; install Rust: https://rustup.rs", rustc.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Self::of(host.context("rustc -vV names no host; repair Rust with: rustup update stable")?)
    }

    /// The platform with Rust's name `triple`.
    pub fn of(triple: &str) -> anyhow::Result<Self> {
        Ok(match triple {
            "x86_64-unknown-linux-gnu" => {
                Platform { triple: "x86_64-unknown-linux-gnu", system: System::Linux, wheels: wheels::LINUX_X86_64 }
            }
            "aarch64-unknown-linux-gnu" => {
                Platform { triple: "aarch64-unknown-linux-gnu", system: System::Linux, wheels: wheels::LINUX_AARCH64 }
            }
            "aarch64-apple-darwin" => {
                Platform { triple: "aarch64-apple-darwin", system: System::MacOs, wheels: wheels::MACOS_ARM64 }
            }
            other => bail!(
                "there is no MLX for {other}; the course runs on Linux with glibc (x86_64, aarch64) and on macOS with \
                 Apple silicon"
            ),
        })
    }

    /// The file name of MLX's library.
    pub fn library(&self) -> &'static str {
        match self.system {
            System::Linux => "libmlx.so",
            System::MacOs => "libmlx.dylib",
        }
    }

    /// The C++ standard library that MLX is linked with.
    pub fn cxx_runtime(&self) -> &'static str {
        match self.system {
            System::Linux => "stdc++",
            System::MacOs => "c++",
        }
    }

    /// Whether mlx-c leaves the 16-bit float types out, because they hang on Arm's compilers.
    pub fn lacks_half_types(&self) -> bool {
        self.triple.starts_with("x86_64")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_platforms_are_known() {
        for (triple, library) in [
            ("x86_64-unknown-linux-gnu", "libmlx.so"),
            ("aarch64-unknown-linux-gnu", "libmlx.so"),
            ("aarch64-apple-darwin", "libmlx.dylib"),
        ] {
            let platform = Platform::of(triple).expect("a known platform");
            assert_eq!((platform.triple, platform.library()), (triple, library));
        }
    }

    #[test]
    fn any_other_is_one_sentence_that_names_it() {
        for triple in ["riscv64gc-unknown-linux-gnu", "x86_64-unknown-linux-musl", "x86_64-apple-darwin"] {
            let sentence = Platform::of(triple).expect_err("no wheel exists").to_string();
            assert!(sentence.starts_with(&format!("there is no MLX for {triple};")), "{sentence}");
        }
    }
}
