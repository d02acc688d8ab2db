//! What the terminal can show: colours and links where a person reads, and how wide a line may be.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::OnceLock;

use crate::links;

/// How a stream is written to.
#[derive(Clone, Copy)]
pub struct Terminal {
    colour: bool,
    live: bool,
    links: bool,
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

/// What `--color` says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Where a person reads.
    Auto,
    /// In files and pipes too.
    Always,
    /// Nowhere; links neither.
    Never,
}

/// The width where neither `COLUMNS` nor a terminal says it.
const COLUMNS: usize = 80;

/// Nothing is readable in fewer.
const FEWEST_COLUMNS: usize = 20;

static WHEN: OnceLock<When> = OnceLock::new();

/// `--color`, for every command.
pub fn color_flag() -> clap::Arg {
    let help = "Colours and links: auto (where a person reads), always or never";
    clap::Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .value_parser(["auto", "always", "never"])
        .global(true)
        .help(help)
}

/// Takes `--color` from the command line, before anything is printed.
pub fn choose_colour(matches: &clap::ArgMatches) {
    let when = match matches.get_one::<String>("color").map(String::as_str) {
        Some("always") => When::Always,
        Some("never") => When::Never,
        _ => When::Auto,
    };
    WHEN.get_or_init(|| when);
}

impl Terminal {
    /// Standard output.
    pub fn stdout() -> Self {
        let stream = std::io::stdout();
        Self::of(stream.is_terminal(), || columns_of(&stream))
    }

    /// Standard error.
    pub fn stderr() -> Self {
        let stream = std::io::stderr();
        Self::of(stream.is_terminal(), || columns_of(&stream))
    }

    fn of(terminal: bool, ask: impl Fn() -> Option<usize>) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let when = WHEN.get().copied().unwrap_or(When::Auto);
        let asked = || if terminal { ask() } else { None };
        let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok()).or_else(asked);
        Self::with(terminal, when, columns, &variable)
    }

    fn with(terminal: bool, when: When, columns: Option<usize>, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let plain = variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
        let live = terminal && !plain && when != When::Never;
        Self {
            colour: live || when == When::Always,
            live,
            links: live && links::are_understood(variable),
            width: columns.unwrap_or(COLUMNS).max(FEWEST_COLUMNS),
        }
    }

    /// Neither colours nor a person: for files, pipes and tests.
    #[cfg(test)]
    pub fn plain() -> Self {
        Self::with(false, When::Auto, None, &|_| None)
    }

    /// Whether escape sequences are welcome.
    pub fn colour(self) -> bool {
        self.colour
    }

    /// Whether a person watches, so that a line may be written over.
    pub fn is_live(self) -> bool {
        self.live
    }

    /// A place in a file of the course, `week1/src/sampler.rs:31`, as a link to it where the terminal understands links.
    pub fn place(self, root: &Path, place: &str) -> String {
        self.link(|| links::of_place(root, place), place)
    }

    /// A section of a chapter, as `text`, with a link to its page where that has been built, else to its source.
    pub fn chapter(self, root: &Path, chapter: &str, anchor: &str, text: &str) -> String {
        self.link(|| links::of_chapter(root, chapter, anchor), text)
    }

    fn link(self, url: impl FnOnce() -> String, text: &str) -> String {
        match self.links {
            true => format!("\x1b]8;;{}\x1b\\{text}\x1b]8;;\x1b\\", url()),
            false => text.to_string(),
        }
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

/// What the terminal behind a stream says of its width.
#[cfg(unix)]
fn columns_of(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    // Every Unix has it, and asking the system itself would take unsafe code or four more packages.
    let terminal = stream.as_fd().try_clone_to_owned().ok()?;
    let said = std::process::Command::new("stty").arg("size").stdin(terminal).output().ok()?;
    let columns = String::from_utf8(said.stdout).ok()?.split_whitespace().nth(1)?.parse().ok()?;
    // A terminal that does not know says 0.
    (columns > 0).then_some(columns)
}

#[cfg(not(unix))]
fn columns_of(_stream: &impl IsTerminal) -> Option<usize> {
    None
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

    fn made(terminal: bool, when: When, variables: &[(&str, &str)]) -> Terminal {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
        Terminal::with(terminal, when, None, &variable)
    }

    #[test]
    fn colours_are_for_terminals_and_for_those_who_ask() {
        assert_eq!(Terminal::plain().paint(Ink::Bad, "failing"), "failing");
        let colour = |terminal, when, variables: &[(&str, &str)]| made(terminal, when, variables).colour();
        assert!(colour(true, When::Auto, &[]) && colour(true, When::Auto, &[("TERM", "xterm")]));
        assert!(!colour(false, When::Auto, &[]) && !colour(true, When::Never, &[]));
        assert!(!colour(true, When::Auto, &[("NO_COLOR", "1")]) && !colour(true, When::Auto, &[("TERM", "dumb")]));
        assert!(colour(false, When::Always, &[]) && !made(false, When::Always, &[]).is_live());
        assert_eq!(without_escapes(&made(true, When::Auto, &[]).paint(Ink::Bad, "failing")), "failing");
    }

    #[test]
    fn links_are_for_terminals_that_understand_them() {
        let linked = |terminal, when, variables: &[(&str, &str)]| {
            made(terminal, when, variables).place(Path::new("/course"), "week1/src/a.rs:3").contains("file:///course/")
        };
        let kitty = ("TERM", "xterm-kitty");
        assert!(linked(true, When::Auto, &[kitty]));
        assert!(!linked(true, When::Auto, &[("TERM", "xterm-256color")]));
        assert!(!linked(false, When::Auto, &[kitty]) && !linked(false, When::Always, &[kitty]));
        assert!(!linked(true, When::Never, &[kitty]) && !linked(true, When::Auto, &[kitty, ("NO_COLOR", "1")]));
        assert!(!linked(true, When::Auto, &[("TERM", "dumb"), ("KITTY_WINDOW_ID", "1")]));
    }

    #[test]
    fn a_line_is_never_too_narrow_to_read() {
        assert_eq!(Terminal::with(true, When::Auto, Some(3), &|_| None).width, FEWEST_COLUMNS);
        assert_eq!(Terminal::with(true, When::Auto, Some(47), &|_| None).width, 47);
    }
}
