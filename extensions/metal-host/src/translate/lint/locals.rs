//! The declarations in a function's body.

use std::ops::Range;

use super::super::declared::Declared;
use super::super::{Translator, is_space};

const STATEMENTS: [&str; 16] = [
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "using",
    "typedef",
    "struct",
    "enum",
    "static_assert",
];
/// May stand before the type, and say that a type follows.
const SPECIFIERS: [&str; 7] = ["const", "constexpr", "static", "volatile", "register", "typename", "extern"];
/// Types of several words.
const PARTS: [&str; 4] = ["unsigned", "signed", "long", "short"];

impl Translator<'_> {
    /// All variables of `body`, from its `{` to its `}`, in order; of one with several declarators each.
    pub(super) fn locals(&self, body: Range<usize>) -> Vec<Declared> {
        let mut found = Vec::new();
        for j in body.clone() {
            if matches!(self.tokens.s(j), "{" | "}" | ";") || self.tokens.s(j) == "(" && self.tokens.s(j - 1) == "for" {
                found.extend(self.local_at(j + 1, body.end));
            }
        }
        found
    }

    /// The variables that the statement at `start` declares, if it does.
    pub(super) fn local_at(&self, start: usize, end: usize) -> Vec<Declared> {
        let (mut j, mut has_type, mut sure) = (start, false, false);
        let declares = loop {
            if j >= end {
                break false;
            }
            if let Some(attribute) = self.attributes.get(&j) {
                j = attribute.end + 1;
                continue;
            }
            let s = self.tokens.s(j);
            if STATEMENTS.contains(&s) {
                break false;
            }
            if SPECIFIERS.contains(&s) || is_space(s) || PARTS.contains(&s) && self.tokens.is_word(j + 1) && !has_type {
                sure |= s != "typename";
                j += 1;
                if PARTS.contains(&s) && !matches!(self.tokens.s(j), "int" | "char" | "long" | "short" | "const") {
                    has_type = true;
                }
                continue;
            }
            if self.tokens.is_word(j) {
                if has_type {
                    break matches!(self.tokens.s(j + 1), "=" | ";" | "[" | "," | "{" | "(" | ":");
                }
                j += 1;
                if self.tokens.s(j) == "<" {
                    let Some(close) = self.tokens.angle(j) else { break false };
                    j = close + 1;
                }
                if self.tokens.s(j) == "::" {
                    j += 1;
                } else {
                    has_type = true;
                }
                continue;
            }
            match s {
                "*" | "&" if has_type => j += 1,
                // `T (*rows)[9]` or `T (*f)(int)`, and not a call.
                "(" if has_type && matches!(self.tokens.s(j + 1), "*" | "&") => {
                    break sure || self.tokens.s(j + 3) == ")" && self.tokens.s(j + 4) == "(";
                }
                _ => break false,
            }
        };
        if !declares {
            return Vec::new();
        }
        let last = self.statement_end(start, end);
        let first = self.declared(start..last);
        let (mut all, mut j) = (vec![first.clone()], first.range.end);
        while let Some(comma) = self.top_level(j, last, ",") {
            let mut next = self.declared(comma + 1..last);
            // `int a, *b`: the type is the first one's.
            next.name = next.name.or((comma + 1..next.range.end).rev().find(|&k| self.tokens.is_word(k)));
            (next.space, next.is_auto, next.is_static) = (first.space, first.is_auto, first.is_static);
            next.has_type = true;
            j = next.range.end;
            all.push(next);
        }
        all
    }

    /// The `;` or the closing bracket that ends the statement at `j`.
    pub(super) fn statement_end(&self, mut j: usize, end: usize) -> usize {
        while j < end && !matches!(self.tokens.s(j), ";" | ")" | "}") {
            j = if matches!(self.tokens.s(j), "(" | "[" | "{") { self.tokens.close(j) + 1 } else { j + 1 };
        }
        j.min(end)
    }

    /// `text` between `j` and `end`, outside of brackets and template arguments.
    pub(super) fn top_level(&self, mut j: usize, end: usize, text: &str) -> Option<usize> {
        while j < end {
            match self.tokens.s(j) {
                s if s == text => return Some(j),
                "(" | "[" | "{" => j = self.tokens.close(j),
                "<" if self.tokens.is_word(j - 1) => j = self.tokens.angle(j).filter(|&k| k < end).unwrap_or(j),
                _ => {}
            }
            j += 1;
        }
        None
    }
}
