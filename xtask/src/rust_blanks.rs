//! Rust text without what is not code: in goes a source, out comes a text of the same length in which only code is left.

/// The text with comments, strings and character literals as spaces, byte for byte as long; `None` where one does not end.
pub fn blanked(source: &str) -> Option<String> {
    let mut blank = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let code = opaque(rest, blank.chars().next_back())?;
        if code == 0 {
            blank.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            blank.extend(rest[..code].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            rest = &rest[code..];
        }
    }
    Some(blank)
}

/// The length of the comment or literal that begins here, 0 where none does; `before` is the character in front.
fn opaque(text: &str, before: Option<char>) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return comment(text);
    }
    if text.starts_with('"') {
        return string(text, '"');
    }
    if text.starts_with('\'') {
        return Some(character(text));
    }
    let starts_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let prefix = text.trim_start_matches(['b', 'c']);
    let Some(raw) = prefix.strip_prefix('r') else { return Some(0) };
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    if starts_word && text.len() - prefix.len() <= 1 && raw[hashes..].starts_with('"') {
        let close = format!("\"{}", "#".repeat(hashes));
        let inside = text.len() - raw.len() + hashes + 1;
        return text[inside..].find(&close).map(|at| inside + at + close.len());
    }
    Some(0)
}

fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let pair = text.as_bytes().get(at..at + 2);
        match pair {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A literal between two `quote`s in which a backslash takes the next character with it.
fn string(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                characters.next();
            }
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A character literal, or 1 for the tick of a lifetime.
fn character(text: &str) -> usize {
    let mut inside = text[1..].chars();
    match (inside.next(), inside.next()) {
        (Some('\\'), _) => string(text, '\'').unwrap_or(1),
        (Some(c), Some('\'')) => c.len_utf8() + 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn only_code_is_left() {
        let same = |source: &str, left: &str| assert_eq!(blanked(source).as_deref(), Some(left), "{source}");
        same("a // { \n}", "a      \n}");
        same("/* a /* b */ c */ d", "                  d");
        same("f(\"}\\\"{\", 'x', '\\'', '{', b'{')", "f(      ,    ,     ,    , b   )");
        same("fn f<'a>(x: &'a str)", "fn f< a>(x: & a str)");
        same("r#\"\"}\"# br\"{\" xr\"{\"", "              xr   ");
        same("\u{e4} \"\u{e4}\"", "\u{e4}     ");
    }

    #[test]
    fn what_does_not_end_is_refused() {
        for source in ["\"", "/* /* */", "r#\"\""] {
            assert_eq!(blanked(source), None, "{source}");
        }
    }
}
