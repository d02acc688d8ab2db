//! What is in the Markdown of a chapter, line by line: commands, and blocks whose output the program writes.

/// A command as the text shows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// From 1.
    pub line: usize,
    /// `cargo xtask test --week 1`
    pub command: String,
}

/// A fenced block tagged `console,generated`.
#[derive(Debug, PartialEq, Eq)]
pub struct Generated {
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// Also tagged `machine`: what it prints depends on the machine and is not compared.
    pub machine: bool,
    /// Commands with the lines that follow them.
    pub runs: Vec<(String, Vec<String>)>,
}

/// The beginning of every command of the course.
pub const COURSE: &str = "cargo xtask";

/// Every command of the course in code blocks and in inline code.
pub fn commands(markdown: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, text) in markdown.lines().enumerate() {
        let line = index + 1;
        let is_ours =
            |text: &str| text == COURSE || text.strip_prefix(COURSE).is_some_and(|rest| rest.starts_with(' '));
        if text.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            let text = text.trim().trim_start_matches("$ ");
            let command = text.split(" #").next().unwrap_or(text).trim();
            found.extend(is_ours(command).then(|| Shown { line, command: command.into() }));
        } else {
            let code = text.split('`').skip(1).step_by(2).filter(|code| is_ours(code));
            found.extend(code.map(|code| Shown { line, command: code.into() }));
        }
    }
    found
}

/// Every generated block.
pub fn generated(markdown: &str) -> Vec<Generated> {
    let mut blocks: Vec<Generated> = Vec::new();
    let mut open = false;
    for (index, text) in markdown.lines().enumerate() {
        match text.strip_prefix("```") {
            Some("") => open = false,
            Some(tags) if tags.split(',').any(|tag| tag == "generated") => {
                open = true;
                let machine = tags.split(',').any(|tag| tag == "machine");
                blocks.push(Generated { line: index + 1, machine, runs: Vec::new() });
            }
            Some(_) => {}
            None if open => {
                let Some(block) = blocks.last_mut() else { continue };
                match (text.strip_prefix("$ "), block.runs.last_mut()) {
                    (Some(command), _) => block.runs.push((command.into(), Vec::new())),
                    (None, Some((_, output))) => output.push(text.into()),
                    (None, None) => block.runs.push((String::new(), vec![text.into()])),
                }
            }
            None => {}
        }
    }
    blocks
}

/// Splits a command at spaces, double quotes kept together; no other shell syntax is understood or needed.
pub fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match (c, words.last_mut()) {
            ('"', _) => quoted = !quoted,
            (' ', Some(last)) if !quoted => {
                if !last.is_empty() {
                    words.push(String::new());
                }
            }
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = "Run `cargo xtask hint 1.1.2`, not `cargo xtasks`.\n\n```console,generated\n$ cargo xtask test --week 1\nout\n\nmore\n\
                           $ cargo xtask status\n```\n\n```console\n$ cargo xtask setup  # once\n$ ls\n```\n";

    #[test]
    fn commands_are_found_in_blocks_and_in_inline_code() {
        let found: Vec<_> = commands(CHAPTER).into_iter().map(|shown| (shown.line, shown.command)).collect();
        let expected = [
            (1, "cargo xtask hint 1.1.2"),
            (4, "cargo xtask test --week 1"),
            (8, "cargo xtask status"),
            (12, "cargo xtask setup"),
        ];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
    }

    #[test]
    fn a_generated_block_holds_commands_and_their_output() {
        let blocks = generated(CHAPTER);
        assert_eq!(blocks.len(), 1);
        assert_eq!((blocks[0].line, blocks[0].machine), (3, false));
        assert_eq!(blocks[0].runs[0].1, ["out", "", "more"]);
        assert_eq!(blocks[0].runs[1], ("cargo xtask status".into(), vec![]));
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("cargo  xtask generate --prompt \"a b\""), ["cargo", "xtask", "generate", "--prompt", "a b"]);
    }
}
