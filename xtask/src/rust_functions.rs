//! The functions of a Rust source text: in goes the text, out come names, lines and byte ranges, found without a parser.
//!
//! Comments, strings and character literals are blanked first, so that a brace inside them does not count.

use std::ops::Range;

use crate::rust_blanks::blanked;

/// One function with a body, outside of any other function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// `top_k`, `RoPE::forward`, `<Qwen3Model as CausalLm>::forward`.
    pub path: String,
    /// The line of the word `fn`, from 1.
    pub line: usize,
    /// Documentation, attributes and signature, up to the opening brace.
    pub head: Range<usize>,
    /// What stands between the braces.
    pub body: Range<usize>,
}

impl Function {
    /// Whether the course's name for it, `top_k` or `RoPE::forward`, means this one.
    pub fn is_called(&self, item: &str) -> bool {
        let inherent = match self.path.strip_prefix('<').and_then(|path| path.split_once(">::")) {
            Some((types, name)) => format!("{}::{name}", types.split(" as ").next().unwrap_or(types)),
            None => self.path.clone(),
        };
        inherent == item
    }
}

/// All functions in the order of the text, or `None` where the braces do not match.
pub fn functions(source: &str) -> Option<Vec<Function>> {
    let blank = blanked(source)?;
    let mut functions = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    // Where the text since the last brace or semicolon begins, and how many parentheses and brackets are open in it.
    let (mut start, mut nested) = (0, 0usize);
    for (at, byte) in blank.bytes().enumerate() {
        match byte {
            b'(' | b'[' => nested += 1,
            b')' | b']' => nested = nested.checked_sub(1)?,
            b';' if nested == 0 => start = at + 1,
            b'{' => {
                let block = Block::of(&blank[start..at], start, at + 1, nested);
                open.push(block);
                (start, nested) = (at + 1, 0);
            }
            b'}' => {
                let block = open.pop()?;
                if let Kind::Function(name, word) = &block.kind
                    && open.iter().all(|outer| matches!(outer.kind, Kind::Scope(_)))
                {
                    let scope = open.iter().rev().find_map(|outer| match &outer.kind {
                        Kind::Scope(Some(name)) => Some(name),
                        _ => None,
                    });
                    functions.push(Function {
                        path: scope.map_or(name.clone(), |scope| format!("{scope}::{name}")),
                        line: source[..*word].matches('\n').count() + 1,
                        head: trimmed(source, block.head..block.inside - 1),
                        body: block.inside..at,
                    });
                }
                (start, nested) = (at + 1, block.nested);
            }
            _ => {}
        }
    }
    functions.sort_by_key(|function| function.body.start);
    open.is_empty().then_some(functions)
}

struct Block {
    kind: Kind,
    /// Where the text that introduces it begins.
    head: usize,
    /// The byte after its opening brace.
    inside: usize,
    /// Parentheses and brackets that are open around it.
    nested: usize,
}

enum Kind {
    /// A function's name and where the word `fn` stands.
    Function(String, usize),
    /// Something that functions stand in: a type's name for an `impl`, nothing for a module.
    Scope(Option<String>),
    Other,
}

impl Block {
    fn of(head: &str, start: usize, inside: usize, nested: usize) -> Self {
        let kind = match word(head, "fn") {
            Some(at) => {
                let name = head[at + 2..].trim_start();
                Kind::Function(name[..identifier(name)].to_string(), start + at)
            }
            None if word(head, "impl").is_some() => Kind::Scope(implemented(head)),
            None if word(head, "mod").is_some() || word(head, "trait").is_some() => Kind::Scope(None),
            None => Kind::Other,
        };
        Self { kind, head: start, inside, nested }
    }
}

/// `impl<T> Trait<T> for Type<T> where …` → `<Type as Trait>`
fn implemented(head: &str) -> Option<String> {
    let mut rest = head[word(head, "impl")? + 4..].trim_start();
    if rest.starts_with('<') {
        let mut depth = 0usize;
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        })?;
        rest = rest[end..].trim_start();
    }
    let last_name = |path: &str| {
        let path = path.trim_start_matches(['&', ' ']);
        let path = path.split(['<', ' ', '\n', '{']).next().unwrap_or(path);
        path.rsplit("::").next().unwrap_or(path).to_string()
    };
    Some(match word(rest, "for") {
        Some(at) => format!("<{} as {}>", last_name(rest[at + 3..].trim_start()), last_name(rest)),
        None => last_name(rest),
    })
}

/// Where a whole word stands.
fn word(text: &str, word: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

fn identifier(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn trimmed(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r##"//! A module with { in its text.
use std::fmt;

/// Keeps `k` tokens; not { balanced.
#[inline]
pub fn top_k<'a>(row: &'a [f32; 4], k: usize) -> Result<String> {
    // } not the end
    /* nor /* this } */ one } */
    let text = "}\"}";
    let raw = r#"}"}"#;
    let (open, quote, escaped) = ('{', '"', '\'');
    fn inner() {}
    Ok(format!("{text}{raw}"))
}

pub struct RoPE { dims: i32 }

impl RoPE {
    pub fn new(dims: i32) -> Self { Self { dims } }
}

impl<T: Into<f32>> Engine<T> for crate::rope::RoPE where T: Copy {
    fn forward(&self) -> f32 { if true { 1.0 } else { 2.0 } }
}

trait Later { fn absent(&self); fn given(&self) {} }

mod tests {
    fn a_test() {}
}
"##;

    #[test]
    fn functions_are_found_with_their_lines_and_bodies() {
        let found = functions(SOURCE).expect("balanced");
        let names: Vec<(&str, usize)> = found.iter().map(|f| (f.path.as_str(), f.line)).collect();
        let expected =
            [("top_k", 6), ("RoPE::new", 19), ("<RoPE as Engine>::forward", 23), ("given", 26), ("a_test", 29)];
        assert_eq!(names, expected);
        let top_k = &found[0];
        assert!(
            SOURCE[top_k.head.clone()].starts_with("/// Keeps `k`")
                && SOURCE[top_k.head.clone()].ends_with("Result<String>")
        );
        assert!(SOURCE[top_k.body.clone()].trim_start().starts_with("// }"));
        assert!(SOURCE[top_k.body.clone()].trim_end().ends_with(r#"Ok(format!("{text}{raw}"))"#));
        assert_eq!(&SOURCE[found[1].body.clone()], " Self { dims } ");
    }

    #[test]
    fn the_course_names_functions_by_type_alone() {
        let found = functions(SOURCE).expect("balanced");
        assert!(found[0].is_called("top_k") && !found[0].is_called("k"));
        assert!(found[2].is_called("RoPE::forward"));
    }

    #[test]
    fn what_does_not_close_is_refused() {
        for broken in ["fn a() {", "fn a() { \"} ", "fn a() }", "/* fn a() {}", "fn a() { r#\"x\" }"] {
            assert_eq!(functions(broken), None, "{broken}");
        }
    }

    #[test]
    fn generated_and_written_sources_of_this_program_are_understood() {
        let found = functions(include_str!("rust_functions.rs")).expect("this file is balanced");
        assert!(found.iter().any(|f| f.path == "Block::of") && found.iter().any(|f| f.path == "functions"));
    }
}
