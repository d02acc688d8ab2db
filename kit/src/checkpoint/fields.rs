//! Typed fields of an untrusted JSON object, and the sentences that refuse them.

use serde_json::{Map, Value};
use std::{io::Read, path::Path};

use crate::{Error, Result};

/// A configuration of more bytes than this is not read.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a small JSON file whose root is an object.
pub(crate) fn read_json(file: &Path) -> Result<Map<String, Value>> {
    let root = serde_json::from_slice(&read_small(file)?)
        .map_err(|e| Error::checkpoint(file, format!("this is not JSON: {e}")))?;
    match root {
        Value::Object(root) => Ok(root),
        _ => Err(Error::checkpoint(file, "the JSON is not an object")),
    }
}

/// Reads a file that must be there and be smaller than 16 MiB.
pub(crate) fn read_small(file: &Path) -> Result<Vec<u8>> {
    let unreadable = |e: std::io::Error| Error::checkpoint(file, format!("the file cannot be read: {e}"));
    let mut text = Vec::new();
    // A pipe or a device would keep the reader waiting, or never end.
    if std::fs::metadata(file).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return Err(Error::checkpoint(file, "this is not a regular file"));
    }
    std::fs::File::open(file)
        .and_then(|opened| opened.take(MOST_BYTES + 1).read_to_end(&mut text))
        .map_err(unreadable)?;
    match text.len() as u64 {
        bytes if bytes > MOST_BYTES => {
            Err(Error::checkpoint(file, format!("the file is larger than {MOST_BYTES} bytes, the most that is read")))
        }
        _ => Ok(text),
    }
}

/// An object of a file; `null` counts as absent.
pub(crate) struct Fields<'a> {
    file: &'a Path,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(file: &'a Path, object: &'a Map<String, Value>) -> Self {
        Self { file, object }
    }

    pub(crate) fn file(&self) -> &'a Path {
        self.file
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// The value as text for a message, cut to a readable length.
    pub(crate) fn shown(&self, name: &str) -> String {
        let text = self.get(name).map_or("missing".into(), Value::to_string);
        match text.char_indices().nth(80) {
            Some((cut, _)) => format!("{}…", &text[..cut]),
            None => text,
        }
    }

    pub(crate) fn refused(&self, what: impl Into<String>) -> Error {
        Error::checkpoint(self.file, what)
    }

    pub(crate) fn integer(&self, name: &str, least: i32, most: i32) -> Result<i32> {
        let value = self.get(name).and_then(Value::as_i64).and_then(|value| i32::try_from(value).ok());
        match value {
            Some(value) if (least..=most).contains(&value) => Ok(value),
            _ => Err(self.refused(format!(
                "{name} is {}, but it must be a whole number from {least} to {most}",
                self.shown(name)
            ))),
        }
    }

    pub(crate) fn positive(&self, name: &str) -> Result<f32> {
        match self.get(name).and_then(Value::as_f64).map(|value| value as f32) {
            Some(value) if value.is_finite() && value > 0.0 => Ok(value),
            _ => {
                Err(self
                    .refused(format!("{name} is {}, but it must be a positive number that fits f32", self.shown(name))))
            }
        }
    }

    /// A boolean; absent is false.
    pub(crate) fn flag(&self, name: &str) -> Result<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(self.refused(format!("{name} is {}, but it must be true or false", self.shown(name)))),
        }
    }

    pub(crate) fn object(&self, name: &str) -> Result<Option<&'a Map<String, Value>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(value)) => Ok(Some(value)),
            Some(_) => Err(self.refused(format!("{name} is {}, but it must be an object", self.shown(name)))),
        }
    }
}
