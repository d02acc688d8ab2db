//! The compiler's warnings, each once: in go the lines of Cargo, which says the same again for every test program that it
//! builds, out come the warnings that this process has not shown yet.

use std::collections::BTreeSet;
use std::mem::take;
use std::sync::{Mutex, PoisonError};

use crate::cargo_test::is_status;
use crate::cpp_messages;

static SHOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The warning that is being read.
#[derive(Default)]
pub struct Warnings {
    /// As it came, with its colours; empty where the last line was of no warning.
    text: String,
    /// Whether its last line has been read.
    ended: bool,
    /// Whether it is of the C++ compiler, whose lines Cargo makes a warning each.
    cpp: bool,
}

impl Warnings {
    /// The warning that the line does not belong to, where there is one that has not been shown; `plain` is the line
    /// without colours and without its end.
    pub fn before(&mut self, plain: &str) -> String {
        let begins = || ["warning: ", "error"].iter().any(|start| plain.starts_with(start));
        let goes_on = match self.cpp {
            true => cpp_messages::warning(plain).is_some(),
            false => !self.ended && !begins(),
        };
        if goes_on && !is_status(plain) { String::new() } else { self.last() }
    }

    /// Keeps the line, if it is of a warning.
    pub fn take(&mut self, plain: &str, line: &str) -> bool {
        if self.text.is_empty() && !plain.starts_with("warning: ") {
            return false;
        }
        if let Some(said) = cpp_messages::warning(plain) {
            self.cpp = true;
            self.text += &format!("{said}\n");
            return true;
        }
        self.text += line;
        // A warning ends with an empty line, and their count is one line.
        self.ended = plain.is_empty() || plain.contains(" generated ");
        true
    }

    /// The last warning, if it has not been shown.
    pub fn last(&mut self) -> String {
        (self.ended, self.cpp) = (false, false);
        let text = take(&mut self.text);
        let is_new = |text: &str| SHOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_string());
        if is_new(&text) { text } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_cpp_warning_are_one_and_shown_without_cargos_part() {
        let lines = ["a.cpp:3:7: warning: unused variable 'y'", "    3 |   int y;", "      |       ^"];
        let mut said: String = lines.map(|line| format!("warning: extensions@0.1.0: {line}\n")).concat();
        said = format!("{said}    Finished\n");
        let (mut warnings, mut shown) = (Warnings::default(), String::new());
        for line in said.repeat(2).split_inclusive('\n') {
            let plain = line.trim_end();
            shown += &warnings.before(plain);
            if !warnings.take(plain, line) {
                shown += line;
            }
        }
        let once = lines.map(|line| format!("{line}\n")).concat();
        assert_eq!(shown + &warnings.last(), format!("{once}    Finished\n    Finished\n"));
    }

    #[test]
    fn the_same_warning_is_shown_once_and_what_is_around_it_stays() {
        let unused = "warning: unused import: `Twice`\n --> a.rs:1:5\n\n";
        let count = "warning: `a` (lib) generated 1 warning\n";
        let said = format!("   Compiling a\n{unused}{count}{unused}error: no\n\n{count}    Finished\n");
        let (mut warnings, mut shown) = (Warnings::default(), String::new());
        for line in said.split_inclusive('\n') {
            let plain = line.trim_end();
            shown += &warnings.before(plain);
            if !warnings.take(plain, line) {
                shown += line;
            }
        }
        assert_eq!(shown + &warnings.last(), format!("   Compiling a\n{unused}{count}error: no\n\n    Finished\n"));
    }
}
