//! The signatures of a task: the docs and heads of the functions whose bodies are `kit::stub!("1.7.2", …)` in Rust, or
//! throw `not implemented: task 1.7.6, …` in C++.

use std::path::Path;

const STUB: &str = "stub!(";

/// The text for the book, functions separated by an empty line, methods inside their `impl`.
/// Fails when the file cannot be read or has no stub of that id.
pub fn of_task(file: &Path, task: &str) -> Result<String, String> {
    let source = std::fs::read_to_string(file).map_err(|error| format!("cannot be read ({error})"))?;
    let is_cpp = file.extension().is_some_and(|extension| extension == "cpp");
    let text = if is_cpp { cut_cpp(&source, task) } else { cut(&source, task) };
    if text.is_empty() { Err(format!("has no stub of task {task}")) } else { Ok(text) }
}

/// The paragraphs of a C++ file that throw the task's text, up to the brace that opens the body.
fn cut_cpp(source: &str, task: &str) -> String {
    let stub = format!("not implemented: task {task},");
    let head = |paragraph: &str| Some(paragraph.trim_start().split_once(" {\n")?.0.to_string() + ";");
    let heads = source.split("\n\n").filter(|paragraph| paragraph.contains(&stub)).filter_map(head);
    heads.collect::<Vec<_>>().join("\n\n")
}

/// As `of_task`, on the text of a Rust file; empty when there is no such stub.
fn cut(source: &str, task: &str) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut blocks: Vec<(Option<usize>, Vec<&str>)> = Vec::new();
    let mut last_head = None;
    for stub in stubs_of(source, task) {
        let Some(head) = lines[..=stub].iter().rposition(|line| is_function_head(line)) else { continue };
        if last_head.replace(head) == Some(head) {
            continue;
        }
        let indent = indent_of(lines[head]);
        let above =
            lines[..head].iter().rposition(|line| !(line.trim().starts_with("///") || line.trim().starts_with("#[")));
        let first = above.map_or(0, |line| line + 1);
        let open = (head..=stub).find(|&line| lines[line].trim_end().ends_with('{')).unwrap_or(head);
        let outer = lines[..head].iter().rposition(|line| !line.trim().is_empty() && indent_of(line) < indent);
        blocks.push((outer.filter(|_| indent > 0), lines[first..=open].to_vec()));
    }
    write(&lines, &blocks)
}

/// Line numbers of the stubs with that id, also where rustfmt has broken the macro over several lines.
fn stubs_of(source: &str, task: &str) -> Vec<usize> {
    source
        .match_indices(STUB)
        .filter(|(at, _)| {
            let arguments = source[at + STUB.len()..].trim_start();
            arguments
                .strip_prefix('"')
                .and_then(|rest| rest.strip_prefix(task))
                .is_some_and(|rest| rest.starts_with('"'))
        })
        .map(|(at, _)| source[..at].matches('\n').count())
        .collect()
}

fn is_function_head(line: &str) -> bool {
    let line = line.trim_start();
    ["fn ", "pub fn ", "pub(crate) fn ", "pub(super) fn "].iter().any(|start| line.starts_with(start))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn write(lines: &[&str], blocks: &[(Option<usize>, Vec<&str>)]) -> String {
    let mut out = String::new();
    for (index, (outer, block)) in blocks.iter().enumerate() {
        let continues = index > 0 && blocks[index - 1].0 == *outer;
        if index > 0 {
            out.push('\n');
        }
        if let Some(outer) = outer.filter(|_| !continues) {
            out.push_str(&format!("{}\n", lines[outer]));
        }
        let (last, docs) = block.split_last().expect("a block has at least the function's head");
        docs.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        out.push_str(&format!("{};\n", broken(last.trim_end().trim_end_matches('{').trim_end())));
        let ends = blocks.get(index + 1).is_none_or(|next| next.0 != *outer);
        if outer.is_some() && ends {
            out.push_str("}\n");
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The longest line that a page of 1,200 pixels shows without scrolling.
const COLUMNS: usize = 84;

/// A head that is too long for the page, one argument a line.
fn broken(head: &str) -> String {
    let parts = head
        .split_once('(')
        .and_then(|(start, rest)| rest.rsplit_once(") ->").map(|(middle, end)| (start, middle, end)));
    let Some((start, arguments, end)) = parts.filter(|_| head.chars().count() > COLUMNS) else {
        return head.to_string();
    };
    let indent = &head[..indent_of(head)];
    let mut out = format!("{start}(\n");
    let (mut depth, mut before) = (0, ' ');
    for argument in arguments.split_inclusive(|c| {
        let arrow = before == '-' && c == '>';
        before = c;
        depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']') && !arrow);
        c == ',' && depth == 0
    }) {
        out.push_str(&format!("{indent}    {},\n", argument.trim().trim_end_matches(',')));
    }
    out + &format!("{indent}) ->{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
use kit::Result;

/// Twice.
#[inline]
pub fn twice(
    x: f32,
) -> Result<f32> {
    kit::stub!(
        "1.1.2", x)
}

/// Given.
pub fn given() {}

impl Law {
    /// Makes it.
    pub fn new() -> Result<Self> {
        kit::stub!("1.1.1")
    }

    fn one(&self) -> Result<f32> {
        kit::stub!("1.1.1", self)
    }
}
"#;

    #[test]
    fn docs_and_head_of_a_function() {
        assert_eq!(cut(FILE, "1.1.2"), "/// Twice.\n#[inline]\npub fn twice(\n    x: f32,\n) -> Result<f32>;");
    }

    #[test]
    fn methods_stay_in_their_impl() {
        let expected =
            "impl Law {\n    /// Makes it.\n    pub fn new() -> Result<Self>;\n\n    fn one(&self) -> Result<f32>;\n}";
        assert_eq!(cut(FILE, "1.1.1"), expected);
    }

    #[test]
    fn a_long_head_is_broken_between_its_arguments() {
        let head = "    pub fn load(weights: &Weights<'_>, config: &Config, f: impl Fn(u8, u8) -> bool, rope: RoPE) -> Result<Self>";
        let expected = "    pub fn load(\n        weights: &Weights<'_>,\n        config: &Config,\n        f: impl Fn(u8, u8) -> bool,\n        \
                        rope: RoPE,\n    ) -> Result<Self>";
        assert_eq!(broken(head), expected);
        assert_eq!(broken("fn f(x: f32) -> f32"), "fn f(x: f32) -> f32");
    }

    #[test]
    fn a_cpp_function_ends_at_its_brace() {
        let file = "namespace n {\n\n/// e^x.\ntemplate <typename T>\nvoid f(const T* x) {\n  throw std::runtime_error(\"not implemented: task \
                    1.7.6, f (a.cpp)\");\n}\n\nvoid g() {\n}\n";
        assert_eq!(cut_cpp(file, "1.7.6"), "/// e^x.\ntemplate <typename T>\nvoid f(const T* x);");
        assert_eq!(cut_cpp(file, "1.7.7"), "");
    }

    #[test]
    fn an_unknown_id_is_empty_and_a_prefix_is_not_a_match() {
        assert_eq!(cut(FILE, "1.1"), "");
        assert_eq!(cut(FILE, "1.1.11"), "");
    }
}
