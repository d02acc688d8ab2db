//! The one error type of the course. Every message is a sentence with the offending value.

use std::panic::Location;
use std::path::{Path, PathBuf};

/// What every function of the course returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a function of the course refused to answer.
#[derive(thiserror::Error)]
pub enum Error {
    /// A task that is still a stub.
    #[error("not implemented: task {task}, {item} ({at})")]
    NotImplemented {
        /// The task id, `week.day.task`.
        task: String,
        /// The function that is missing, `week1::sampler::top_k`.
        item: String,
        /// Where the stub is, `week1/src/sampler.rs:31`.
        at: String,
    },
    /// An array has another shape than the operation needs.
    #[error("{op}: expected shape {expected}, got {got}")]
    Shape {
        /// The operation and the argument, `linear: x`.
        op: String,
        /// The shape in letters and, where known, numbers.
        expected: String,
        /// The shape that came, `(2, 3)`.
        got: String,
    },
    /// An array has another dtype than the operation needs.
    #[error("{op}: expected dtype {expected}, got {got}")]
    Dtype {
        /// The operation and the argument.
        op: String,
        /// The dtypes that would do.
        expected: String,
        /// The dtype that came.
        got: String,
    },
    /// A row that no law can be drawn from, or a value that is not a number.
    #[error("row {row} {what}")]
    NonFinite {
        /// The index of the row in the batch.
        row: usize,
        /// What is wrong with it, as a verb phrase: `contains NaN`.
        what: String,
    },
    /// An argument outside its range.
    #[error("{name} is {value}, but it must {must}")]
    InvalidArgument {
        /// The argument's name.
        name: String,
        /// Its value, printed.
        value: String,
        /// The rule, as a verb phrase: `be at most the vocabulary, 4096`.
        must: String,
    },
    /// A checkpoint that cannot be used.
    #[error("{}: {what}", file.display())]
    Checkpoint {
        /// The file that is wrong.
        file: PathBuf,
        /// What is wrong with it and, where there is one, the command that helps.
        what: String,
    },
    /// A failure inside MLX.
    #[error("MLX: {0}")]
    Mlx(String),
    /// Anything else, already worded as a sentence.
    #[error("{0}")]
    Other(String),
}

impl Error {
    pub(crate) fn checkpoint(file: &Path, what: impl Into<String>) -> Self {
        Self::Checkpoint { file: file.to_path_buf(), what: what.into() }
    }
}

/// Tests return `Result`, and libtest prints an `Err` with `Debug`: show the sentence, not the struct.
impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// An extension's stub throws this text; it arrives through MLX's error handler and becomes `NotImplemented` again.
const STUB_IN_CPP: &str = "not implemented: task ";

impl From<mlx_rs::error::Exception> for Error {
    /// `?` in a function of the course: the message names its line instead of MLX's own.
    #[track_caller]
    fn from(exception: mlx_rs::error::Exception) -> Self {
        let what = exception.what();
        match what.split_once(STUB_IN_CPP).and_then(|(_, rest)| rest.split_once(", ")) {
            Some((task, rest)) => {
                let (item, at) = rest.split_once(" (").unwrap_or((rest, ""));
                let at = at.split_once(')').map_or(at, |(at, _)| at);
                Error::NotImplemented { task: task.into(), item: item.into(), at: at.into() }
            }
            // The Metal host's report has its own line of the course.
            None if what.starts_with("error: ") && what.contains("\n = kernel ") => {
                Error::Other(without_source(what).to_string())
            }
            None => Error::Mlx(format!("{}{}", without_source(what), called_at(Location::caller()))),
        }
    }
}

/// MLX's C interface ends its messages with ` at /…/ops.cpp:1234`, a place that nobody who reads them has.
fn without_source(what: &str) -> &str {
    let of_source = |(_, place): &(&str, &str)| place.contains(".cpp:") && !place.contains(char::is_whitespace);
    what.rsplit_once(" at ").filter(of_source).map_or(what, |(what, _)| what)
}

/// ` (week1/src/basics.rs:20)`; nothing for code of a dependency, whose path is absolute.
fn called_at(place: &Location<'_>) -> String {
    match Path::new(place.file()).is_absolute() {
        true => String::new(),
        false => format!(" ({}:{})", place.file(), place.line()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlx_rs::Array;

    #[test]
    fn a_failure_of_mlx_names_the_line_that_asked() {
        let product = || -> Result<Array> { Ok(Array::from_f32(1.0).matmul(Array::from_f32(2.0))?) };
        let line = line!() - 1;
        let said = product().expect_err("numbers are no matrices").to_string();
        assert!(said.ends_with(&format!(" (kit/src/error.rs:{line})")) && !said.contains(".cpp"), "{said}");
    }
}
