//! What the C++ compiler says, without Cargo's frame: in go the lines of Cargo about a build script that failed, out come
//! the compiler's lines and what does not compile.

use crate::cargo_test::{Broken, CPP};

/// The packages whose build scripts compile C++ of the course.
const PACKAGES: [&str; 2] = ["extensions", "solution-extensions"];

/// The script's last line, for whoever calls Cargo alone; here a line with the next command follows.
const LAST: &str = "The C++ does not compile.";

/// Cargo's words about a script that stand at the left edge.
const FRAME: [&str; 2] = ["Caused by:", "note: To improve backtraces for build dependencies"];

/// Where the reading is.
#[derive(Default)]
pub struct CppMessages {
    state: State,
}

#[derive(Default, PartialEq)]
enum State {
    /// Outside of such a message.
    #[default]
    Outside,
    /// In Cargo's words about the script.
    Frame,
    /// In what the script has said, which Cargo moves to the right by two columns.
    Said,
}

/// What a line is.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// None of a failed script's.
    Other,
    /// Cargo's frame, which says nothing to a reader.
    Hidden,
    /// A line of the compiler.
    Said(String),
    /// The beginning of the message: C++ of this package does not compile.
    Begins(Broken),
}

impl CppMessages {
    /// Reads the next line, without colours.
    pub fn read(&mut self, plain: &str) -> Line {
        if let Some(package) = failed_script(plain) {
            self.state = State::Frame;
            return Line::Begins(Broken { package: package.to_string(), target: CPP.to_string() });
        }
        if plain.starts_with("warning: build failed, waiting for other jobs") {
            return Line::Hidden;
        }
        match self.state {
            State::Outside => Line::Other,
            State::Frame if plain.trim() == "--- stderr" => {
                self.state = State::Said;
                Line::Hidden
            }
            _ if !plain.is_empty() && !plain.starts_with("  ") && !FRAME.iter().any(|word| plain.starts_with(word)) => {
                self.state = State::Outside;
                Line::Other
            }
            State::Frame => Line::Hidden,
            State::Said => match plain.strip_prefix("  ").unwrap_or(plain) {
                text if text.is_empty() || text.starts_with(LAST) => Line::Hidden,
                text => Line::Said(text.to_string()),
            },
        }
    }
}

/// ``error: failed to run custom build command for `extensions v0.1.0 (/course/extensions)` ``
fn failed_script(plain: &str) -> Option<&'static str> {
    let (_, rest) = plain.split_once("failed to run custom build command for `")?;
    let package = rest.split(' ').next()?;
    PACKAGES.into_iter().find(|known| *known == package)
}

/// `warning: extensions@0.1.0: src/loops/rope.cpp:30:9: …` without Cargo's part.
pub fn warning(plain: &str) -> Option<&str> {
    let (package, text) = plain.strip_prefix("warning: ")?.split_once(": ")?;
    let (name, _) = package.split_once('@')?;
    PACKAGES.contains(&name).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: &str = "   Compiling extensions v0.1.0 (/course/extensions)
error: failed to run custom build command for `extensions v0.1.0 (/course/extensions)`
note: To improve backtraces for build dependencies, set the CARGO_PROFILE_TEST_BUILD_OVERRIDE_DEBUG=true variable.

Caused by:
  process didn't exit successfully: `/course/target/debug/build/extensions-1/build-script-build` (exit status: 1)
  --- stdout
  cargo::warning=never mind

  --- stderr

  /course/extensions/src/loops/rope.cpp: In function 'void f()':
  /course/extensions/src/loops/rope.cpp:30:9: error: 'y' was not declared in this scope
     30 |   return y;
        |          ^

  The C++ does not compile. The first `error:` above is the one to read.
warning: build failed, waiting for other jobs to finish...
error: another thing
";

    #[test]
    fn the_compilers_lines_are_left_of_a_failed_script() {
        let (mut messages, mut said, mut broken) = (CppMessages::default(), Vec::new(), None);
        for line in FAILED.lines() {
            match messages.read(line) {
                Line::Said(text) => said.push(text),
                Line::Other => said.push(format!("other {line}")),
                Line::Begins(package) => broken = Some(package),
                Line::Hidden => {}
            }
        }
        let expected = [
            "other    Compiling extensions v0.1.0 (/course/extensions)",
            "/course/extensions/src/loops/rope.cpp: In function 'void f()':",
            "/course/extensions/src/loops/rope.cpp:30:9: error: 'y' was not declared in this scope",
            "   30 |   return y;",
            "      |          ^",
            "other error: another thing",
        ];
        assert_eq!(said, expected);
        assert_eq!(broken, Some(Broken { package: "extensions".to_string(), target: CPP.to_string() }));
    }

    #[test]
    fn scripts_of_others_keep_their_frame() {
        let line = "error: failed to run custom build command for `mlx-sys v0.6.0`";
        assert_eq!(CppMessages::default().read(line), Line::Other);
        assert_eq!(warning("warning: extensions@0.1.0:    30 |   int y;"), Some("   30 |   int y;"));
        assert_eq!(warning("warning: unused import: `a`"), None);
        assert_eq!(warning("warning: week2@0.1.0: no"), None);
    }
}
