//! One line a step on standard error; where a person reads, a bar while it runs.

use std::io::{IsTerminal, Write};
use std::time::Instant;

/// Cells of a bar.
const BAR: usize = 24;

/// A step that is running.
pub struct Step {
    what: String,
    started: Instant,
    live: bool,
}

impl Step {
    /// Begins a step; `what` is a noun phrase.
    pub fn begin(what: impl Into<String>) -> Self {
        let step = Step { what: what.into(), started: Instant::now(), live: std::io::stderr().is_terminal() };
        step.draw("");
        step
    }

    /// Shows how far it is; `detail` says it in the step's own units.
    pub fn show(&self, done: u64, of: u64, detail: &str) {
        let filled = (BAR as u64 * done.min(of)).checked_div(of).unwrap_or(0) as usize;
        self.draw(&format!("{}{}  {detail}", "█".repeat(filled), "░".repeat(BAR - filled)));
    }

    /// Ends it; `detail` says what came of it.
    pub fn end(self, detail: &str) {
        let clear = if self.live { "\r\x1b[K" } else { "" };
        eprintln!("{clear}  ✓ {:<34} {detail}, {:.1} s", self.what, self.started.elapsed().as_secs_f64());
    }

    fn draw(&self, bar: &str) {
        if self.live {
            eprint!("\r\x1b[K  … {:<34} {bar}", self.what);
            // A terminal that went away stops no setup.
            std::io::stderr().flush().unwrap_or(());
        }
    }
}

/// Bytes as a person reads them.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
