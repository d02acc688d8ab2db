//! One thing that a machine must have, and how a report shows it.

use crate::chapter_hints::wrapped;
use crate::terminal::{Ink, Terminal};

/// Columns before what was found: mark and name.
const BEFORE: usize = 25;
/// Columns of what was found where a need follows: with `from week 2 day 3` the line stays below 80.
const FOUND: usize = 36;

/// From when on something is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// From this week and day on.
    From(u8, u8),
    /// Nothing stops without it.
    Optional,
}

/// What was looked at and what came of it.
#[derive(Debug)]
pub struct Check {
    /// A noun: what is looked at.
    pub name: &'static str,
    /// From when on it is needed.
    pub need: Need,
    /// Whether it is there.
    pub fine: bool,
    /// What was found, or what is wrong.
    pub found: String,
    /// The exact commands that mend it; empty when it is fine.
    pub fix: String,
}

/// How much a check matters to a learner who has reached a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there.
    Fine,
    /// It is missing, and the day cannot run.
    Missing,
    /// It is missing, and the day runs without it.
    Later,
}

impl Check {
    /// Something that is there.
    pub fn fine(name: &'static str, need: Need, found: impl Into<String>) -> Self {
        Check { name, need, fine: true, found: found.into(), fix: String::new() }
    }

    /// Something that is missing.
    pub fn missing(name: &'static str, need: Need, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Check { name, need, fine: false, found: found.into(), fix: fix.into() }
    }

    /// Seen from a week and day.
    pub fn verdict(&self, next: (u8, u8)) -> Verdict {
        match self.need {
            _ if self.fine => Verdict::Fine,
            Need::From(week, day) if (week, day) <= next => Verdict::Missing,
            _ => Verdict::Later,
        }
    }

    /// A line for a person; where something is missing, from when on it is needed and a second line with the fix.
    pub fn line(&self, next: (u8, u8), terminal: Terminal) -> String {
        let mark = match self.verdict(next) {
            Verdict::Fine => terminal.paint(Ink::Good, "✓    "),
            Verdict::Missing => terminal.paint(Ink::Bad, "✗    "),
            Verdict::Later => terminal.paint(Ink::Open, "later"),
        };
        let column = terminal.width.saturating_sub(BEFORE);
        let indented = |text: &str| wrapped(text, column).replace('\n', &format!("\n{:BEFORE$}", ""));
        let line = format!("  {mark} {:<16} ", self.name);
        if self.fine {
            return line + &indented(&self.found);
        }
        let need = match self.need {
            Need::From(week, day) => format!("from week {week} day {day}"),
            Need::Optional => "optional".to_string(),
        };
        let one_line = self.found.chars().count() <= FOUND && FOUND + 1 + need.len() <= column;
        let found = match one_line {
            true => format!("{:<FOUND$} ", self.found),
            false => format!("{}\n{:BEFORE$}", indented(&self.found), ""),
        };
        format!("{line}{found}{}\n{:BEFORE$}{}", terminal.paint(Ink::Quiet, &need), "", indented(&self.fix))
    }

    /// A JSON object.
    pub fn json(&self, next: (u8, u8)) -> String {
        let verdict = match self.verdict(next) {
            Verdict::Fine => "fine",
            Verdict::Missing => "missing",
            Verdict::Later => "later",
        };
        let needed_from = match self.need {
            Need::From(week, day) => format!("\"{week}.{day}\""),
            Need::Optional => "null".to_string(),
        };
        format!(
            "{{\"name\": {}, \"verdict\": \"{verdict}\", \"needed_from\": {needed_from}, \"found\": {}, \"fix\": {}}}",
            quoted(self.name),
            quoted(&self.found),
            quoted(&self.fix)
        )
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_later_day_needs_stops_no_earlier_one() {
        let check = Check::missing("CMake", Need::From(2, 3), "not found", "pipx install cmake");
        assert_eq!(check.verdict((1, 1)), Verdict::Later);
        assert_eq!(check.verdict((2, 3)), Verdict::Missing);
        assert_eq!(check.verdict((3, 1)), Verdict::Missing);
        assert_eq!(Check::missing("mdBook", Need::Optional, "", "").verdict((3, 7)), Verdict::Later);
        assert_eq!(Check::fine("Rust", Need::From(1, 1), "1.95").verdict((1, 1)), Verdict::Fine);
    }

    #[test]
    fn lines_fit_and_a_need_is_shown_where_something_is_missing() {
        let fix = "nothing: cargo xtask build-ext fetches one; or pipx install cmake, brew install cmake (macOS)";
        let long = "c++ (Debian 12.2.0-14+deb12u1) 12.2.0 does not compile C++20 with its standard library";
        for found in ["not found", long] {
            let check = Check::missing("Metal toolchain", Need::From(2, 3), found, fix);
            let line = check.line((1, 1), Terminal::plain());
            assert!(line.lines().all(|line| line.chars().count() <= 80), "{line}");
            assert!(line.contains("from week 2 day 3"), "{line}");
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(&line).ends_with(&words(fix)), "{line}");
        }
        let fine = Check::fine("Rust", Need::From(1, 1), "cargo 1.95.0").line((1, 1), Terminal::plain());
        assert_eq!(fine, "  ✓     Rust             cargo 1.95.0");
    }

    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(quoted("a \"b\" \\ \n"), "\"a \\\"b\\\" \\\\ \\u000a\"");
    }
}
