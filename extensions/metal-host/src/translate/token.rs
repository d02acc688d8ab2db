//! Preprocessed text in, tokens out, each with the `.metal` file and line it came from.

use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    Directive,
    Comment,
    Text,
    Number,
    Word,
    Symbol,
}

pub(super) struct Token<'s> {
    pub kind: Kind,
    pub text: Cow<'s, str>,
    file: usize,
    line: u32,
}

/// The tokens of a source. Those that mean something are numbered: `j` is always such a number, and one outside reads
/// as the empty text, so that looking one back or ahead needs no care.
pub(super) struct Tokens<'s> {
    pub all: Vec<Token<'s>>,
    numbered: Vec<usize>,
    files: Vec<String>,
}

/// Longer ones first. No `>>` and no `>=`: they close two templates, or one.
const SYMBOLS: [&str; 18] =
    ["<<=", "...", "->", "::", "&&", "||", "==", "!=", "<=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|="];

impl<'s> Tokens<'s> {
    /// Splits `text`, which is what the preprocessor printed, line markers included.
    pub fn of(text: &'s str) -> Self {
        let mut tokens = Tokens { all: Vec::new(), numbered: Vec::new(), files: vec!["?".into()] };
        let (mut file, mut line, mut rest, mut line_start) = (0, 1, text, true);
        while !rest.is_empty() {
            let (kind, length) = first(rest, line_start);
            let piece = &rest[..length];
            if kind == Kind::Directive
                && let Some((number, name)) = marker(piece)
            {
                line = number.saturating_sub(1);
                file = tokens.files.iter().position(|f| f == name).unwrap_or_else(|| {
                    tokens.files.push(name.into());
                    tokens.files.len() - 1
                });
            }
            if !matches!(kind, Kind::Space | Kind::Directive | Kind::Comment) {
                tokens.numbered.push(tokens.all.len());
            }
            tokens.all.push(Token { kind, text: Cow::Borrowed(piece), file, line });
            line += piece.matches('\n').count() as u32;
            line_start = piece.ends_with('\n');
            rest = &rest[length..];
        }
        tokens
    }

    pub fn len(&self) -> usize {
        self.numbered.len()
    }

    pub fn s(&self, j: usize) -> &str {
        self.numbered.get(j).map_or("", |&i| &self.all[i].text)
    }

    pub fn is_word(&self, j: usize) -> bool {
        self.numbered.get(j).is_some_and(|&i| self.all[i].kind == Kind::Word)
    }

    pub fn kind(&self, j: usize) -> Option<Kind> {
        self.numbered.get(j).map(|&i| self.all[i].kind)
    }

    pub fn put(&mut self, j: usize, text: impl Into<Cow<'s, str>>) {
        if let Some(&i) = self.numbered.get(j) {
            self.all[i].text = text.into();
        }
    }

    /// Removes the tokens from..to.
    pub fn erase(&mut self, range: std::ops::Range<usize>) {
        range.for_each(|j| self.put(j, ""));
    }

    /// The file and line of a token.
    pub fn place(&self, j: usize) -> (&str, u32) {
        self.numbered.get(j.min(self.len().saturating_sub(1))).map_or(("?", 0), |&i| {
            let token = &self.all[i];
            (&self.files[token.file], token.line)
        })
    }

    /// Whether a file of this name was included.
    pub fn has_file(&self, name: &str) -> bool {
        self.files.iter().any(|f| f.rsplit('/').next() == Some(name))
    }

    /// Nothing but what a space separates: whether two tokens stand side by side.
    pub fn adjacent(&self, j: usize) -> bool {
        j + 1 < self.len() && self.numbered[j] + 1 == self.numbered[j + 1]
    }

    /// The texts of from..to, without those that were removed.
    pub fn join(&self, range: std::ops::Range<usize>, between: &str) -> String {
        range.map(|j| self.s(j)).filter(|s| !s.is_empty()).collect::<Vec<_>>().join(between)
    }

    /// The token that closes the bracket at `j`; the last one when nothing does.
    pub fn close(&self, j: usize) -> usize {
        let open = self.s(j).to_string();
        let closing = match open.as_str() {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let mut depth = 0;
        for k in j..self.len() {
            let s = self.s(k);
            if s == open {
                depth += 1;
            } else if s == closing {
                depth -= 1;
                if depth == 0 {
                    return k;
                }
            }
        }
        self.len().saturating_sub(1)
    }

    /// The `(` that `j`, a `)`, closes.
    pub fn open(&self, j: usize) -> Option<usize> {
        let mut depth = 0;
        for k in (0..=j).rev() {
            match self.s(k) {
                ")" => depth += 1,
                "(" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(k);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The `>` that closes the `<` at `j`, if that is a template's.
    pub fn angle(&self, j: usize) -> Option<usize> {
        let (mut depth, mut k) = (0, j);
        while k < self.len() {
            match self.s(k) {
                "(" | "[" => k = self.close(k),
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(k);
                    }
                }
                ";" | "{" => return None,
                _ => {}
            }
            k += 1;
        }
        None
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.all.iter().map(|t| t.text.as_ref()).collect()
    }
}

/// The kind and length in bytes of the first token of `rest`, which is not empty.
fn first(rest: &str, line_start: bool) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let until = |from: usize, stop: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|&b| stop(b)).map_or(bytes.len(), |n| from + n)
    };
    match bytes[0] {
        // A line at a time, so that a directive is seen at the start of one.
        b'\n' => (Kind::Space, 1),
        b if b.is_ascii_whitespace() => (Kind::Space, until(1, &|b| b == b'\n' || !b.is_ascii_whitespace())),
        b'\\' if rest.starts_with("\\\n") => (Kind::Space, 2),
        b'#' if line_start => (Kind::Directive, until(1, &|b| b == b'\n')),
        b'/' if rest.starts_with("//") => (Kind::Comment, until(2, &|b| b == b'\n')),
        b'/' if rest.starts_with("/*") => (Kind::Comment, rest.find("*/").map_or(rest.len(), |n| n + 2)),
        quote @ (b'"' | b'\'') => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != quote {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            (Kind::Text, (at + 1).min(bytes.len()))
        }
        b if b.is_ascii_digit() || b == b'.' && bytes.get(1).is_some_and(u8::is_ascii_digit) => {
            let mut at = 1;
            while at < bytes.len() {
                let sign = matches!(bytes[at], b'+' | b'-')
                    && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
                    && !rest.starts_with("0x");
                if !(sign || bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'.' | b'\'')) {
                    break;
                }
                at += 1;
            }
            (Kind::Number, at)
        }
        b if b.is_ascii_alphabetic() || b == b'_' => {
            (Kind::Word, until(1, &|b| !(b.is_ascii_alphanumeric() || b == b'_')))
        }
        b if b.is_ascii() => (Kind::Symbol, SYMBOLS.iter().find(|s| rest.starts_with(**s)).map_or(1, |s| s.len())),
        _ => (Kind::Symbol, rest.chars().next().map_or(1, char::len_utf8)),
    }
}

/// Line and file of `# 12 "axpby.metal" 2`.
fn marker(directive: &str) -> Option<(u32, &str)> {
    let rest = directive[1..].trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.strip_prefix('"')?;
    Some((number.parse().ok()?, &name[..name.find('"')?]))
}
