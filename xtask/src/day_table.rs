//! A day's rows as a learner reads them: the table, and the first failure in full.

use std::path::Path;

use crate::day_report::{Row, Step};
use crate::libtest::{self, Message, Outcome};
use crate::manifest::{Day, Week};
use crate::state::Progress;
use crate::terminal::{Ink, Terminal};

/// The table of a day; places are links into the course at `root`.
pub fn table(week: &Week, day: &Day, rows: &[Row<'_>], terminal: Terminal, root: &Path) -> String {
    let mut text = heading(week, day, terminal, root);
    let widest = |of: &dyn Fn(&Row<'_>) -> String| rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
    let (label, name, state) =
        (widest(&|row| row.label.clone()), widest(&|row| row.title.clone()), widest(&state_words));
    let columns = 2 + label + 1 + name + 2 + state;
    // Where a row does not fit, each row takes two lines or three.
    let stacked = columns > terminal.width;
    for row in rows {
        let words = state_words(row);
        let painted = terminal.paint(ink(row.progress), &words);
        let mut used = match stacked {
            false => 2 + label + 1 + name + 2 + words.chars().count(),
            true => 2 + label + 1 + words.chars().count(),
        };
        text += &match stacked {
            false => format!("  {:label$} {:name$}  {painted}", row.label, row.title),
            true => format!("  {:label$} {}\n  {:label$} {painted}", row.label, row.title, ""),
        };
        if let Some(at) = &row.at {
            let column = if stacked { used } else { columns };
            if column + 2 + at.chars().count() <= terminal.width {
                text += &" ".repeat(column - used + 2);
            } else {
                used = 2 + label + 1;
                text += &format!("\n{:used$}", "");
            }
            text += &terminal.paint(Ink::Quiet, &terminal.place(root, at));
        }
        text.push('\n');
        text += &ladder(row, 2 + label + 1, terminal);
    }
    text
}

/// A line a step, where some steps of a ladder are further than others.
fn ladder(row: &Row<'_>, indent: usize, terminal: Terminal) -> String {
    let same = row.steps.windows(2).all(|pair| pair[0].progress == pair[1].progress);
    if !row.fails() || same {
        return String::new();
    }
    let name = |step: &Step| format!("step {}, {}", step.number, step.name);
    let words = |step: &Step| match step.progress {
        Progress::Passing { .. } => "passing".to_string(),
        Progress::Failing { .. } => "failing".to_string(),
        open => open.to_string(),
    };
    let widest =
        |of: &dyn Fn(&Step) -> String| row.steps.iter().map(|step| of(step).chars().count()).max().unwrap_or(0);
    let column = widest(&name);
    let fits = indent + column + 2 + widest(&words) <= terminal.width;
    let line = |step: &Step| {
        let state = terminal.paint(ink(step.progress), &words(step));
        match fits {
            true => format!("{:indent$}{:column$}  {state}\n", "", name(step)),
            false => format!("{:indent$}step {}  {state}\n", "", step.number),
        }
    };
    row.steps.iter().map(line).collect()
}

fn heading(week: &Week, day: &Day, terminal: Terminal, root: &Path) -> String {
    let title = format!("Week {} · Day {} · {}", week.number, day.number, day.title);
    let chapter = format!("book/src/{}", day.chapter);
    let used = title.chars().count() + chapter.chars().count();
    let linked = terminal.chapter(root, &day.chapter, "", &chapter);
    let (title, linked) = (terminal.paint(Ink::Strong, &title), terminal.paint(Ink::Quiet, &linked));
    match terminal.width.checked_sub(used) {
        Some(gap) if gap >= 2 => format!("{title}{:gap$}{linked}\n", ""),
        _ => format!("{title}\n  {linked}\n"),
    }
}

fn state_words(row: &Row<'_>) -> String {
    let words = match row.progress {
        Progress::Untested if !row.is_required() && row.skipped.is_none() => return "optional".to_string(),
        Progress::Passing { total } => format!("passing {total} {}", if total == 1 { "test" } else { "tests" }),
        Progress::Untested => match row.skipped.as_deref() {
            Some("") => "skipped".to_string(),
            Some(why) => format!("skipped: {why}"),
            None => "not tested".to_string(),
        },
        open => open.to_string(),
    };
    if row.is_required() { words } else { format!("{words} (optional)") }
}

fn ink(progress: Progress) -> Ink {
    match progress {
        Progress::Passing { .. } => Ink::Good,
        Progress::Failing { .. } => Ink::Bad,
        Progress::NotStarted | Progress::Partly { .. } | Progress::Blocked { .. } => Ink::Open,
        Progress::Untested => Ink::Quiet,
    }
}

/// No more of a message than leaves the table in sight.
const MESSAGE_LINES: usize = 16;

/// The failure of the first row that has one worth reading, in full.
pub fn first_failure(rows: &[Row<'_>], died: Option<&str>, terminal: Terminal, root: &Path) -> Option<String> {
    let failing = |row: &&Row<'_>| row.has_real_failure();
    let row = rows.iter().filter(|row| row.is_required()).find(failing).or_else(|| rows.iter().find(failing))?;
    let test = row.failure.as_ref()?;
    let Message { at, lines } = match &test.outcome {
        // With `--nocapture` a message goes straight to the standard error, and nothing says whose it is.
        Outcome::Failed(report) if report.is_empty() => {
            let what =
                "what it printed is above, among the output of the tests; with `-- --show-output` it stands here";
            Message { at: None, lines: vec![what.to_string()] }
        }
        Outcome::Failed(report) => libtest::message(report, terminal.colour()),
        _ => {
            let how = died.map_or(String::new(), |signal| format!(" ({signal})"));
            let what = format!("the test program ended inside this test{how}; the tests after it did not run");
            Message { at: None, lines: vec![what] }
        }
    };
    let heading = format!("{} {}", row.label, test.name);
    let place = at.map_or(String::new(), |at| format!("  {}", terminal.place(root, &at)));
    let mut text = format!("{}{}\n", terminal.paint(Ink::Strong, &heading), terminal.paint(Ink::Quiet, &place));
    for line in lines.iter().take(MESSAGE_LINES) {
        text += format!("  {line}").trim_end();
        text.push('\n');
    }
    if lines.len() > MESSAGE_LINES {
        text += &format!("  … {} more lines: add `-- --nocapture` to read them\n", lines.len() - MESSAGE_LINES);
    }
    text += &others(row, terminal.width);
    Some(text)
}

/// A line about the tests that failed beside the one that is shown, with as many names as it holds.
fn others(row: &Row<'_>, width: usize) -> String {
    let (count, width) = (row.others.len(), width.min(80));
    let Some(first) = row.others.first() else { return String::new() };
    let tests = if count == 1 { "test" } else { "tests" };
    let of = if row.task.is_some() { " of this task" } else { "" };
    let openings = [format!("and {count} more failing {tests}{of}: "), format!("and {count} more: ")];
    // What follows a name needs room for `, …`.
    let room = |line: &str, after: usize| width.saturating_sub(line.chars().count() + if after > 0 { 3 } else { 0 });
    let fits = |opening: &&String| first.len() <= room(opening, count - 1);
    let mut line = openings.iter().find(fits).unwrap_or(&openings[1]).clone();
    for (named, name) in row.others.iter().enumerate() {
        let comma = if named > 0 { ", " } else { "" };
        if comma.len() + name.len() > room(&line, count - named - 1) {
            line += if named > 0 { ", …" } else { "…" };
            break;
        }
        line += &format!("{comma}{name}");
    }
    line + "\n"
}
