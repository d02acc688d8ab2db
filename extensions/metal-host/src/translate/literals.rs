//! `1.0` is a float and `1.0h` a half; `v.xy` becomes a call, another one where it is assigned to.

use super::Translator;
use super::token::Kind;

impl Translator<'_> {
    pub(super) fn literals_and_swizzles(&mut self) {
        for j in 0..self.tokens.len() {
            match self.tokens.kind(j) {
                Some(Kind::Number) => {
                    if let Some(number) = float(self.tokens.s(j)) {
                        self.tokens.put(j, number);
                    }
                }
                Some(Kind::Word) if matches!(self.tokens.s(j.wrapping_sub(1)), "." | "->") => self.swizzle(j),
                _ => {}
            }
        }
    }

    fn swizzle(&mut self, j: usize) {
        let name = self.tokens.s(j);
        let of = |letters: &str| name.chars().all(|c| letters.contains(c));
        if !(2..=4).contains(&name.len()) || !(of("xyzw") || of("rgba")) || self.tokens.s(j + 1) == "(" {
            return;
        }
        let assigned = matches!(self.tokens.s(j + 1), "=" | "+=" | "-=" | "*=" | "/=");
        let call = format!("{name}{}", if assigned { "_l()" } else { "()" });
        self.swizzles.insert(name.to_string());
        self.tokens.put(j, call);
    }
}

/// The C++ for a floating literal; nothing for a whole number.
fn float(text: &str) -> Option<String> {
    if text.starts_with("0x") || text.starts_with("0X") {
        return None;
    }
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'\'') {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    let mut is_float = false;
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
        is_float = true;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits(end + 1 + sign);
        is_float = true;
    }
    let (value, suffix) = text.split_at(end);
    let value = if is_float { value.to_string() } else { format!("{value}.0") };
    match suffix.to_ascii_lowercase().as_str() {
        "" if is_float => Some(format!("{value}f")),
        "f" => Some(format!("{value}f")),
        "h" => Some(format!("half({value}f)")),
        "bf" => Some(format!("bfloat({value}f)")),
        _ => None,
    }
}
