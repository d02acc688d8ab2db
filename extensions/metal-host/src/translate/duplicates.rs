//! Functions and specialisations that differ only in address spaces are one function here: the first stays.

use std::collections::HashSet;
use std::ops::Range;

use super::{Translator, is_space};

/// What may not stand before the `(` of a declaration.
const NO_DECLARATION: [&str; 16] =
    ["if", "for", "while", "switch", "return", "sizeof", "(", ",", "=", "&&", "||", "!", "?", ":", "[", ""];

impl Translator<'_> {
    pub(super) fn collapse_duplicates(&mut self) {
        // What was declared in each open scope.
        let mut scopes = vec![HashSet::new()];
        let mut j = 0;
        while j < self.tokens.len() {
            match self.tokens.s(j) {
                "}" if scopes.len() > 1 => {
                    scopes.pop();
                }
                "(" => {
                    let scope = scopes.last_mut().expect("the file's own scope is never closed");
                    if let Some(next) = self.function_at(j, scope) {
                        j = next;
                    }
                }
                "{" => {
                    let scope = scopes.last_mut().expect("the file's own scope is never closed");
                    if let Some(next) = self.specialisation_at(j, scope) {
                        j = next;
                        continue;
                    }
                    scopes.push(HashSet::new());
                }
                _ => {}
            }
            j += 1;
        }
    }

    /// A declaration without its address spaces.
    fn signature(&self, range: Range<usize>) -> String {
        let mut words: Vec<&str> = Vec::new();
        for k in range {
            let s = if self.tokens.s(k) == "constant" { "const" } else { self.tokens.s(k) };
            let repeated = s == "const" && words.last() == Some(&"const");
            if !s.is_empty() && !is_space(s) && !repeated {
                words.push(s);
            }
        }
        words.join(" ")
    }

    /// The function whose parameters open at `j`. Returns where to go on.
    fn function_at(&mut self, j: usize, scope: &mut HashSet<String>) -> Option<usize> {
        let before = self.tokens.s(j.wrapping_sub(1));
        if NO_DECLARATION.contains(&before) {
            return None;
        }
        let close = self.tokens.close(j);
        let mut spaces = (j..close).any(|k| is_space(self.tokens.s(k)));
        let mut end = close + 1;
        while is_space(self.tokens.s(end)) || matches!(self.tokens.s(end), "const" | "volatile" | "noexcept") {
            spaces |= is_space(self.tokens.s(end));
            end += 1;
        }
        if !spaces || !matches!(self.tokens.s(end), "{" | ":" | "=" | ";") || self.tokens.s(end + 1) == ":" {
            return None;
        }
        let start = self.declaration_start(j.wrapping_sub(1));
        let is_const = (close + 1..end).any(|k| self.tokens.s(k) == "const");
        let signature = self.signature(start..close + 1) + if is_const { " const" } else { "" };
        let qualifiers = close + 1..end;
        while !matches!(self.tokens.s(end), "{" | ";") && end < self.tokens.len() {
            end = if self.tokens.s(end) == "(" { self.tokens.close(end) + 1 } else { end + 1 };
        }
        if self.tokens.s(end) == "{" && !scope.insert(signature) {
            let mut last = self.tokens.close(end);
            if self.tokens.s(last + 1) == ";" {
                last += 1;
            }
            self.tokens.erase(start..last + 1);
            return Some(last);
        }
        for k in qualifiers {
            if is_space(self.tokens.s(k)) {
                self.tokens.put(k, "");
            }
        }
        Some(end - 1)
    }

    /// The first token of the declaration that `j` is in.
    fn declaration_start(&self, j: usize) -> usize {
        let mut a = j;
        loop {
            match self.tokens.s(a) {
                ";" | "}" | "{" => return a + 1,
                ":" if matches!(self.tokens.s(a.wrapping_sub(1)), "public" | "private" | "protected") => return a + 1,
                ")" => match self.tokens.open(a) {
                    Some(open) => a = open,
                    None => return 0,
                },
                _ => {}
            }
            if a == 0 {
                return 0;
            }
            a -= 1;
        }
    }

    /// `template <..> struct name<device T*> { .. };` whose body opens at `j`, when it stands there for the second time.
    fn specialisation_at(&mut self, j: usize, scope: &mut HashSet<String>) -> Option<usize> {
        if self.tokens.s(j.wrapping_sub(1)) != ">" {
            return None;
        }
        let mut start = j - 1;
        while start > 0 && !matches!(self.tokens.s(start - 1), ";" | "}" | "{") {
            start -= 1;
        }
        let has = |test: &dyn Fn(&str) -> bool| (start..j).any(|k| test(self.tokens.s(k)));
        if !has(&is_space) || !has(&|s| matches!(s, "struct" | "class")) {
            return None;
        }
        let signature = self.signature(start..j).replace("const ", "");
        if scope.insert(signature) {
            return None;
        }
        let end = self.tokens.close(j) + 2; // with the semicolon
        self.tokens.erase(start..end);
        Some(end)
    }
}
