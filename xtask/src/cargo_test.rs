//! Runs `cargo test` and keeps what it prints: compiler messages pass through as they come, test output is returned.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::thread;

use anyhow::Context;

use crate::cpp_messages::{CppMessages, Line};
use crate::interrupt;
use crate::libtest::{self, Test};
use crate::running_test;
use crate::terminal::{Terminal, without_escapes};
use crate::warnings::Warnings;
use crate::workspace::Workspace;

/// What Ctrl-C says while Cargo builds or tests.
const INTERRUPTED: &str = "Interrupted; nothing is lost. The same command goes on where it stopped.";

/// One call of `cargo test`.
#[derive(Default)]
pub struct Call {
    /// Packages and targets: `["-p", "week1", "--test", "day7"]`.
    pub targets: Vec<String>,
    /// Filters and options for libtest.
    pub libtest: Vec<String>,
    /// Show frames below a panic.
    pub backtrace: bool,
    /// Let the test program's output through as it comes.
    pub echo: bool,
    /// Metal kernels run under ThreadSanitizer too.
    pub races: bool,
}

/// How it ended.
pub enum Ended {
    /// Test programs ran; `died` is how one of them ended when it was not by itself.
    Tested { tests: Vec<Test>, died: Option<String> },
    /// A package does not compile; the compiler's messages have been shown.
    NotCompiled(Broken),
    /// Cargo stopped for another reason, which it has shown.
    Stopped,
}

/// What does not compile, as Cargo names it.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    /// `week1`
    pub package: String,
    /// `lib`, `test "day7"`, …, or [`CPP`].
    pub target: String,
}

/// The target that the C++ of a package is.
pub const CPP: &str = "C++";

/// Runs the call in the workspace.
pub fn run(workspace: &Workspace, call: &Call) -> anyhow::Result<Ended> {
    let _message = interrupt::say(INTERRUPTED);
    let terminal = Terminal::stderr();
    let mut cargo = workspace.cargo();
    cargo.arg("test").args(&call.targets).arg("--no-fail-fast");
    if terminal.colour() {
        cargo.args(["--color", "always"]);
    }
    cargo.arg("--").args(["--format", "pretty", "--color", "never"]).args(&call.libtest);
    cargo.env("RUST_BACKTRACE", if call.backtrace { "1" } else { "0" });
    if call.races {
        // Read by the extension, `metal::RACES`.
        cargo.env("TINY_LLM_RACES", "1");
    }
    let mut child = cargo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("cannot run cargo")?;
    let stdout = child.stdout.take().context("cargo has no standard output")?;
    let stderr = child.stderr.take().context("cargo has no standard error")?;
    let messages = thread::spawn(move || show_messages(stderr, terminal));
    let echo = call.echo;
    let heard = move |piece: &[u8]| {
        if echo {
            // Nobody is left to read it when this fails, and the report still comes.
            std::io::stdout().write_all(piece).and_then(|()| std::io::stdout().flush()).unwrap_or(());
        }
    };
    let silent = |test: &str| eprintln!("{test} has been running for a minute; if its loop has no end, Ctrl-C ends it");
    let output = running_test::read(stdout, heard, silent)?;
    let status = child.wait().context("cannot wait for cargo")?;
    let hidden = messages.join().map_err(|_| anyhow::anyhow!("reading cargo's messages failed"))??;
    Ok(judge(&output, &hidden, status))
}

/// Runs a call of Cargo that only builds, such as `build -p week1`; the compiler's messages are shown.
pub fn build(workspace: &Workspace, arguments: &[String]) -> anyhow::Result<Result<(), Ended>> {
    let _message = interrupt::say(INTERRUPTED);
    let terminal = Terminal::stderr();
    let mut cargo = workspace.cargo();
    cargo.args(arguments);
    if terminal.colour() {
        cargo.args(["--color", "always"]);
    }
    let mut child = cargo.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().context("cannot run cargo")?;
    let stderr = child.stderr.take().context("cargo has no standard error")?;
    let hidden = show_messages(stderr, terminal)?;
    let status = child.wait().context("cannot wait for cargo")?;
    Ok(if status.success() { Ok(()) } else { Err(judge("", &hidden, status)) })
}

/// Options of libtest that this module sets itself, or that leave nothing to read.
pub fn is_owned(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or(option);
    ["--format", "--color", "--quiet", "-q", "--list", "--help", "-h", "--logfile", "-Z"].contains(&name)
}

/// Forwards what a person should read and returns the lines that tell how it ended.
fn show_messages(stderr: impl Read, terminal: Terminal) -> anyhow::Result<Vec<String>> {
    let mut errors = std::io::stderr();
    let mut reader = BufReader::new(stderr);
    let mut hidden = Vec::new();
    let mut line = Vec::new();
    let mut ended = false;
    let mut warnings = Warnings::default();
    let mut cpp = CppMessages::default();
    let clear = if terminal.is_live() { "\x1b[K" } else { "" };
    while reader.read_until(b'\n', &mut line).context("cannot read cargo's messages")? > 0 {
        let mut text = String::from_utf8_lossy(&line).into_owned();
        line.clear();
        let mut plain = without_escapes(text.trim_end());
        match cpp.read(&plain) {
            Line::Hidden => continue,
            Line::Begins(Broken { package, target }) => {
                hidden.push(format!("error: could not compile `{package}` ({target})"));
                continue;
            }
            Line::Said(said) => {
                text = format!("{said}\n");
                plain = said;
            }
            Line::Other => {}
        }
        ended |= plain.starts_with("error: test failed, to rerun") || is_target_count(&plain);
        show_warning(&mut errors, clear, &warnings.before(&plain))?;
        if warnings.take(&plain, &text) {
            continue;
        }
        if ended {
            hidden.push(plain);
        } else if let Some(word) = status_word(&plain) {
            // A dependency takes its time, the course's own packages are quick: only the first kind is worth a line.
            let dependency = word == "Compiling" && !plain.ends_with(')');
            if terminal.is_live() {
                let shown: String = plain.chars().take(terminal.width.saturating_sub(1)).collect();
                write!(errors, "\r\x1b[K{shown}\r")?;
                errors.flush()?;
            } else if dependency || word == "Downloading" {
                writeln!(errors, "{plain}")?;
            }
        } else {
            write!(errors, "{clear}{text}")?;
            if plain.starts_with("error: could not compile ") {
                hidden.push(plain);
            }
        }
    }
    show_warning(&mut errors, clear, &warnings.last())?;
    if terminal.is_live() {
        write!(errors, "\r\x1b[K")?;
        errors.flush()?;
    }
    Ok(hidden)
}

fn show_warning(errors: &mut impl Write, clear: &str, warning: &str) -> anyhow::Result<()> {
    if !warning.is_empty() {
        write!(errors, "{clear}{warning}")?;
    }
    Ok(())
}

/// Whether Cargo says with this line what it does.
pub fn is_status(plain: &str) -> bool {
    status_word(plain).is_some()
}

/// `error: 2 targets failed:`
fn is_target_count(plain: &str) -> bool {
    plain.starts_with("error: ") && (plain.ends_with(" target failed:") || plain.ends_with(" targets failed:"))
}

/// The word of a line such as `   Compiling week1 v0.1.0`, which Cargo writes right-aligned in twelve columns.
fn status_word(plain: &str) -> Option<&str> {
    let word = plain.get(..12)?.trim_start();
    let written =
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    (written && plain.get(12..13) == Some(" ")).then_some(word)
}

fn judge(output: &str, hidden: &[String], status: ExitStatus) -> Ended {
    if let Some(tests) = libtest::parse(output) {
        let died = hidden
            .iter()
            .find_map(|line| line.rsplit_once("(signal: "))
            .map(|(_, signal)| signal.trim_end_matches(')'));
        return Ended::Tested { tests, died: died.map(|signal| format!("signal {signal}")) };
    }
    match hidden.iter().find_map(|line| broken(line)) {
        Some(broken) => Ended::NotCompiled(broken),
        None if status.success() => Ended::Tested { tests: Vec::new(), died: None },
        None => Ended::Stopped,
    }
}

/// ``error: could not compile `week1` (lib) due to 2 previous errors``
fn broken(line: &str) -> Option<Broken> {
    let (package, rest) = line.strip_prefix("error: could not compile `")?.split_once('`')?;
    let target =
        rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(target, _)| target);
    Some(Broken { package: package.to_string(), target: target.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_lines_are_told_from_messages() {
        assert_eq!(status_word("   Compiling week1 v0.1.0 (/course/week1)"), Some("Compiling"));
        assert_eq!(status_word("     Running tests/day7.rs (target/debug/deps/day7-1)"), Some("Running"));
        assert_eq!(status_word("error[E0308]: mismatched types"), None);
        assert_eq!(status_word("12 |     Ok(x)"), None);
        assert_eq!(status_word("   |         ^ Expected"), None);
    }

    #[test]
    fn what_does_not_compile_is_named() {
        let line = "error: could not compile `week1` (test \"day7\") due to 1 previous error";
        let expected = Broken { package: "week1".to_string(), target: "test \"day7\"".to_string() };
        assert_eq!(broken(line), Some(expected));
        assert_eq!(broken("error: no such package"), None);
    }
}
