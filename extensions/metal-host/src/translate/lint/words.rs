//! Words and types that Metal does not have.

use super::super::Translator;

/// A word, why it is refused, what to do.
const BANNED: [(&str, &str, &str); 15] = [
    ("double", "`double` does not exist in Metal", "use `float`"),
    ("new", "Metal has no dynamic allocation", "declare an array of a constant length"),
    ("delete", "Metal has no dynamic allocation", "declare an array of a constant length"),
    ("throw", "Metal has no exceptions", "return, and write a value that says so"),
    ("try", "Metal has no exceptions", "return, and write a value that says so"),
    ("catch", "Metal has no exceptions", "return, and write a value that says so"),
    ("virtual", "Metal has no virtual functions", "choose by a template parameter or by `if`"),
    ("dynamic_cast", "Metal has no run-time type information", "use a template parameter"),
    ("typeid", "Metal has no run-time type information", "use a template parameter"),
    ("goto", "Metal has no `goto`", "use a loop, `break` and `return`"),
    ("thread_local", "Metal has no `thread_local`", "a variable in a function belongs to its thread anyway"),
    ("register", "Metal has no `register`", "leave it out"),
    ("asm", "Metal has no inline assembly", "use the functions of Metal's standard library"),
    ("std", "the namespace `std` does not exist in Metal", "use the namespace `metal`"),
    ("co_await", "Metal has no coroutines", "use a loop"),
];

impl Translator<'_> {
    /// The host has Metal's library always; Apple's compiler only where it is included.
    pub(super) fn standard_library(&mut self) {
        let first = (0..self.tokens.len()).find(|&j| matches!(self.tokens.s(j), "kernel" | "device" | "threadgroup"));
        if let Some(j) = first
            && !self.tokens.has_file("metal_stdlib")
        {
            let help = "begin with `#include <metal_stdlib>` and `using namespace metal;`";
            self.error(j, "Metal's standard library is not included", Some(help));
        }
    }

    pub(super) fn banned_words(&mut self) {
        for j in 0..self.tokens.len() {
            if let Some((sentence, help)) = self.banned(j) {
                self.error(j, sentence, Some(help));
            }
        }
        self.lambdas();
    }

    /// Why the word at `j` is refused, and what to do.
    fn banned(&self, j: usize) -> Option<(String, &'static str)> {
        let (word, before, after) = (self.tokens.s(j), self.tokens.s(j.wrapping_sub(1)), self.tokens.s(j + 1));
        if matches!(before, "." | "->") || !self.tokens.is_word(j) {
            return None;
        }
        if word == "long" && matches!(after, "long" | "double") {
            let help = if after == "long" { "`long` has 64 bits" } else { "use `float`" };
            return Some((format!("`long {after}` does not exist in Metal"), help));
        }
        if word == "noexcept" && after == "(" && matches!(before, "=" | "(" | "return" | "&&" | "||" | "!" | ",") {
            return Some(("Metal has no operator `noexcept`".into(), "leave it out: nothing throws"));
        }
        let (_, why, help) = BANNED.iter().find(|(banned, ..)| *banned == word)?;
        let other = match word {
            "delete" => before == "=",
            "std" => after != "::",
            "double" => before == "long",
            _ => false,
        };
        (!other).then(|| (why.to_string(), *help))
    }

    /// Metal has had them since 3.2 only: macOS 15.
    fn lambdas(&mut self) {
        for j in 1..self.tokens.len() {
            let starts = self.tokens.s(j) == "[" && !self.attributes.contains_key(&j) && !self.in_attribute(j);
            let before = self.tokens.s(j - 1);
            let value = matches!(before, "=" | "(" | "," | "return" | "{" | ";" | "}");
            if starts && value && matches!(self.tokens.s(self.tokens.close(j) + 1), "(" | "{") {
                let help = "write a function, or a structure with `operator()`";
                self.error(j, "lambda expressions exist from Metal 3.2 on only, which is macOS 15", Some(help));
            }
        }
    }
}
