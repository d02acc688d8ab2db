//! Pointers and references that do not say where they point.

use super::super::declared::Declared;
use super::super::program::Program;
use super::super::{Translator, is_space};

impl Translator<'_> {
    pub(super) fn pointers_without_space(&mut self, program: &Program) {
        for function in &program.functions {
            for parameter in &function.parameters {
                self.needs_space(parameter, "pointer or reference parameter");
            }
            let result: Vec<usize> = function.result.clone().filter(|&j| !self.in_attribute(j)).collect();
            let points = result.last().is_some_and(|&j| matches!(self.tokens.s(j), "*" | "&"));
            let clear = result.iter().any(|&j| is_space(self.tokens.s(j)) || self.tokens.s(j) == "operator");
            if points && !clear {
                let text = self.text_of(function.result.clone());
                self.no_space(function.name, "result that is a pointer or reference", &text);
            }
            if let Some(body) = function.body.clone() {
                for local in self.locals(body) {
                    self.needs_space(&local, "local pointer or reference");
                }
            }
        }
        for variable in &program.variables {
            let what =
                if variable.is_member { "member that is a pointer or reference" } else { "pointer or reference" };
            self.needs_space(&variable.declared, what);
        }
        self.casts();
    }

    fn needs_space(&mut self, d: &Declared, what: &str) {
        if d.points_to_function {
            let help = "call the function by its name, or choose by a template parameter";
            self.error(d.range.start, "pointers to functions are not allowed here", Some(help));
        } else if d.points() && d.space.is_none() && !d.is_auto && d.has_type {
            let text = self.text_of(d.range.clone());
            self.no_space(d.range.start, what, &text);
        }
    }

    /// `(float*)p` and `reinterpret_cast<float*>(p)`.
    fn casts(&mut self) {
        for j in 1..self.tokens.len() {
            let open = match self.tokens.s(j) {
                // A type in parentheses, with something behind it to be cast.
                ")" if self.tokens.s(j - 1) == "*" => self.tokens.open(j).filter(|&open| {
                    let before = self.tokens.s(open.wrapping_sub(1));
                    let casts = self.tokens.is_word(j + 1) || matches!(self.tokens.s(j + 1), "(" | "&");
                    let is_type = (open + 1..j).all(|k| self.tokens.is_word(k) || "*::<>,".contains(self.tokens.s(k)));
                    let called = self.tokens.is_word(open.wrapping_sub(1)) && !matches!(before, "return" | "else");
                    casts && is_type && !called && before != ">"
                }),
                ">" if self.tokens.s(j - 1) == "*" && self.tokens.s(j + 1) == "(" => {
                    let open = (1..j).rev().take(24).find(|&k| self.tokens.angle(k) == Some(j));
                    open.filter(|&k| matches!(self.tokens.s(k - 1), "reinterpret_cast" | "static_cast" | "const_cast"))
                }
                _ => None,
            };
            let Some(open) = open else { continue };
            if !(open..j).any(|k| is_space(self.tokens.s(k))) {
                let text = self.text_of(open + 1..j);
                self.no_space(j, "cast to a pointer", &text);
            }
        }
    }

    fn no_space(&mut self, j: usize, what: &str, text: &str) {
        let help = "say where it points: device, constant, threadgroup or thread";
        self.error(j, format!("{what} without an address space: `{text}`"), Some(help));
    }
}
