//! Expected errors. A stub's error is never the expected one: it is shown with its own text, so that a report can tell
//! "not started" from "wrong".

use crate::{Error, Result};

/// The error of a call that must be refused. Panics when it was not, or when a stub answered.
#[track_caller]
pub fn expect_error<T>(result: Result<T>) -> Error {
    match result {
        Ok(_) => panic!("expected an error, got Ok"),
        Err(stub @ Error::NotImplemented { .. }) => panic!("{stub}"),
        Err(error) => error,
    }
}

/// An [`Error::InvalidArgument`] about the argument `name`.
#[track_caller]
pub fn expect_invalid_argument<T>(result: Result<T>, name: &str) -> Error {
    let error = expect_error(result);
    match &error {
        Error::InvalidArgument { name: got, .. } if got == name => error,
        _ => panic!("expected InvalidArgument about `{name}`, got: {error}"),
    }
}

/// An [`Error::Shape`].
#[track_caller]
pub fn expect_shape<T>(result: Result<T>) -> Error {
    let error = expect_error(result);
    match error {
        Error::Shape { .. } => error,
        _ => panic!("expected a Shape error, got: {error}"),
    }
}

/// An [`Error::NonFinite`].
#[track_caller]
pub fn expect_non_finite<T>(result: Result<T>) -> Error {
    let error = expect_error(result);
    match error {
        Error::NonFinite { .. } => error,
        _ => panic!("expected a NonFinite error, got: {error}"),
    }
}

/// An [`Error::Dtype`].
#[track_caller]
pub fn expect_dtype<T>(result: Result<T>) -> Error {
    let error = expect_error(result);
    match error {
        Error::Dtype { .. } => error,
        _ => panic!("expected a Dtype error, got: {error}"),
    }
}
