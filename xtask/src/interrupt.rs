//! What Ctrl-C says while a long piece of work runs.

use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code that shells give to a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

static SENTENCE: Mutex<Option<&str>> = Mutex::new(None);
static HANDLER: Once = Once::new();

/// While it lives, Ctrl-C prints its sentence and ends the program.
pub struct Saying(());

/// Begins to say `sentence`. Child processes of the same terminal get the signal themselves.
pub fn say(sentence: &'static str) -> Saying {
    *current() = Some(sentence);
    HANDLER.call_once(|| {
        let handled = ctrlc::set_handler(|| {
            if let Some(sentence) = *current() {
                eprintln!("\n{sentence}");
            }
            std::process::exit(INTERRUPTED);
        });
        // Without a handler Ctrl-C still ends the program, only silently.
        handled.unwrap_or(());
    });
    Saying(())
}

impl Drop for Saying {
    fn drop(&mut self) {
        *current() = None;
    }
}

fn current() -> MutexGuard<'static, Option<&'static str>> {
    SENTENCE.lock().unwrap_or_else(PoisonError::into_inner)
}
