//! A piece of a tested file for the page: the lines between `// BOOK name` and `// END BOOK`, moved to the margin.

use std::path::Path;

/// The lines of the piece `name`. Fails when the file cannot be read, or has no such piece, or does not end it.
pub fn of_file(file: &Path, name: &str) -> Result<String, String> {
    let source = std::fs::read_to_string(file).map_err(|error| format!("cannot be read ({error})"))?;
    cut(&source, name)
}

fn cut(source: &str, name: &str) -> Result<String, String> {
    let begin = format!("// BOOK {name}");
    let mut lines = source.lines().skip_while(|line| line.trim() != begin);
    lines.next().ok_or_else(|| format!("has no line `{begin}`"))?;
    let mut piece = Vec::new();
    loop {
        match lines.next().map(|line| (line, line.trim())) {
            Some((_, "// END BOOK")) => break,
            Some((line, text)) if !text.starts_with("// BOOK ") => piece.push(line),
            _ => return Err(format!("does not end `{begin}` with `// END BOOK`")),
        }
    }
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let margin = piece.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = piece.iter().map(|line| line.get(margin..).unwrap_or_default()).collect();
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "fn a() {\n    // BOOK one\n    let x = 1;\n\n    if x > 0 {\n        b();\n    }\n    // END BOOK\n}\n// BOOK two\n// BOOK three\n";

    #[test]
    fn a_piece_stands_at_the_margin() {
        assert_eq!(cut(FILE, "one").as_deref(), Ok("let x = 1;\n\nif x > 0 {\n    b();\n}"));
    }

    #[test]
    fn unknown_and_open_pieces_are_refused() {
        assert_eq!(cut(FILE, "on"), Err("has no line `// BOOK on`".into()));
        let open = Err("does not end `// BOOK two` with `// END BOOK`".to_string());
        assert_eq!(cut(FILE, "two"), open);
        assert!(cut(FILE, "three").is_err());
    }
}
