//! What is said about a kernel: a sentence, the line of the `.metal` file, facts, a likely cause. Reads like a compiler.

use std::fmt;

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was given to the compiler.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// The text of that line, where it could be read.
    pub text: Option<String>,
}

/// What kind of mistake a [`Finding`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The source is not accepted.
    Compile,
    /// The launch does not fit the kernel: an argument that is missing or too small, too many threads.
    Launch,
    /// An access outside a buffer or a threadgroup variable.
    OutOfBounds,
    /// A vector access at an address that is no multiple of its alignment.
    Misaligned,
    /// A whole number divided by zero.
    DivisionByZero,
    /// A thread needs more than 64 KiB for its own arrays.
    PrivateMemory,
    /// Threads of one group wait at different barriers, or some never arrive.
    BarrierDivergence,
    /// Threadgroup memory was read that nobody had written.
    Uninitialised,
    /// A kernel that does not end.
    Endless,
    /// More threadgroup memory than a GPU has.
    ThreadgroupMemory,
    /// The result depends on the order in which threads run.
    Race,
    /// An output was read before it was written.
    OutputRead,
    /// Elements of an output were never written.
    Unwritten,
    /// A SIMD-group operation that some lanes did not reach.
    SimdDivergence,
    /// What only UndefinedBehaviorSanitizer sees.
    Undefined,
    /// The host itself failed.
    Internal,
}

/// How serious a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Wrong on a GPU too.
    Error,
    /// May be meant.
    Warning,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub kind: Kind,
    /// How serious it is.
    pub level: Level,
    /// One sentence.
    pub title: String,
    /// Where, first the place itself, then others that belong to it.
    pub places: Vec<Place>,
    /// What is known, a line each.
    pub facts: Vec<String>,
    /// A likely cause, or what to do.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn error(kind: Kind, title: impl Into<String>) -> Self {
        Finding { kind, level: Level::Error, title: title.into(), places: Vec::new(), facts: Vec::new(), help: None }
    }

    pub(crate) fn warning(kind: Kind, title: impl Into<String>) -> Self {
        Finding { level: Level::Warning, ..Finding::error(kind, title) }
    }

    pub(crate) fn at(mut self, place: Option<Place>) -> Self {
        self.places.extend(place);
        self
    }

    pub(crate) fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let level = if self.level == Level::Error { "error" } else { "warning" };
        write!(f, "{level}: {}", self.title)?;
        let width = self.places.iter().map(|p| p.line.to_string().len()).max().unwrap_or(1);
        for (n, place) in self.places.iter().enumerate() {
            let arrow = if n == 0 { "-->" } else { ":::" };
            write!(f, "\n{:width$}{arrow} {}:{}", "", place.file, place.line)?;
            if let Some(text) = &place.text {
                write!(f, "\n{:width$} |\n{:>width$} | {text}\n{:width$} |", "", place.line, "")?;
            }
        }
        for fact in &self.facts {
            write!(f, "\n{:width$} = {fact}", "")?;
        }
        match &self.help {
            Some(help) => write!(f, "\n{:width$} = help: {help}", ""),
            None => Ok(()),
        }
    }
}
