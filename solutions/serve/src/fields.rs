//! Reading a JSON object field by field, strictly: every value has its type and its range, and a field that nobody has
//! asked for is refused, so that a setting is never silently without effect.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

use crate::fault::{Answer, Fault};

/// The fields of an object and which of them have been read.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    read: BTreeSet<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of `map`. A field that is null counts as missing.
    pub fn of(map: &'a Map<String, Value>) -> Self {
        Self { map, read: BTreeSet::new() }
    }

    /// The value of a field, if it is there and not null.
    pub fn value(&mut self, name: &'static str) -> Option<&'a Value> {
        self.read.insert(name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&mut self, name: &'static str) -> Answer<Option<&'a str>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| wrong(name, value, "a text"))
    }

    /// true or false.
    pub fn boolean(&mut self, name: &'static str) -> Answer<Option<bool>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| wrong(name, value, "true or false"))
    }

    /// A number for which `fits` holds; `must` says when, as in "a number from 0 to 2".
    pub fn number(&mut self, name: &'static str, fits: fn(f64) -> bool, must: &str) -> Answer<Option<f64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_f64().filter(|number| fits(*number)).map(Some).ok_or_else(|| wrong(name, value, must))
    }

    /// A whole number from `least` to `most`.
    pub fn whole(&mut self, name: &'static str, least: i64, most: i64) -> Answer<Option<i64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let whole = value.as_i64().filter(|number| (least..=most).contains(number));
        let must = match most {
            i64::MAX => format!("a whole number of at least {least}"),
            _ => format!("a whole number from {least} to {most}"),
        };
        whole.map(Some).ok_or_else(|| wrong(name, value, &must))
    }

    /// An object.
    pub fn object(&mut self, name: &'static str) -> Answer<Option<&'a Map<String, Value>>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_object().map(Some).ok_or_else(|| wrong(name, value, "an object"))
    }

    /// Fields that say who asks and why, and change nothing of the answer.
    pub fn without_effect(&mut self, names: &[&'static str]) {
        self.read.extend(names);
    }

    /// A field of OpenAI's that this server has not: only values that change nothing are let through.
    pub fn only(&mut self, name: &'static str, changes_nothing: fn(&Value) -> bool, why: &str) -> Answer<()> {
        match self.value(name) {
            Some(value) if !changes_nothing(value) => {
                Err(Fault::field(name, format!("{name} is {}, but {why}", shown(value))))
            }
            _ => Ok(()),
        }
    }

    /// Refuses whatever nobody has read; `place` names the object where it is not the whole body.
    pub fn finish(self, place: &str) -> Answer<()> {
        match self.map.keys().find(|name| !self.read.contains(name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let known: Vec<&str> = self.read.iter().copied().collect();
                let name = cut(name);
                let message =
                    format!("{place}{name} is not a field that this server knows; it knows {}", known.join(", "));
                Err(Fault { code: "unknown_field", ..Fault::field(&name, message) })
            }
        }
    }
}

/// A value of the wrong type or outside its range.
pub fn wrong(name: &str, value: &Value, must: &str) -> Fault {
    Fault::field(name, format!("{name} is {}, but it must be {must}", shown(value)))
}

/// A value as a sentence shows it: at most its beginning.
pub fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message<T: std::fmt::Debug>(answer: Answer<T>) -> String {
        answer.expect_err("a refusal").message
    }

    fn map(value: &Value) -> &Map<String, Value> {
        value.as_object().expect("an object")
    }

    #[test]
    fn a_value_of_another_type_or_range_is_named() {
        let body =
            json!({ "n": 0, "t": "hot", "b": 1, "s": 3, "f": 2.5, "huge": 1e300, "big": u64::MAX, "null": null });
        let mut fields = Fields::of(map(&body));
        let positive = |number: f64| (0.0..=2.0).contains(&number);
        assert_eq!(message(fields.whole("n", 1, 4)), "n is 0, but it must be a whole number from 1 to 4");
        assert_eq!(message(fields.whole("f", 1, 4)), "f is 2.5, but it must be a whole number from 1 to 4");
        let most = i64::MAX;
        assert_eq!(
            message(fields.whole("big", 1, most)),
            "big is 18446744073709551615, but it must be a whole number of at least 1"
        );
        assert_eq!(message(fields.number("t", positive, "a number")), "t is \"hot\", but it must be a number");
        assert_eq!(message(fields.number("huge", positive, "a number")), "huge is 1e+300, but it must be a number");
        assert_eq!(message(fields.boolean("b")), "b is 1, but it must be true or false");
        assert_eq!(message(fields.text("s")), "s is 3, but it must be a text");
        assert_eq!(message(fields.object("s")), "s is 3, but it must be an object");
        assert_eq!(fields.text("null"), Ok(None));
        assert_eq!(fields.text("missing"), Ok(None));
    }

    #[test]
    fn what_nobody_has_read_is_refused_with_what_is_known() {
        let body = json!({ "temprature": 1, "seed": 3 });
        let mut fields = Fields::of(map(&body));
        assert_eq!(fields.whole("seed", 0, 9), Ok(Some(3)));
        let said = message(fields.finish(""));
        assert_eq!(said, "temprature is not a field that this server knows; it knows seed");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(shown(&json!("ä".repeat(90))).chars().count(), 61);
    }
}
