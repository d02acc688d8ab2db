//! The `.metal` line of an instruction, by the debug information of the compiled kernel.

use std::path::Path;
use std::process::Command;

use crate::compile::is_own;

/// Programs that read it; the first comes with every g++, the others with clang.
const READERS: [&str; 5] =
    ["addr2line", "llvm-addr2line", "llvm-addr2line-19", "llvm-addr2line-18", "llvm-addr2line-16"];

/// File and line of the instruction at `offset` of `module`: of the innermost function that is not the host's own.
pub(super) fn line_of(module: &Path, offset: u64) -> Option<(String, u32)> {
    let run =
        |reader: &&str| Command::new(reader).arg("-i").arg("-e").arg(module).arg(format!("{offset:#x}")).output().ok();
    let output = READERS.iter().find_map(run)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| {
        let line = line.split(" (discriminator").next()?;
        let (file, number) = line.rsplit_once(':')?;
        let number: u32 = number.parse().ok().filter(|&n| n > 0)?;
        (!is_own(file) && !file.contains('?')).then(|| (shown(file), number))
    })
}

/// A path as it was given to the compiler: debug information puts `./` in front of it.
pub(super) fn shown(file: &str) -> String {
    file.strip_prefix("./").unwrap_or(file).to_string()
}
