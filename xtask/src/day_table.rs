//! A day's rows as a learner reads them: the table, and the first failure in full.

use crate::day_report::Row;
use crate::libtest::{self, Message, Outcome};
use crate::manifest::{Day, Week};
use crate::state::Progress;
use crate::terminal::{Ink, Terminal};

/// The table of a day.
pub fn table(week: &Week, day: &Day, rows: &[Row<'_>], terminal: Terminal) -> String {
    let title = format!("Week {} · Day {} · {}", week.number, day.number, day.title);
    let chapter = format!("book/src/{}", day.chapter);
    let gap = terminal.width.saturating_sub(title.chars().count() + chapter.chars().count()).max(2);
    let mut text =
        format!("{}{:gap$}{}\n", terminal.paint(Ink::Strong, &title), "", terminal.paint(Ink::Quiet, &chapter));
    let widest = |of: &dyn Fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let label = widest(&|row| row.label.chars().count());
    let name = widest(&|row| full_title(row).chars().count());
    let state = widest(&|row| state_word(row).chars().count());
    let count = widest(&|row| count_words(row).chars().count());
    for row in rows {
        let (word, ink) = (state_word(row), state_ink(row));
        let padding = " ".repeat(state - word.chars().count());
        let line = format!("  {:label$} {:name$}  ", row.label, full_title(row));
        let counted = format!("{:count$}", count_words(row));
        let used = line.chars().count() + state + 2 + counted.chars().count() + 2;
        let at = row.at.as_deref().unwrap_or("");
        let place = match at.is_empty() {
            true => String::new(),
            false if used + at.chars().count() <= terminal.width => format!("  {at}"),
            false => format!("\n  {:label$} {at}", ""),
        };
        let line =
            format!("{line}{}{padding}  {counted}{}", terminal.paint(ink, &word), terminal.paint(Ink::Quiet, &place));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn full_title(row: &Row<'_>) -> String {
    if row.is_required() { row.title.clone() } else { format!("{} (optional)", row.title) }
}

fn state_word(row: &Row<'_>) -> String {
    match row.progress {
        Progress::NotStarted => "not started".to_string(),
        Progress::Blocked(by) => format!("blocked by {by}"),
        Progress::Failing { .. } => "failing".to_string(),
        Progress::Passing { .. } => "passing".to_string(),
        Progress::Untested if row.skipped.is_some() => "skipped".to_string(),
        Progress::Untested => "not tested".to_string(),
    }
}

fn state_ink(row: &Row<'_>) -> Ink {
    match row.progress {
        Progress::Passing { .. } => Ink::Good,
        Progress::Failing { .. } => Ink::Bad,
        Progress::NotStarted | Progress::Blocked(_) => Ink::Open,
        Progress::Untested => Ink::Quiet,
    }
}

fn count_words(row: &Row<'_>) -> String {
    match row.progress {
        Progress::Failing { failed, total } => format!("{failed} of {total}"),
        Progress::Passing { total } => format!("{total} {}", if total == 1 { "test" } else { "tests" }),
        _ => row.skipped.clone().unwrap_or_default(),
    }
}

/// No more of a message than leaves the table in sight.
const MESSAGE_LINES: usize = 16;

/// The failure of the first row that has one worth reading, in full.
pub fn first_failure(rows: &[Row<'_>], died: Option<&str>, terminal: Terminal) -> Option<String> {
    let failing = |row: &&Row<'_>| matches!(row.progress, Progress::Failing { .. });
    let row = rows.iter().filter(|row| row.is_required()).find(failing).or_else(|| rows.iter().find(failing))?;
    let test = row.failure.as_ref()?;
    let Message { at, lines } = match &test.outcome {
        Outcome::Failed(report) => libtest::message(report, terminal.colour()),
        _ => {
            let how = died.map_or(String::new(), |signal| format!(" ({signal})"));
            let what = format!("the test program ended inside this test{how}; the tests after it did not run");
            Message { at: None, lines: vec![what] }
        }
    };
    let heading = format!("{} {}", row.label, test.name);
    let place = at.map_or(String::new(), |at| format!("  {at}"));
    let mut text = format!("{}{}\n", terminal.paint(Ink::Strong, &heading), terminal.paint(Ink::Quiet, &place));
    for line in lines.iter().take(MESSAGE_LINES) {
        text += format!("  {line}").trim_end();
        text.push('\n');
    }
    if lines.len() > MESSAGE_LINES {
        text += &format!("  … {} more lines: add `-- --nocapture` to read them\n", lines.len() - MESSAGE_LINES);
    }
    Some(text)
}
