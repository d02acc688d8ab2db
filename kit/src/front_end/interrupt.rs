//! Ctrl-C: the first one asks to stop, the second one stops.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

static STOP: AtomicBool = AtomicBool::new(false);
static AT_ONCE: OnceLock<&str> = OnceLock::new();

/// The exit code of a program that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// Watches for Ctrl-C and returns the flag that it sets.
pub(super) fn flag() -> &'static AtomicBool {
    let watching = ctrlc::set_handler(|| {
        if let Some(what_is_left) = AT_ONCE.get() {
            eprintln!("\nStopped; {what_is_left}");
            std::process::exit(INTERRUPTED.into());
        }
        if STOP.swap(true, Ordering::SeqCst) {
            eprintln!("\nStopped.");
            std::process::exit(INTERRUPTED.into());
        }
    });
    if let Err(e) = watching {
        eprintln!("Ctrl-C will stop this program at once, because it cannot be watched: {e}");
    }
    &STOP
}

/// From here on the first Ctrl-C ends the program, which loses nothing; `what_is_left` ends the sentence that says so.
pub(super) fn end_at_once(what_is_left: &'static str) {
    AT_ONCE.get_or_init(|| what_is_left);
}
