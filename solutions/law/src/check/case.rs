//! One case of a golden file: fields by name in, values out, or a sentence that names the file, the section and the case.

use std::{cell::RefCell, collections::BTreeSet};

use kit::{Error, Result};
use serde_json::{Map, Value};

/// Fields that only describe.
const REMARKS: [&str; 6] = ["id", "group", "dtype", "top_p_margin", "logit_gap_at_k", "expect_0_31_3"];

/// A case, and which of its fields were read.
pub struct Case<'a> {
    /// File, section and id, as messages begin.
    place: String,
    id: &'a str,
    fields: &'a Map<String, Value>,
    read: RefCell<BTreeSet<&'a str>>,
}

impl<'a> Case<'a> {
    /// Errors: a case that is no object, or without an id.
    pub fn new(file: &str, section: &str, number: usize, value: &'a Value) -> Result<Self> {
        let unnamed = |what: &str| Err(Error::Other(format!("{file}: case {number} of section {section} {what}")));
        let Value::Object(fields) = value else { return unnamed("is not an object") };
        let Some(id) = fields.get("id").and_then(Value::as_str) else { return unnamed("has no id, or not as text") };
        let place = format!("{file}: section {section}, case {}", super::shortened(id));
        Ok(Self { place, id, fields, read: RefCell::default() })
    }

    pub fn id(&self) -> &'a str {
        self.id
    }

    /// The kind of input; empty where the file does not say it.
    pub fn group(&self) -> &'a str {
        self.fields.get("group").and_then(Value::as_str).unwrap_or_default()
    }

    /// A refusal of this case.
    pub fn wrong<T>(&self, what: impl std::fmt::Display) -> Result<T> {
        Err(Error::Other(format!("{}: {what}", self.place)))
    }

    /// Refuses fields that nobody has read: a misspelt setting would leave its default in force.
    pub fn all_read(&self) -> Result<()> {
        let read = self.read.borrow();
        match self.fields.keys().find(|name| !read.contains(name.as_str()) && !REMARKS.contains(&name.as_str())) {
            Some(unknown) => self.wrong(format!("the field {} is not known here", super::shortened(unknown))),
            None => Ok(()),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    pub fn value(&self, name: &'static str) -> Result<&'a Value> {
        self.read.borrow_mut().insert(name);
        match self.fields.get(name) {
            Some(value) => Ok(value),
            None => self.wrong(format!("{name} is missing")),
        }
    }

    /// The fields of an object.
    pub fn object(&self, name: &'static str) -> Result<&'a Map<String, Value>> {
        match self.value(name)? {
            Value::Object(fields) => Ok(fields),
            _ => self.wrong(format!("{name} is not an object")),
        }
    }

    pub fn number(&self, name: &'static str) -> Result<f64> {
        self.as_number(name, self.value(name)?)
    }

    /// `otherwise` where the field is missing.
    pub fn number_or(&self, name: &'static str, otherwise: f64) -> Result<f64> {
        if self.has(name) { self.number(name) } else { Ok(otherwise) }
    }

    pub fn numbers(&self, name: &'static str) -> Result<Vec<f64>> {
        self.as_numbers(name, self.value(name)?)
    }

    pub fn rows(&self, name: &'static str) -> Result<Vec<Vec<f64>>> {
        self.as_list(name, self.value(name)?)?.iter().map(|row| self.as_numbers(name, row)).collect()
    }

    /// A whole number; `null` counts as 0.
    pub fn integer(&self, name: &'static str) -> Result<i64> {
        match self.value(name)? {
            Value::Null => Ok(0),
            value => value.as_i64().map_or_else(|| self.wrong(format!("{name} is not a whole number of 64 bits")), Ok),
        }
    }

    pub fn index(&self, name: &'static str) -> Result<usize> {
        self.as_index(name, self.value(name)?)
    }

    pub fn indices(&self, name: &'static str) -> Result<Vec<usize>> {
        self.as_indices(name, self.value(name)?)
    }

    pub fn text(&self, name: &'static str) -> Result<&'a str> {
        self.value(name)?.as_str().map_or_else(|| self.wrong(format!("{name} is not text")), Ok)
    }

    pub fn as_number(&self, name: &str, value: &Value) -> Result<f64> {
        match value {
            Value::String(text) if text == "nan" => Ok(f64::NAN),
            Value::String(text) if text == "inf" => Ok(f64::INFINITY),
            Value::String(text) if text == "-inf" => Ok(f64::NEG_INFINITY),
            other => match other.as_f64() {
                Some(number) => Ok(number),
                None => self.wrong(format!("{name} holds something that is no number, \"nan\", \"inf\" or \"-inf\"")),
            },
        }
    }

    pub fn as_numbers(&self, name: &str, value: &Value) -> Result<Vec<f64>> {
        self.as_list(name, value)?.iter().map(|entry| self.as_number(name, entry)).collect()
    }

    pub fn as_index(&self, name: &str, value: &Value) -> Result<usize> {
        match value.as_u64().and_then(|index| usize::try_from(index).ok()) {
            Some(index) => Ok(index),
            None => self.wrong(format!("{name} holds something that is no whole number of at least 0")),
        }
    }

    pub fn as_indices(&self, name: &str, value: &Value) -> Result<Vec<usize>> {
        self.as_list(name, value)?.iter().map(|entry| self.as_index(name, entry)).collect()
    }

    pub fn as_list<'v>(&self, name: &str, value: &'v Value) -> Result<&'v [Value]> {
        value.as_array().map_or_else(|| self.wrong(format!("{name} is not a list")), |list| Ok(list.as_slice()))
    }

    /// A part of an object that came from [`Case::object`].
    pub fn part<'v>(&self, object: &'v Map<String, Value>, name: &str) -> Result<&'v Value> {
        object.get(name).map_or_else(|| self.wrong(format!("{name} is missing")), Ok)
    }
}
