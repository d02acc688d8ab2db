//! Pointers and references keep their address space: where they are passed, assigned, returned and cast.

use super::super::Translator;
use super::super::declared::Declared;
use super::super::program::{Function, Program};
use super::expression::{Names, Value};

/// What Metal's own functions want of one of their arguments, by its number.
const OF_METAL: [(&str, usize, &[&str]); 3] = [
    ("simdgroup_load", 1, &["device", "threadgroup"]),
    ("simdgroup_store", 1, &["device", "threadgroup"]),
    ("atomic_", 0, &["device", "threadgroup"]),
];

impl Translator<'_> {
    pub(super) fn spaces_passed(&mut self, program: &Program) {
        let mut names = Names::new();
        for variable in program.variables.iter().filter(|v| !v.is_member) {
            if let Some(name) = variable.declared.name {
                names.insert(self.tokens.s(name), Value::of(&variable.declared, false));
            }
        }
        for function in program.functions.iter().filter(|f| f.body.is_some()) {
            names.open();
            for d in &function.parameters {
                if let Some(name) = d.name {
                    names.insert(self.tokens.s(name), Value::of(d, true));
                }
            }
            self.body(function, program, &mut names);
            names.close();
        }
    }

    fn body(&mut self, function: &Function, program: &Program, names: &mut Names) {
        let body = function.body.clone().unwrap_or_default();
        let result = self.declared(function.result.start..function.name + 1);
        for j in body.clone() {
            match self.tokens.s(j) {
                "{" => names.open(),
                "}" => names.close(),
                _ => {}
            }
            let begins = matches!(self.tokens.s(j), "{" | "}" | ";");
            if begins || self.tokens.s(j) == "(" && self.tokens.s(j - 1) == "for" {
                let locals = self.local_at(j + 1, body.end);
                for d in &locals {
                    self.initialised(d, body.end, names);
                    if let Some(name) = d.name {
                        names.insert(self.tokens.s(name), Value::of(d, false));
                    }
                }
                if locals.is_empty() && begins {
                    self.assigned(j + 1, body.end, names);
                }
            } else if self.tokens.s(j) == "return" && result.points() {
                let end = self.statement_end(j, body.end);
                let value = self.value_of(j + 1, end, names);
                if let Some((want, got)) = conflict(&result, value) {
                    let name = self.tokens.s(function.name);
                    let sentence = format!("`{name}` returns a {want} pointer, and this one points to {got} memory");
                    self.mixed(j, sentence);
                }
            } else if self.tokens.is_word(j) && self.tokens.s(j + 1) == "(" {
                self.call(j, program, names);
            }
            self.cast(j, body.end, names);
        }
    }

    /// `device float* p = ..`
    fn initialised(&mut self, d: &Declared, end: usize, names: &Names) {
        let Some(equals) = d.value.filter(|&value| self.tokens.s(value) == "=") else { return };
        let last = self.statement_end(equals, end);
        let last = self.top_level(equals + 1, last, ",").unwrap_or(last);
        let value = self.value_of(equals + 1, last, names);
        if let Some((want, got)) = conflict(d, value) {
            let name = d.name.map_or("", |name| self.tokens.s(name));
            let sentence = format!("`{name}` points to {want} memory, and is given a place in {got} memory");
            self.mixed(d.range.start, sentence);
        }
    }

    /// `p = ..;`
    fn assigned(&mut self, j: usize, end: usize, names: &Names) {
        let Value::Pointer(want) = names.get(self.tokens.s(j)) else { return };
        if self.tokens.s(j + 1) != "=" {
            return;
        }
        let value = self.value_of(j + 2, self.statement_end(j, end), names);
        if let Value::Pointer(got) | Value::Array(got) = value
            && got != want
        {
            let name = self.tokens.s(j);
            let sentence = format!("`{name}` points to {want} memory, and is given a place in {got} memory");
            self.mixed(j, sentence);
        }
    }

    /// `f(..)` at `j`: some overload must take every argument.
    fn call(&mut self, j: usize, program: &Program, names: &Names) {
        if matches!(self.tokens.s(j.wrapping_sub(1)), "." | "->") {
            return;
        }
        let (name, close) = (self.tokens.s(j).to_string(), self.tokens.close(j + 1));
        let arguments: Vec<(usize, Value)> = self
            .split_parameters(j + 1, close)
            .into_iter()
            .map(|(from, to, _)| (from, self.value_of(from, to, names)))
            .collect();
        for (of_metal, n, spaces) in OF_METAL {
            let is_it =
                name == of_metal || of_metal == "atomic_" && name.starts_with(of_metal) && name.ends_with("_explicit");
            if let (true, Some(&(at, Value::Pointer(got) | Value::Array(got)))) = (is_it, arguments.get(n))
                && !spaces.contains(&got)
            {
                self.mixed(
                    at,
                    format!("`{name}` takes a {} pointer, and this one points to {got} memory", spaces.join(" or ")),
                );
            }
        }
        let fits = |f: &&Function| {
            let needed = f.parameters.iter().filter(|p| p.value.is_none()).count();
            self.tokens.s(f.name) == name && !f.is_member && (needed..=f.parameters.len()).contains(&arguments.len())
        };
        let candidates: Vec<&Function> = program.functions.iter().filter(fits).collect();
        let first_conflict = |f: &&Function| {
            let pairs = f.parameters.iter().zip(&arguments);
            let mut conflicts = pairs.filter_map(|(p, &(at, value))| conflict(p, value).map(|c| (p.clone(), at, c)));
            conflicts.next()
        };
        let conflicts: Option<Vec<_>> = candidates.iter().map(first_conflict).collect();
        if let Some((parameter, at, (want, got))) = conflicts.and_then(|all| all.into_iter().next()) {
            let parameter = parameter.name.map_or(String::new(), |p| format!(" for `{}`", self.tokens.s(p)));
            self.mixed(
                at,
                format!("`{name}` takes something in {want} memory{parameter}, and is given something in {got} memory"),
            );
        }
    }

    /// A cast to a pointer that ends or begins at `j`.
    fn cast(&mut self, j: usize, end: usize, names: &Names) {
        let (want, value) = match self.tokens.s(j) {
            "(" => {
                let close = self.tokens.close(j);
                let Some(want) = self.cast_space(j + 1, close) else { return };
                (want, self.operand(close + 1, end, names).0)
            }
            "reinterpret_cast" => {
                let Some(close) = self.tokens.angle(j + 1) else { return };
                let Some(want) = self.cast_space(j + 2, close) else { return };
                (want, self.value_of(close + 2, self.tokens.close(close + 1), names))
            }
            _ => return,
        };
        if let Value::Pointer(got) | Value::Array(got) = value
            && got != want
        {
            self.mixed(j, format!("a pointer to {got} memory is cast to one to {want} memory"));
        }
    }

    fn mixed(&mut self, j: usize, sentence: String) {
        let help = "Metal never converts between address spaces: copy the values, or write the function once for each";
        self.error(j, sentence, Some(help));
    }
}

/// The space that `d` wants and the one that `value` is in, where they differ.
fn conflict(d: &Declared, value: Value) -> Option<(&'static str, &'static str)> {
    let want = d.space?;
    let got = match value {
        Value::Pointer(got) if d.stars == 1 && !d.is_reference => got,
        Value::Array(got) if d.stars == 1 || d.is_array => got,
        // A constant reference may be to a copy.
        Value::Place(got) if d.is_reference && d.stars == 0 && !d.is_array && !d.is_const => got,
        _ => return None,
    };
    (got != want).then_some((want, got))
}
