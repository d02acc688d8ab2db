//! One line a step on standard error; where a person reads, a bar while it runs.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Cells of a bar.
const BAR: usize = 12;
/// Columns of a name with the blanks behind it.
const NAME: usize = 34;
/// Columns that a line with a bar takes at most; a narrower terminal gets it without one.
const LINE: usize = 76;
/// The width where `COLUMNS` does not say it.
const COLUMNS: usize = 80;

/// A step that is running.
pub struct Step {
    what: String,
    started: Instant,
    /// Columns of the terminal; nothing is drawn where there is none.
    width: Option<usize>,
    drawn: Mutex<String>,
}

impl Step {
    /// Begins a step; `what` is a noun phrase.
    pub fn begin(what: impl Into<String>) -> Self {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = std::io::stderr().is_terminal().then(|| columns.unwrap_or(COLUMNS));
        let step = Step { what: what.into(), started: Instant::now(), width, drawn: Mutex::default() };
        step.draw(None, "");
        step
    }

    /// Shows how far it is; `detail` says it in the step's own units.
    pub fn show(&self, done: u64, of: u64, detail: &str) {
        self.draw(Some((done, of)), detail);
    }

    /// Ends it; `detail` says what came of it.
    pub fn end(self, detail: &str) {
        let clear = if self.width.is_some() { "\r\x1b[K" } else { "" };
        eprintln!("{clear}  ✓ {:<NAME$} {detail}, {:.1} s", self.what, self.started.elapsed().as_secs_f64());
    }

    /// Repaints the line where its text has changed.
    fn draw(&self, share: Option<(u64, u64)>, detail: &str) {
        let Some(width) = self.width else { return };
        let text = line(&self.what, share, detail, width);
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if *drawn != text {
            eprint!("\r\x1b[K{text}");
            // A terminal that went away stops no setup.
            std::io::stderr().flush().unwrap_or(());
            *drawn = text;
        }
    }
}

/// The line of a running step, always shorter than the terminal is wide: a full line would begin a new one.
fn line(what: &str, share: Option<(u64, u64)>, detail: &str, width: usize) -> String {
    let text = match share {
        Some((done, of)) if width > LINE => {
            let filled = (BAR as u64 * done.min(of)).checked_div(of).unwrap_or(0) as usize;
            let bar = format!("{}{}", "█".repeat(filled), "░".repeat(BAR - filled));
            format!("  … {what:<NAME$} {bar}  {detail}")
        }
        _ => format!("  … {what}  {detail}"),
    };
    text.trim_end().chars().take(LINE.min(width.saturating_sub(1))).collect()
}

/// Bytes as a person reads them.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Option<(u64, u64)> = Some((21_300_000, 42_516_623));

    #[test]
    fn a_line_fits_with_a_bar_where_there_is_room_and_without_one_elsewhere() {
        let half = line("mlx-metal 0.32.2, download", HALF, "21.3 MB of 42.5 MB", 80);
        assert_eq!(half, "  … mlx-metal 0.32.2, download         ██████░░░░░░  21.3 MB of 42.5 MB");
        let narrow = line("mlx-metal 0.32.2, download", HALF, "21.3 MB of 42.5 MB", 59);
        assert_eq!(narrow, "  … mlx-metal 0.32.2, download  21.3 MB of 42.5 MB");
        let name = "a name that is longer than any that a step of the setup has";
        for width in [0, 1, 20, 59, 60, 76, 77, 80, 200] {
            let columns = line(name, HALF, "21.3 MB of 42.5 MB", width).chars().count();
            assert!(columns <= LINE && columns <= width.saturating_sub(1), "{columns} columns at {width}");
        }
    }

    #[test]
    fn a_bar_fills_up_and_a_whole_of_nothing_is_empty() {
        assert!(line("mlx-c", Some((4, 4)), "", 80).ends_with(&"█".repeat(BAR)));
        assert!(line("mlx-c", Some((0, 0)), "", 80).ends_with(&"░".repeat(BAR)));
    }
}
