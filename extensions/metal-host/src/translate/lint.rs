//! What Apple's compiler refuses and C++ accepts: words that Metal does not have, pointers without an address space.

use std::collections::HashSet;

use super::{Translator, is_space};

const BANNED: [(&str, &str); 12] = [
    ("double", "`double` does not exist in Metal"),
    ("new", "Metal has no dynamic allocation"),
    ("delete", "Metal has no dynamic allocation"),
    ("throw", "Metal has no exceptions"),
    ("try", "Metal has no exceptions"),
    ("virtual", "Metal has no virtual functions"),
    ("dynamic_cast", "Metal has no run-time type information"),
    ("typeid", "Metal has no run-time type information"),
    ("goto", "Metal has no `goto`"),
    ("thread_local", "Metal has no `thread_local`"),
    ("asm", "Metal has no inline assembly"),
    ("std", "the namespace `std` does not exist in Metal"),
];
const SCALARS: [&str; 20] = [
    "float", "half", "bfloat", "int", "uint", "short", "ushort", "char", "uchar", "long", "ulong", "bool", "void",
    "uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "size_t",
];

impl Translator<'_> {
    pub(super) fn lint(&mut self) {
        self.standard_library();
        self.banned_words();
        self.local_pointers();
        self.pointer_parameters();
    }

    /// The host has Metal's library always; Apple's compiler only where it is included.
    fn standard_library(&mut self) {
        let first = (0..self.tokens.len()).find(|&j| matches!(self.tokens.s(j), "kernel" | "device" | "threadgroup"));
        if let Some(j) = first
            && !self.tokens.has_file("metal_stdlib")
        {
            self.error(
                j,
                "Metal's standard library is not included",
                Some("begin with `#include <metal_stdlib>` and `using namespace metal;`"),
            );
        }
    }

    fn banned_words(&mut self) {
        for j in 0..self.tokens.len() {
            let (word, before, after) = (self.tokens.s(j), self.tokens.s(j.wrapping_sub(1)), self.tokens.s(j + 1));
            let Some((_, why)) = BANNED.iter().find(|(banned, _)| *banned == word) else { continue };
            let other =
                matches!(before, "." | "->") || word == "delete" && before == "=" || word == "std" && after != "::";
            if other {
                continue;
            }
            let help = match word {
                "double" => Some("use `float`"),
                "std" => Some("use the namespace `metal`"),
                _ => None,
            };
            self.error(j, *why, help);
        }
    }

    /// `float* p = ..` in a function needs an address space; `auto` does not.
    fn local_pointers(&mut self) {
        let mut types: HashSet<String> = SCALARS.iter().map(|s| s.to_string()).collect();
        for scalar in &SCALARS[..12] {
            types.extend(["2", "3", "4"].map(|n| format!("{scalar}{n}")));
        }
        for j in 0..self.tokens.len() {
            if matches!(self.tokens.s(j), "struct" | "typename" | "class" | "union") {
                types.insert(self.tokens.s(j + 1).to_string());
            }
        }
        for j in 1..self.tokens.len() {
            let s = |k: usize| self.tokens.s(k);
            let declares = matches!(s(j - 1), "{" | ";" | "}" | "const" | "(")
                && types.contains(s(j))
                && matches!(s(j + 1), "*" | "&")
                && self.tokens.is_word(j + 2)
                && matches!(s(j + 3), "=" | ";" | "[" | "{")
                && !is_space(s(j.wrapping_sub(2)));
            if declares {
                let text = format!("{}{} {}", s(j), s(j + 1), s(j + 2));
                self.no_space(j, "local pointer or reference", &text);
            }
        }
    }

    fn pointer_parameters(&mut self) {
        for j in 1..self.tokens.len() {
            if self.tokens.s(j) != "{" || self.tokens.s(j - 1) != ")" {
                continue;
            }
            let Some(open) = self.tokens.open(j - 1) else { continue };
            let name = open.wrapping_sub(1);
            if !self.tokens.is_word(name) || matches!(self.tokens.s(name), "if" | "for" | "while" | "switch") {
                continue;
            }
            for (start, end, _) in self.split_parameters(open, j - 1) {
                let words: Vec<&str> = (start..end).map(|k| self.tokens.s(k)).collect();
                let points = words.iter().any(|s| matches!(*s, "*" | "&"));
                let unclear = words.iter().any(|s| matches!(*s, "<" | "=" | "(") || is_space(s));
                if points && !unclear && words.len() > 2 && self.tokens.is_word(start) {
                    let text = words.join(" ").replace(" *", "*").replace(" &", "&");
                    self.no_space(start, "pointer or reference parameter", &text);
                }
            }
        }
    }

    fn no_space(&mut self, j: usize, what: &str, text: &str) {
        let help = "say where it points: device, constant, threadgroup or thread";
        self.error(j, format!("{what} without an address space: `{text}`"), Some(help));
    }
}
