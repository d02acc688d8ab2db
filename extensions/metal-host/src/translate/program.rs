//! The declarations of a source: functions with their parameters and bodies, variables, structures. By tokens alone, so
//! types are words; what is not understood is passed over.

use std::ops::Range;

use super::Translator;
use super::declared::Declared;

/// A function, a member or a kernel; declared only, or with its body.
pub(super) struct Function {
    /// The token of its name.
    pub name: usize,
    pub is_template: bool,
    pub is_kernel: bool,
    /// A function of a structure.
    pub is_member: bool,
    /// What stands before the name: specifiers and the type of the result.
    pub result: Range<usize>,
    pub parameters: Vec<Declared>,
    /// From `{` to `}`.
    pub body: Option<Range<usize>>,
}

/// A variable of the file or of a structure.
pub(super) struct Variable {
    pub declared: Declared,
    pub is_member: bool,
}

#[derive(Default)]
pub(super) struct Program {
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
}

impl Translator<'_> {
    pub(super) fn program(&self) -> Program {
        let mut program = Program::default();
        self.scan(0..self.tokens.len(), false, &mut program);
        program
    }

    /// The declarations of a namespace or a structure.
    fn scan(&self, range: Range<usize>, in_structure: bool, program: &mut Program) {
        let mut j = range.start;
        while j < range.end {
            j = match self.tokens.s(j) {
                ";" | "}" => j + 1,
                "{" => self.tokens.close(j) + 1,
                "public" | "private" | "protected" => j + 2,
                "namespace" => {
                    let open = self.find(j, range.end, &["{", ";"]);
                    let end = if self.tokens.s(open) == "{" { self.tokens.close(open) } else { open };
                    self.scan(open + 1..end, false, program);
                    end + 1
                }
                "using" | "typedef" | "static_assert" | "friend" => self.find(j, range.end, &[";"]) + 1,
                "template" if self.tokens.s(j + 1) != "<" => self.find(j, range.end, &[";"]) + 1,
                _ => self.declaration(j, range.end, in_structure, program),
            };
        }
    }

    /// The first of `texts` from `j` on, outside of brackets that open on the way; `end` without one.
    fn find(&self, mut j: usize, end: usize, texts: &[&str]) -> usize {
        while j < end && !texts.contains(&self.tokens.s(j)) {
            j = if matches!(self.tokens.s(j), "(" | "[" | "{") { self.tokens.close(j) + 1 } else { j + 1 };
        }
        j.min(end)
    }

    /// The declaration that begins at `start`; returns where the next one does.
    fn declaration(&self, start: usize, end: usize, is_member: bool, program: &mut Program) -> usize {
        let (mut j, mut is_template, mut is_kernel) = (start, false, false);
        while self.tokens.s(j) == "template" {
            is_template = true;
            j = self.tokens.angle(j + 1).unwrap_or(j + 1) + 1;
        }
        if matches!(self.tokens.s(j), "using" | "typedef" | "friend") {
            return self.find(j, end, &[";"]) + 1;
        }
        let first = j;
        while j < end {
            if let Some(attribute) = self.attributes.get(&j) {
                is_kernel |= attribute.has("kernel");
                j = attribute.end + 1;
                continue;
            }
            match self.tokens.s(j) {
                "kernel" => is_kernel = true,
                "struct" | "class" | "union" | "enum" => {
                    let open = self.head_end(j, end);
                    if self.tokens.s(open) == "{" {
                        let close = self.tokens.close(open);
                        if self.tokens.s(j) != "enum" {
                            self.scan(open + 1..close, true, program);
                        }
                        return self.find(close + 1, end, &[";"]) + 1;
                    }
                    if self.tokens.s(open) == ";" && open < j + 3 {
                        return open + 1; // announced only
                    }
                }
                "operator" => {
                    // Its signs are a name: `operator()`, `operator*`, `operator float`.
                    j += 1;
                    if self.tokens.s(j) == "(" {
                        j += 1;
                    }
                    while self.tokens.s(j + 1) != "(" && j + 1 < end {
                        j += 1;
                    }
                }
                "(" if matches!(self.tokens.s(j - 1), "decltype" | "alignas" | "__attribute__") => {
                    j = self.tokens.close(j);
                }
                "(" if matches!(self.tokens.s(j + 1), "*" | "&") => break,
                "(" => return self.function(first, j, end, (is_template, is_kernel, is_member), program),
                "<" => j = self.tokens.angle(j).unwrap_or(j),
                "=" | ";" | "{" | "[" | "," => break,
                _ => {}
            }
            j += 1;
        }
        let last = self.find(j, end, &[";"]);
        let declared = self.declared(first..last);
        if declared.name.is_some() && declared.has_type {
            program.variables.push(Variable { declared, is_member });
        }
        last + 1
    }

    /// What ends the head of a structure: the `{` of its body, or something else where it is only named.
    fn head_end(&self, mut j: usize, end: usize) -> usize {
        while j < end && !matches!(self.tokens.s(j), "{" | ";" | "=" | "(") {
            j = if self.tokens.s(j) == "<" { self.tokens.angle(j).unwrap_or(j) + 1 } else { j + 1 };
        }
        j
    }

    /// The function whose parameters open at `open`; returns where the next declaration begins.
    fn function(
        &self,
        first: usize,
        open: usize,
        end: usize,
        (is_template, is_kernel, is_member): (bool, bool, bool),
        program: &mut Program,
    ) -> usize {
        let close = self.tokens.close(open);
        let mut j = close + 1;
        while j < end && !matches!(self.tokens.s(j), "{" | ";" | "=" | ":") {
            j = if self.tokens.s(j) == "(" { self.tokens.close(j) + 1 } else { j + 1 };
        }
        if self.tokens.s(j) == ":" {
            // Members that a constructor initialises: `a(1), b{2} {`.
            j += 1;
            while j < end && !matches!(self.tokens.s(j), ";") {
                let value = self.find_initialiser(j, end);
                j = self.tokens.close(value) + 1;
                if self.tokens.s(j) != "," {
                    break;
                }
                j += 1;
            }
        }
        let body = (self.tokens.s(j) == "{").then(|| j..self.tokens.close(j));
        let next = body.as_ref().map_or_else(|| self.find(j, end, &[";"]) + 1, |body| body.end + 1);
        let parameters = self.split_parameters(open, close).into_iter();
        program.functions.push(Function {
            name: open - 1,
            is_template,
            is_kernel,
            is_member,
            result: first..open - 1,
            parameters: parameters.map(|(from, to, _)| self.declared(from..to)).collect(),
            body,
        });
        next
    }

    fn find_initialiser(&self, mut j: usize, end: usize) -> usize {
        while j < end && !matches!(self.tokens.s(j), "(" | "{") {
            j = if self.tokens.s(j) == "<" { self.tokens.angle(j).unwrap_or(j) + 1 } else { j + 1 };
        }
        j
    }
}
