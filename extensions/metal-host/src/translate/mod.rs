//! Metal in, C++ out: the text of a preprocessed `.metal` file becomes a source that g++ or clang compiles.
//!
//! The kernels' text stays as it is, line by line, so that errors, debuggers and sanitizers name the `.metal` line. What
//! changes, in this order: attributes are read and removed, function constants are looked up when the library is
//! loaded, functions that differ only in address spaces collapse, `threadgroup` variables become memory of the group,
//! address spaces go away, literals become `float` and swizzles calls; a table of the kernels is appended.

mod attributes;
mod calls;
mod constants;
mod declared;
mod duplicates;
mod kernels;
mod lint;
mod literals;
mod program;
mod spaces;
mod table;
mod token;

use std::collections::{BTreeMap, BTreeSet};

use attributes::Attribute;
use constants::FunctionConstant;
use kernels::{Instance, Kernel};
pub(crate) use table::TABLE;
use token::Tokens;

/// A sentence about a line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub file: String,
    pub line: u32,
    pub message: String,
    /// What to do, where that is clear.
    pub help: Option<String>,
}

/// The words that name an address space.
const SPACES: [&str; 7] =
    ["device", "constant", "threadgroup", "thread", "threadgroup_imageblock", "ray_data", "object_data"];

fn is_space(s: &str) -> bool {
    SPACES.contains(&s)
}

/// What is known of a source while it is translated.
struct Translator<'s> {
    tokens: Tokens<'s>,
    /// By the token that opens them.
    attributes: BTreeMap<usize, Attribute>,
    /// By name.
    kernels: BTreeMap<String, Kernel>,
    instances: Vec<Instance>,
    constants: Vec<FunctionConstant>,
    /// The words used in the bodies of the functions of a name.
    calls: BTreeMap<String, BTreeSet<String>>,
    swizzles: BTreeSet<String>,
    variables: usize,
    errors: Vec<Diagnostic>,
    strict: bool,
}

impl Translator<'_> {
    fn error(&mut self, j: usize, message: impl Into<String>, help: Option<&str>) {
        let (file, line) = self.tokens.place(j);
        let diagnostic =
            Diagnostic { file: file.into(), line, message: message.into(), help: help.map(str::to_string) };
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }
}

/// Translates preprocessed Metal. `strict` also looks for what Apple's compiler refuses and C++ accepts.
pub(crate) fn translate(preprocessed: &str, strict: bool) -> Result<String, Vec<Diagnostic>> {
    let mut t = Translator {
        tokens: Tokens::of(preprocessed),
        attributes: BTreeMap::new(),
        kernels: BTreeMap::new(),
        instances: Vec::new(),
        constants: Vec::new(),
        calls: BTreeMap::new(),
        swizzles: BTreeSet::new(),
        variables: 0,
        errors: Vec::new(),
        strict,
    };
    t.read_attributes();
    if strict {
        t.lint();
    }
    t.function_constants();
    t.find_kernels();
    t.read_calls();
    t.collapse_duplicates();
    t.erase_attributes();
    t.address_spaces();
    t.constants_defined();
    t.erase_instantiations();
    t.literals_and_swizzles();
    let source = t.with_table();
    if t.errors.is_empty() { Ok(source) } else { Err(t.errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: [&str; 3] = [
        include_str!("../../tests/kernels/features.metal"),
        include_str!("../../tests/kernels/language.metal"),
        include_str!("../../tests/kernels/flash.metal"),
    ];

    /// Learners compile what is half written: whatever stands there, an answer comes.
    #[test]
    fn broken_sources_are_answered() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        for _ in 0..600 {
            let text = SOURCES[random(SOURCES.len())];
            let mut pieces: Vec<&str> =
                text.split_inclusive([' ', '\n', '(', ')', '{', '}', '[', ']', '<', '>', ';', ',']).collect();
            for _ in 0..1 + random(6) {
                let at = random(pieces.len());
                match random(3) {
                    0 => drop(pieces.remove(at)),
                    1 => pieces.insert(at, pieces[random(pieces.len())]),
                    _ => pieces.truncate(at + 1),
                }
            }
            // An error or a source: either is an answer.
            drop(translate(&pieces.concat(), random(2) == 0));
        }
    }

    #[test]
    fn every_line_stays_where_it_is() {
        for text in SOURCES {
            let translated = translate(text, false).expect("it is right");
            let own = translated
                .lines()
                .position(|l| l.starts_with("//") || l.starts_with("#include <metal"))
                .expect("its first line");
            for (n, line) in text.lines().enumerate().filter(|(_, l)| l.contains("threadgroup_barrier")) {
                let there = translated.lines().nth(own + n).unwrap_or_default();
                assert!(there.contains("threadgroup_barrier"), "line {}: {line}\n{there}", n + 1);
            }
        }
    }
}
