//! Who calls whom: no function calls itself, none calls a kernel.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Translator;
use super::super::program::Program;

impl Translator<'_> {
    pub(super) fn calls_of(&mut self, program: &Program) {
        let kernels: BTreeSet<String> =
            program.functions.iter().filter(|f| f.is_kernel).map(|f| self.tokens.s(f.name).to_string()).collect();
        // Of overloads and templates one may call another: only a name that stands for one function is followed.
        let mut bodies: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (n, function) in program.functions.iter().enumerate() {
            if function.body.is_some() {
                bodies.entry(self.tokens.s(function.name).to_string()).or_default().push(n);
            }
        }
        let mut calls: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
        for (name, functions) in &bodies {
            for function in functions.iter().map(|&n| &program.functions[n]) {
                let body = function.body.clone().unwrap_or_default();
                let words: Vec<usize> = body.filter(|&j| self.tokens.is_word(j) && self.is_called(j)).collect();
                for j in words {
                    let called = self.tokens.s(j).to_string();
                    if kernels.contains(&called) && !function.is_member {
                        let help = "move what both do into a function that is no kernel";
                        self.error(j, format!("the kernel `{called}` is called"), Some(help));
                    }
                    if functions.len() == 1 && !function.is_template && !function.is_member {
                        calls.entry(name.clone()).or_default().push((called, j));
                    }
                }
            }
        }
        for name in calls.keys().cloned().collect::<Vec<_>>() {
            let direct = calls[&name].iter().find(|(called, _)| *called == name);
            let through = || calls[&name].iter().find(|(called, _)| reaches(&calls, called, &name));
            if let Some((called, at)) = direct.or_else(through) {
                let sentence = match *called == name {
                    true => format!("`{name}` calls itself"),
                    false => format!("`{name}` calls itself through `{called}`"),
                };
                let help = "write a loop: Metal before 2.4 refuses recursion, and a GPU's thread has hardly a stack";
                self.error(*at, sentence, Some(help));
            }
        }
    }

    /// `name(`, and neither a member nor a declaration.
    fn is_called(&self, j: usize) -> bool {
        let before = self.tokens.s(j - 1);
        let after = match self.tokens.s(j + 1) {
            "<" => self.tokens.angle(j + 1).map_or("", |close| self.tokens.s(close + 1)),
            other => other,
        };
        after == "("
            && !matches!(before, "." | "->" | "::")
            && (!self.tokens.is_word(j - 1) || matches!(before, "return" | "else" | "do"))
    }
}

/// Whether `from` leads to `name`.
fn reaches(calls: &BTreeMap<String, Vec<(String, usize)>>, from: &str, name: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(next) = open.pop() {
        if next == name {
            return true;
        }
        if seen.insert(next) {
            open.extend(calls.get(next).into_iter().flatten().map(|(called, _)| called.as_str()));
        }
    }
    false
}
