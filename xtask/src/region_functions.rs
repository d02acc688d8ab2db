//! The function around a region: in come a file's lines and the lines of the two marks, out come its name and header.
//!
//! The sources are formatted, so that indentation shows the structure: a header begins and a body ends in the same
//! column, and what is inside is further right.

/// The function that a region is the inside of.
pub struct Function {
    /// Its name, with its type where it is a method: `RoPE::forward`.
    pub item: String,
    /// From its first line to the opening brace.
    pub header: String,
}

/// A Rust function whose inside is exactly the lines between `start` and `end` (the marks), or what is wrong.
pub fn rust_function(lines: &[&str], start: usize, end: usize) -> Result<Function, String> {
    let (first, header) = enclosing_header(lines, start, end)?;
    let Some(name) = after_word(&header, "fn") else {
        return Err("is inside a block that is not a function".to_string());
    };
    let item = match enclosing_type(lines, first) {
        Some(of) => format!("{of}::{name}"),
        None => name,
    };
    Ok(Function { item, header })
}

/// The same for C++; namespaces and classes may be indented or not.
pub fn cpp_function(lines: &[&str], start: usize, end: usize) -> Result<Function, String> {
    let (_, header) = enclosing_header(lines, start, end)?;
    let name = header.split('(').next().and_then(|before| before.split_whitespace().last());
    let name = name.map(|name| name.trim_start_matches(['*', '&']).to_string()).unwrap_or_default();
    let keyword = ["if", "for", "while", "switch", "do", "else", "namespace", "struct", "class"];
    if name.is_empty() || !header.contains('(') || keyword.contains(&name.as_str()) {
        return Err("is inside a block that is not a function".to_string());
    }
    Ok(Function { item: name, header })
}

/// A Metal region holds whole kernels; it is named after the first.
pub fn metal_kernel(lines: &[&str], start: usize, end: usize) -> Result<Function, String> {
    if indent(lines[start]) != 0 {
        return Err("must hold a whole kernel, not a part of one".to_string());
    }
    let header = lines[start + 1..end].concat();
    let kernel = header.split_once("kernel").and_then(|(_, rest)| rest.split_once('('));
    let name = kernel.and_then(|(before, _)| before.split_whitespace().last()).map(str::to_string);
    match name {
        Some(item) => Ok(Function { item, header }),
        None => Err("holds no kernel".to_string()),
    }
}

/// The first line and the text of the header whose body is between the marks.
fn enclosing_header(lines: &[&str], start: usize, end: usize) -> Result<(usize, String), String> {
    let whole = "must be the whole inside of one function body";
    let before = lines[..start].last().map_or("", |line| line.trim_end());
    let after = lines.get(end + 1).map_or("", |line| line.trim_end());
    if !before.ends_with('{') || after.trim_start() != "}" {
        return Err(whole.to_string());
    }
    let column = indent(after);
    let is_first =
        |line: &&str| indent(line) == column && !line.trim().is_empty() && !line.trim_start().starts_with([')', '{']);
    let first = lines[..start].iter().rposition(is_first).ok_or_else(|| whole.to_string())?;
    if indent(lines[start]) <= column || indent(lines[end]) != indent(lines[start]) {
        return Err(whole.to_string());
    }
    Ok((first, lines[first..start].concat()))
}

/// The type of the `impl` or `trait` block around a line, without its parameters.
fn enclosing_type(lines: &[&str], first: usize) -> Option<String> {
    let column = indent(lines[first]);
    let outer = lines[..first].iter().rfind(|line| !line.trim().is_empty() && indent(line) < column)?.trim();
    let outer = outer.trim_start_matches("pub ").trim_end_matches('{').trim();
    if let Some(name) = outer.strip_prefix("trait ") {
        return name.split(['<', ':', ' ']).next().map(str::to_string);
    }
    let rest = skip_parameters(outer.strip_prefix("impl")?);
    let of = rest.rsplit_once(" for ").map_or(rest, |(_, of)| of).trim();
    let of = of.split(" where").next().unwrap_or(of);
    of.split(['<', ' ']).next().and_then(|path| path.rsplit("::").next()).map(str::to_string)
}

/// `<'a, T> Foo` becomes `Foo`.
fn skip_parameters(text: &str) -> &str {
    let text = text.trim_start();
    if !text.starts_with('<') {
        return text;
    }
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        depth += match character {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        if depth == 0 {
            return text[index + 1..].trim_start();
        }
    }
    text
}

/// The identifier that follows a whole word.
fn after_word(text: &str, word: &str) -> Option<String> {
    let mut words = text.split_whitespace().skip_while(|candidate| *candidate != word);
    words.next()?;
    let name = words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| name.to_string())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
