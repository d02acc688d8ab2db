//! A file of prompts: lines in, the ones that hold text out, each with its number in the file.

use std::path::Path;

use crate::{Error, Result};

/// As many numbers of lines are said; the others are counted.
const SAID: usize = 8;

/// The lines of a file.
pub(super) struct Prompts {
    /// Number and text of those that are not blank.
    pub(super) written: Vec<(usize, String)>,
    /// The numbers of the blank ones.
    pub(super) blank: Vec<usize>,
}

impl Prompts {
    /// Lines count from 1, as an editor shows them. A byte order mark is no part of the first one.
    ///
    /// Errors: `Other` for a file that cannot be read, the number of the first line that is not UTF-8, a file without any
    /// text.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let name = file.display();
        let bytes =
            std::fs::read(file).map_err(|e| Error::Other(format!("the prompts in {name} cannot be read: {e}")))?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let mut prompts = Self { written: Vec::new(), blank: Vec::new() };
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let line = std::str::from_utf8(line).map_err(|e| {
                let place = e.valid_up_to() + 1;
                Error::Other(format!(
                    "line {number} of {name} is not UTF-8 at its byte {place}; save the file as UTF-8"
                ))
            })?;
            match line.trim_end_matches(['\r', '\n']) {
                blank if blank.trim().is_empty() => prompts.blank.push(number),
                text => prompts.written.push((number, text.to_string())),
            }
        }
        if prompts.written.is_empty() {
            return Err(Error::Other(format!("{name} holds no prompt; write one into each line")));
        }
        Ok(prompts)
    }
}

/// Names lines: `line 2`, `lines 2, 5`, and no more than a few of many.
pub(super) fn lines(numbers: &[usize]) -> String {
    let said: Vec<String> = numbers.iter().take(SAID).map(usize::to_string).collect();
    let more = match numbers.len().saturating_sub(SAID) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("line{} {}{more}", if numbers.len() == 1 { "" } else { "s" }, said.join(", "))
}
