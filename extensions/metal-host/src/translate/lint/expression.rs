//! Where an expression points, as far as its words say it: a name, its elements and members, sums, casts.

use std::collections::HashMap;

use super::super::declared::Declared;
use super::super::{SPACES, Translator};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A pointer to data in this address space.
    Pointer(&'static str),
    /// An array that is there; it becomes a pointer.
    Array(&'static str),
    /// Something that is there.
    Place(&'static str),
    Unknown,
}

impl Value {
    /// The value of a name that is declared like this.
    pub fn of(d: &Declared, is_parameter: bool) -> Self {
        let space = d.space.unwrap_or("thread");
        match (d.stars, d.is_reference, d.is_array) {
            _ if d.is_auto || d.points_to_function => Value::Unknown,
            (0, false, true) if is_parameter => Value::Pointer(space),
            (0, _, true) => Value::Array(space),
            (1, false, false) => d.space.map_or(Value::Unknown, Value::Pointer),
            (0, _, false) => Value::Place(space),
            _ => Value::Unknown,
        }
    }
}

/// The variables that can be named, the innermost block last.
pub(super) struct Names {
    blocks: Vec<HashMap<String, Value>>,
}

impl Names {
    pub fn new() -> Self {
        Names { blocks: vec![HashMap::new()] }
    }

    pub fn open(&mut self) {
        self.blocks.push(HashMap::new());
    }

    pub fn close(&mut self) {
        if self.blocks.len() > 1 {
            self.blocks.pop();
        }
    }

    pub fn insert(&mut self, name: &str, value: Value) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_string(), value);
        }
    }

    pub fn get(&self, name: &str) -> Value {
        self.blocks.iter().rev().find_map(|block| block.get(name)).copied().unwrap_or(Value::Unknown)
    }
}

impl Translator<'_> {
    /// The value of the expression from `j` to `end`.
    pub(super) fn value_of(&self, j: usize, end: usize, names: &Names) -> Value {
        let other = ["?", "==", "!=", "<=", "&&", "||", "=", ","];
        if other.iter().any(|operator| self.top_level(j, end, operator).is_some()) {
            return Value::Unknown;
        }
        let (value, next) = self.operand(j, end, names);
        match (value, self.tokens.s(next)) {
            _ if next >= end => value,
            (Value::Pointer(space) | Value::Array(space), "+" | "-") => {
                // The difference of two pointers is a number.
                let (second, _) = self.operand(next + 1, end, names);
                let difference = self.tokens.s(next) == "-" && matches!(second, Value::Pointer(_) | Value::Array(_));
                if difference { Value::Unknown } else { Value::Pointer(space) }
            }
            // `1 + p`
            (_, "+") => match self.value_of(next + 1, end, names) {
                Value::Pointer(space) | Value::Array(space) => Value::Pointer(space),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// The value of one operand with what stands before and behind it, and where it ends.
    pub(super) fn operand(&self, j: usize, end: usize, names: &Names) -> (Value, usize) {
        if j >= end {
            return (Value::Unknown, end);
        }
        match self.tokens.s(j) {
            "&" => {
                let (value, next) = self.operand(j + 1, end, names);
                let pointer = match value {
                    Value::Place(space) | Value::Array(space) => Value::Pointer(space),
                    _ => Value::Unknown,
                };
                (pointer, next)
            }
            "*" => {
                let (value, next) = self.operand(j + 1, end, names);
                let place = match value {
                    Value::Pointer(space) | Value::Array(space) => Value::Place(space),
                    _ => Value::Unknown,
                };
                (place, next)
            }
            "(" => {
                let close = self.tokens.close(j);
                match self.cast_space(j + 1, close) {
                    Some(space) => (Value::Pointer(space), self.operand(close + 1, end, names).1),
                    None => self.behind(self.value_of(j + 1, close, names), close + 1, end),
                }
            }
            "reinterpret_cast" | "static_cast" if self.tokens.s(j + 1) == "<" => {
                let Some(close) = self.tokens.angle(j + 1) else { return (Value::Unknown, j + 1) };
                let value = self.cast_space(j + 2, close).map_or(Value::Unknown, Value::Pointer);
                self.behind(value, self.tokens.close(close + 1) + 1, end)
            }
            name if self.tokens.is_word(j) => {
                let after = self.tokens.s(j + 1);
                let value = if matches!(after, "::" | "(" | "<") { Value::Unknown } else { names.get(name) };
                self.behind(value, j + 1, end)
            }
            _ => (Value::Unknown, j + 1),
        }
    }

    /// Goes on over elements, members and calls.
    fn behind(&self, mut value: Value, mut j: usize, end: usize) -> (Value, usize) {
        let mut of_member = false;
        while j < end {
            match self.tokens.s(j) {
                "[" => {
                    value = match value {
                        _ if of_member => Value::Unknown,
                        Value::Pointer(space) | Value::Array(space) | Value::Place(space) => Value::Place(space),
                        Value::Unknown => Value::Unknown,
                    };
                    j = self.tokens.close(j) + 1;
                }
                sign @ ("." | "->") => {
                    value = match (value, sign) {
                        (Value::Place(space), ".") | (Value::Pointer(space), "->") if !of_member || sign == "." => {
                            Value::Place(space)
                        }
                        _ => Value::Unknown,
                    };
                    of_member = true;
                    j += 2;
                }
                "(" => {
                    value = Value::Unknown;
                    j = self.tokens.close(j) + 1;
                }
                "++" | "--" => j += 1,
                _ => break,
            }
        }
        (value, j)
    }

    /// The address space of a pointer type that fills `j..end`.
    pub(super) fn cast_space(&self, j: usize, end: usize) -> Option<&'static str> {
        if self.tokens.s(end.wrapping_sub(1)) != "*" || (j..end).filter(|&k| self.tokens.s(k) == "*").count() > 1 {
            return None;
        }
        let is_type = (j..end).all(|k| self.tokens.is_word(k) || "*::<>,".contains(self.tokens.s(k)));
        SPACES.into_iter().find(|space| is_type && (j..end).any(|k| self.tokens.s(k) == *space))
    }
}
