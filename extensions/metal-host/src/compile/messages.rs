//! What a C++ compiler prints, as findings about the `.metal` file: in Metal's names, without the host's own headers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::embedded::is_own;
use super::wording::{hint, in_metal};
use crate::finding::{Finding, Kind, Place};

/// The lines of the sources that reports show.
#[derive(Clone, Default)]
pub(crate) struct Lines {
    files: Arc<Mutex<HashMap<String, Option<Arc<str>>>>>,
}

impl Lines {
    /// Knows the text of a source that is no file.
    pub fn with(name: &str, text: &str) -> Self {
        let lines = Lines::default();
        lines.lock().insert(name.into(), Some(text.into()));
        lines
    }

    pub fn place(&self, file: &str, line: u32) -> Place {
        let mut files = self.lock();
        let text = files.entry(file.into()).or_insert_with(|| std::fs::read_to_string(file).ok().map(Arc::from));
        let text = text.as_ref().and_then(|t| t.lines().nth(line.saturating_sub(1) as usize));
        Place { file: file.into(), line, text: text.map(|t| t.trim_end().to_string()) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Option<Arc<str>>>> {
        self.files.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

/// One `file:line:column: severity: message`.
struct Message<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
}

/// At most this many errors: later ones mostly follow from the first.
const MOST: usize = 6;

/// The errors in `output`.
pub(super) fn errors(output: &str, lines: &Lines) -> Vec<Finding> {
    let messages: Vec<Message> =
        output.lines().filter_map(message).filter(|m| !m.text.starts_with("warning: ")).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for (n, message) in messages.iter().enumerate() {
        let Some(text) = message.text.strip_prefix("error: ").or(message.text.strip_prefix("fatal error: ")) else {
            continue;
        };
        // In a header of the host: the line that led there is said before by g++, after by clang.
        let is_error = |m: &&Message| m.text.contains("error: ");
        let place = if !is_own(message.file) {
            Some((message.file, message.line))
        } else {
            let before = messages[..n].iter().rev().take_while(|m| !is_error(m));
            let after = messages[n + 1..].iter().take_while(|m| !is_error(m));
            before.chain(after).find(|m| !is_own(m.file)).map(|m| (m.file, m.line))
        };
        // Later errors of a line mostly follow from its first; those in a header explain the one before.
        let known = |f: &Finding| f.places.first().map(|p| (p.file.as_str(), p.line)) == place;
        if place.is_some() && findings.iter().any(known) {
            continue;
        }
        let finding = Finding::error(Kind::Compile, in_metal(text)).at(place.map(|(f, l)| lines.place(f, l)));
        let finding = match hint(text) {
            Some(help) => finding.help(help),
            None => finding,
        };
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    // Errors that have a line of the source are what a reader can act on.
    if findings.iter().any(|f| !f.places.is_empty()) {
        findings.retain(|f| !f.places.is_empty());
    }
    findings.truncate(MOST);
    if findings.is_empty() {
        let said = output.trim().lines().last().unwrap_or("it said nothing");
        findings.push(Finding::error(Kind::Compile, format!("the C++ compiler failed: {said}")));
    }
    findings
}

fn message(line: &str) -> Option<Message<'_>> {
    let mut parts = line.splitn(3, ':');
    let (file, number, rest) = (parts.next()?, parts.next()?, parts.next()?);
    // `In file included from a.h:3:` and the lines that continue it.
    if file.contains("included from ") || file.starts_with(' ') {
        return None;
    }
    // The column may be missing.
    let text = match rest.split_once(':') {
        Some((column, text)) if column.chars().all(|c| c.is_ascii_digit()) && !column.is_empty() => text,
        _ => rest,
    };
    Some(Message { file, line: number.parse().ok()?, text: text.trim_start() })
}
