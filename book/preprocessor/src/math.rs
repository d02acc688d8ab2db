//! TeX between dollar signs becomes MathML before Markdown sees it; otherwise `_` and `\{` would be eaten.
//!
//! `$…$` stays in its line, `$$…$$` becomes a block. Code blocks, inline code and `\$` are left alone.
//! The number of lines never changes, so that later messages can still name a line of the file.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

/// Replaces all math of a chapter; `report` is called with a line number, counted from one, and a sentence.
pub fn replace(markdown: &str, report: &mut impl FnMut(usize, String)) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    let mut fence: Option<&str> = None;
    while !rest.is_empty() {
        let at_line_start = out.is_empty() || out.ends_with('\n');
        if at_line_start {
            let line = rest.split_inclusive('\n').next().unwrap_or(rest);
            let mark = fence_mark(line);
            match (fence, mark) {
                (None, Some(open)) => fence = Some(open),
                (Some(open), Some(close)) if close.starts_with(open) => fence = None,
                _ => {}
            }
            if fence.is_some() || mark.is_some() {
                out.push_str(line);
                rest = &rest[line.len()..];
                continue;
            }
        }
        let (done, left) = next_piece(rest, out.matches('\n').count() + 1, report);
        out.push_str(&done);
        rest = left;
    }
    out
}

/// The fence that this line opens or closes: three or more backticks or tildes.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then_some(&line[..length])
}

/// Takes text up to the next line end or special character, or one code span, escape or formula.
fn next_piece<'a>(rest: &'a str, line: usize, report: &mut impl FnMut(usize, String)) -> (String, &'a str) {
    if let Some(after) = rest.strip_prefix("\\$") {
        return ("$".into(), after);
    }
    if rest.starts_with('`') {
        let ticks = &rest[..rest.len() - rest.trim_start_matches('`').len()];
        let end = rest[ticks.len()..].find(ticks).map_or(ticks.len(), |at| ticks.len() * 2 + at);
        return (rest[..end].into(), &rest[end..]);
    }
    if rest.starts_with('$') {
        let mark = if rest.starts_with("$$") { "$$" } else { "$" };
        let body = &rest[mark.len()..];
        let paragraph = &body[..body.find("\n\n").unwrap_or(body.len())];
        let Some(end) = paragraph.find(mark) else {
            report(
                line,
                format!("{mark} opens a formula that its paragraph does not close; write \\$ for a dollar sign"),
            );
            return (mark.into(), body);
        };
        let tex = &body[..end];
        let html = mathml(tex, mark == "$$").unwrap_or_else(|what| {
            report(line, format!("{what} in the formula {}", tex.trim()));
            String::new()
        });
        return (html + &"\n".repeat(tex.matches('\n').count()), &body[end + mark.len()..]);
    }
    let end = rest.char_indices().skip(1).find(|(_, c)| matches!(c, '$' | '`' | '\\')).map_or(rest.len(), |(at, _)| at);
    let end = rest[..end].find('\n').map_or(end, |at| at + 1);
    (rest[..end].into(), &rest[end..])
}

/// One formula; a command that the parser does not know is an error.
fn mathml(tex: &str, block: bool) -> Result<String, String> {
    let storage = Storage::new();
    let display_mode = if block { DisplayMode::Block } else { DisplayMode::Inline };
    let mut html = String::new();
    push_mathml(&mut html, Parser::new(tex, &storage), RenderConfig { display_mode, ..RenderConfig::default() })
        .map_err(|error| format!("{error}"))?;
    if let Some((_, error)) = html.split_once("<merror") {
        let text = error.split_once('>').map_or(error, |(_, text)| text);
        let text: String = text.split('<').filter_map(|part| part.split('>').next_back()).collect();
        return Err(format!("TeX error ({})", text.lines().next().unwrap_or_default().trim()));
    }
    // Markdown still reads the text between tags.
    let escaped = escape_text(&html.replace('\n', ""));
    Ok(if block { format!("<div class=\"formula\">{escaped}</div>") } else { escaped })
}

/// Writes the special characters of Markdown, and of HTML where the renderer left them bare, as character references.
fn escape_text(html: &str) -> String {
    let mut in_tag = false;
    let mut out = String::with_capacity(html.len());
    let mut characters = html.chars().peekable();
    while let Some(c) = characters.next() {
        let opens = c == '<' && characters.peek().is_some_and(|next| next.is_ascii_alphabetic() || *next == '/');
        in_tag |= opens;
        if !in_tag && matches!(c, '<' | '>' | '*' | '_' | '|' | '[' | ']' | '`' | '\\' | '~') {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
        in_tag &= c != '>';
    }
    // The renderer escapes its own space.
    out.replace("&amp;nbsp;", "&#160;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(markdown: &str) -> (String, Vec<(usize, String)>) {
        let mut problems = Vec::new();
        let out = replace(markdown, &mut |line, what| problems.push((line, what)));
        (out, problems)
    }

    #[test]
    fn math_becomes_mathml_and_keeps_the_line_count() {
        let (out, problems) = replaced("a $x_1$ b\n\n$$\n\\frac{a}{b}\n$$\n\nend\n");
        assert_eq!(problems, []);
        assert!(out.starts_with("a <math"), "{out}");
        assert!(out.contains("<div class=\"formula\"><math display=\"block\""), "{out}");
        assert_eq!(out.matches('\n').count(), 7);
    }

    #[test]
    fn code_and_escapes_are_left_alone() {
        let text = "`$x$` and ``a ` $b$``\n\n```console\n$ cargo xtask\n```\n";
        assert_eq!(replaced(text), (text.to_string(), vec![]));
        assert_eq!(replaced("5 \\$\n").0, "5 $\n");
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let (_, problems) = replaced("one\ntwo $\\nonsense{x}$\n");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].0, 2);
        let (_, problems) = replaced("a $x\n\nb\n");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].1.contains("does not close"));
    }

    #[test]
    fn nothing_in_a_formula_is_markdown() {
        let (out, _) = replaced("$a * b * c | d$\n");
        assert!(!out.contains('*') && !out.contains('|'), "{out}");
    }

    #[test]
    fn what_the_renderer_leaves_bare_is_escaped() {
        let (out, _) = replaced("$a < b,\\ c > d$\n");
        assert!(out.contains("<mo>&#60;</mo>") && out.contains("<mo>&#62;</mo>") && out.contains("&#160;"), "{out}");
    }
}
