//! What the compiler says, each thing once: in goes its text, out comes the text without repetitions.
//!
//! A template is compiled for every type of elements, and the compiler complains about its lines each time.

use std::collections::BTreeSet;

/// The first of each message, with what stands before it (in which function) and the lines of code below it.
///
/// Where something `failed`, its warnings are left out: many come from what the compiler could not read.
pub fn once(said: &str, failed: bool) -> String {
    let (mut shown, mut seen) = (String::new(), BTreeSet::new());
    // The lines before a message; whether the last message is shown, with its notes.
    let (mut before, mut showing) = (String::new(), true);
    for line in said.lines() {
        let is = |kinds: &[&str]| kinds.iter().any(|kind| line.contains(&format!(": {kind}: ")));
        if is(&["error", "fatal error", "warning"]) {
            showing = seen.insert(line) && !(failed && is(&["warning"]));
            if showing {
                shown += &before;
            }
            before.clear();
        } else if !is(&["note"]) && !is_code(line) {
            before += &format!("{line}\n");
            continue;
        }
        if showing {
            shown += &format!("{line}\n");
        }
    }
    shown
}

/// `   28 |   int y;`, `      |       ^`
fn is_code(line: &str) -> bool {
    let number = line.split('|').next().unwrap_or_default();
    line.contains('|') && number.chars().all(|c| c == ' ' || c.is_ascii_digit())
}
