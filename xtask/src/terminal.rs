//! What the terminal can show: colours where a person reads, and how wide a line may be.

use std::io::IsTerminal;

/// How a stream is written to.
#[derive(Clone, Copy)]
pub struct Terminal {
    colour: bool,
    /// Columns of a line.
    pub width: usize,
}

/// What a word means, not how it looks.
#[derive(Clone, Copy)]
pub enum Ink {
    /// A heading.
    Strong,
    /// Something that passes.
    Good,
    /// Something that fails.
    Bad,
    /// Something still to do.
    Open,
    /// What matters least in its line.
    Quiet,
}

/// The width where `COLUMNS` does not say it.
const COLUMNS: usize = 80;

impl Terminal {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::of(std::io::stdout().is_terminal())
    }

    /// Standard error.
    pub fn stderr() -> Self {
        Self::of(std::io::stderr().is_terminal())
    }

    fn of(terminal: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self { colour: terminal && !set("NO_COLOR") && !dumb, width: columns.unwrap_or(COLUMNS) }
    }

    /// Neither colours nor a person: for files, pipes and tests.
    #[cfg(test)]
    pub fn plain() -> Self {
        Self { colour: false, width: COLUMNS }
    }

    /// Whether escape sequences are welcome.
    pub fn colour(self) -> bool {
        self.colour
    }

    /// The text in its colour, or as it is.
    pub fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Strong => "1",
            Ink::Good => "32",
            Ink::Bad => "31",
            Ink::Open => "33",
            Ink::Quiet => "2",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// The text without escape sequences of the form `ESC [ … letter`.
pub fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |at| at + 1);
        rest = &sequence[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_the_text_stays() {
        assert_eq!(without_escapes("\x1b[1m\x1b[38;5;9merror\x1b[0m: `x` \x1b[K"), "error: `x` ");
        assert_eq!(without_escapes("plain"), "plain");
        assert_eq!(without_escapes("cut \x1b[1"), "cut ");
    }

    #[test]
    fn colours_are_for_terminals_only() {
        assert_eq!(Terminal::plain().paint(Ink::Bad, "failing"), "failing");
        let terminal = Terminal { colour: true, width: 80 };
        assert_eq!(without_escapes(&terminal.paint(Ink::Bad, "failing")), "failing");
    }
}
