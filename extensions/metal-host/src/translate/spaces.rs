//! Address spaces. `threadgroup` in front of a variable is storage: it becomes memory of the group. Elsewhere it is a
//! qualifier and goes, as the others do; `constant` becomes `const`, so that writing to it stays an error.

use super::{Translator, is_space};

/// A variable of the group, as it is declared from `threadgroup` on.
struct Declaration {
    /// The first name.
    name: usize,
}

impl Translator<'_> {
    pub(super) fn address_spaces(&mut self) {
        let bodies: Vec<(usize, usize)> = self
            .kernels
            .values()
            .filter(|k| self.tokens.s(k.body) == "{")
            .map(|k| (k.body, self.tokens.close(k.body)))
            .collect();
        let mut j = 0;
        while j < self.tokens.len() {
            let s = self.tokens.s(j);
            let before = self.tokens.s(j.wrapping_sub(1));
            if !is_space(s) || matches!(before, "." | "->" | "::") || self.tokens.s(j + 1) == "::" {
                j += 1;
                continue;
            }
            match s {
                "threadgroup" => {
                    if let Some(declaration) = self.group_variable(j) {
                        if self.strict && !bodies.iter().any(|&(from, to)| from <= j && j <= to) {
                            let help = "declare it in the kernel and pass a `threadgroup` pointer";
                            self.error(
                                j,
                                "threadgroup variables can only be declared in a kernel function",
                                Some(help),
                            );
                        }
                        j = self.allocate(j, declaration);
                        continue;
                    }
                    self.tokens.put(j, "");
                }
                "constant" => {
                    let replacement = if self.beside_const(j) { "" } else { "const" };
                    self.tokens.put(j, replacement);
                }
                _ => self.tokens.put(j, ""),
            }
            j += 1;
        }
    }

    /// Whether `threadgroup` at `j` declares a variable, and not a pointer, a reference or a parameter.
    fn group_variable(&mut self, j: usize) -> Option<Declaration> {
        let mut k = j + 1;
        while k < self.tokens.len() {
            match self.tokens.s(k) {
                "<" => k = self.tokens.angle(k).unwrap_or(k),
                "*" | "&" => return None,
                ";" | "[" | "=" | "," | ")" | "{" | "(" => break,
                _ => {}
            }
            k += 1;
        }
        if !self.tokens.is_word(k.wrapping_sub(1)) {
            return None;
        }
        let before = self.tokens.s(j.wrapping_sub(1));
        let starts = matches!(before, "{" | ";" | "}" | ":" | ")" | "alignas" | "static" | "const" | "volatile" | "");
        match self.tokens.s(k) {
            ";" | "[" | "," if starts => Some(Declaration { name: k - 1 }),
            ";" | "[" => {
                self.error(
                    j,
                    "this threadgroup variable is not understood: declare it as `threadgroup T name[n];`",
                    None,
                );
                None
            }
            _ => None,
        }
    }

    /// Puts references to the group's memory in place of the declaration; returns its end, the `;`.
    fn allocate(&mut self, j: usize, declaration: Declaration) -> usize {
        let words = (j + 1..declaration.name).map(|k| self.tokens.s(k)).filter(|s| !s.is_empty() && !is_space(s));
        let element = words.collect::<Vec<_>>().join(" ");
        let (mut k, mut text) = (declaration.name, String::new());
        loop {
            let name = self.tokens.s(k).to_string();
            k += 1;
            let mut sizes = String::new();
            while self.tokens.s(k) == "[" {
                let close = self.tokens.close(k);
                sizes += &format!("[({})]", self.tokens.join(k + 1..close, " "));
                k = close + 1;
            }
            // The address of `mh_key` is the variable's name at run time: unique even per template instantiation.
            let n = self.variables;
            self.variables += 1;
            text += &format!(
                "static char mh_key{n}; static const mh_site mh_at{n}{{\"{name}\", __FILE__, __LINE__}}; \
                 auto& {name} = mh::variable<typename mh::type_of<{element}{sizes}>::type>(&mh_key{n}, &mh_at{n}); "
            );
            if self.tokens.s(k) != "," {
                break;
            }
            k += 1;
        }
        self.tokens.erase(j..k);
        if self.tokens.s(j.wrapping_sub(1)) == "static" {
            self.tokens.put(j - 1, "");
        }
        self.tokens.put(j, text.trim_end_matches("; ").to_string()); // the source's own `;` stays
        k
    }

    /// Whether the declaration around `j` says `const` already.
    fn beside_const(&self, j: usize) -> bool {
        let word = |k: usize| self.tokens.is_word(k) || self.tokens.s(k) == "::";
        let is_const = |k: usize| matches!(self.tokens.s(k), "const" | "constexpr");
        let back = (1..=5).map(|d| j.wrapping_sub(d)).take_while(|&k| word(k)).any(is_const);
        back || (1..=5).map(|d| j + d).take_while(|&k| word(k)).any(is_const)
    }
}
