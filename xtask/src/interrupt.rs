//! What Ctrl-C does while a long piece of work runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code that shells give to a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

static SENTENCE: Mutex<Option<&str>> = Mutex::new(None);
static HANDLER: Once = Once::new();
static WAITED_FOR: AtomicBool = AtomicBool::new(false);
static CAME: AtomicBool = AtomicBool::new(false);

/// While it lives, Ctrl-C prints its sentence and ends the program.
pub struct Saying(());

/// Begins to say `sentence`. Child processes of the same terminal get the signal themselves.
pub fn say(sentence: &'static str) -> Saying {
    *current() = Some(sentence);
    handle();
    Saying(())
}

/// From here on Ctrl-C no longer ends the program; the function returned says whether it came.
pub fn noticed() -> impl Fn() -> bool {
    WAITED_FOR.store(true, Ordering::SeqCst);
    handle();
    || CAME.load(Ordering::SeqCst)
}

fn handle() {
    HANDLER.call_once(|| {
        let handled = ctrlc::set_handler(|| {
            if WAITED_FOR.load(Ordering::SeqCst) {
                return CAME.store(true, Ordering::SeqCst);
            }
            if let Some(sentence) = *current() {
                eprintln!("\n{sentence}");
            }
            std::process::exit(INTERRUPTED);
        });
        // Without a handler Ctrl-C still ends the program, only silently.
        handled.unwrap_or(());
    });
}

impl Drop for Saying {
    fn drop(&mut self) {
        *current() = None;
    }
}

fn current() -> MutexGuard<'static, Option<&'static str>> {
    SENTENCE.lock().unwrap_or_else(PoisonError::into_inner)
}
