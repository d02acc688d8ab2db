//! One thing that a machine must have, and how a report shows it.

use crate::terminal::{Ink, Terminal};

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

    /// A line for a person; a second one with the fix where something is missing.
    pub fn line(&self, next: (u8, u8), terminal: Terminal) -> String {
        let mark = match self.verdict(next) {
            Verdict::Fine => terminal.paint(Ink::Good, "✓    "),
            Verdict::Missing => terminal.paint(Ink::Bad, "✗    "),
            Verdict::Later => terminal.paint(Ink::Open, "later"),
        };
        let need = match self.need {
            Need::From(week, day) => format!("from week {week} day {day}"),
            Need::Optional => "optional".to_string(),
        };
        let line = format!("  {mark} {:<18} {:<52} {}", self.name, self.found, terminal.paint(Ink::Quiet, &need));
        match self.fix.as_str() {
            "" => line,
            fix => format!("{line}\n{:27}{fix}", ""),
        }
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
    fn json_strings_are_escaped() {
        assert_eq!(quoted("a \"b\" \\ \n"), "\"a \\\"b\\\" \\\\ \\u000a\"");
    }
}
