//! Ctrl-C: the first one asks to stop, the second one stops.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// Watches for Ctrl-C and returns the flag that it sets.
pub(super) fn flag() -> &'static AtomicBool {
    let watching = ctrlc::set_handler(|| {
        if WAITING.load(Ordering::SeqCst) {
            eprintln!("\nStopped; what has arrived is kept, and the same command goes on from there.");
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

/// From here on the first Ctrl-C ends the program: it waits for others, and loses nothing.
pub(super) fn end_at_once() {
    WAITING.store(true, Ordering::SeqCst);
}
