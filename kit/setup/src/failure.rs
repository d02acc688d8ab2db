//! A failure as the one sentence that a learner reads.

use std::io::ErrorKind;

/// What compilers, pip and cargo print when a disk is full.
const NO_SPACE: &str = "No space left on device";

/// The error's chain in one line; a full disk, wherever it was met, says what to do about it.
pub fn sentence(error: &anyhow::Error) -> String {
    let full = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| matches!(io.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    };
    let chain = format!("{error:#}");
    if error.chain().any(full) || chain.contains(NO_SPACE) {
        return "the disk is full; free about 5 GB and run again: cargo xtask setup (it goes on where it stopped)"
            .into();
    }
    chain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The last line that says something: of a tool's output, the one worth repeating.
pub fn last_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    line.unwrap_or("it printed nothing").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_full_disk_is_named_however_deep_it_lies() {
        let full = Err::<(), _>(std::io::Error::from(ErrorKind::StorageFull));
        let error = full.context("cannot write libmlx.so").context("unpacking").expect_err("it failed");
        assert!(sentence(&error).starts_with("the disk is full; free about 5 GB"));
        let told = anyhow::anyhow!("c++ failed: array.o: No space left on device");
        assert!(sentence(&told).starts_with("the disk is full;"));
    }

    #[test]
    fn anything_else_is_its_chain_in_one_line() {
        let error = anyhow::anyhow!("no such\nfolder").context("cannot read x");
        assert_eq!(sentence(&error), "cannot read x: no such folder");
        assert_eq!(last_line(b"a\nb \n\n"), "b");
        assert_eq!(last_line(b""), "it printed nothing");
    }
}
