//! What happens when the output cannot be written: `cargo xtask status | head -1`, or a full disk.
//!
//! `println!` panics then, with a backtrace for a pipe that `head` has closed. Here that panic becomes an exit code.

use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::process::exit;

use crate::USAGE_OR_ENVIRONMENT;

/// The exit code that shells give to a program whose reader is gone.
const READER_GONE: u8 = 141;

/// From here on a failed `print!` ends the program instead of panicking.
pub fn end_where_nobody_reads() {
    let otherwise = panic::take_hook();
    panic::set_hook(Box::new(move |panic| match unwritable(panic) {
        Some(why) if why.contains("Broken pipe") => exit(READER_GONE.into()),
        Some(why) => {
            // stderr may be what cannot be written; then the exit code says it alone.
            writeln!(std::io::stderr(), "error: the output cannot be written: {why}").unwrap_or_default();
            exit(USAGE_OR_ENVIRONMENT.into())
        }
        None => otherwise(panic),
    }));
}

/// Why a `print!` or `eprint!` failed, when that is what the panic is about.
fn unwritable<'a>(panic: &'a PanicHookInfo<'_>) -> Option<&'a str> {
    let what = panic.payload_as_str()?.strip_prefix("failed printing to ")?;
    what.strip_prefix("stdout: ").or_else(|| what.strip_prefix("stderr: "))
}
