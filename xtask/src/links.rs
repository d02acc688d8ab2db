//! Links in a terminal (OSC 8): whether the terminal understands them, and where they lead.

use std::path::Path;

/// Programs that name themselves in `TERM_PROGRAM` and show links.
const PROGRAMS: [&str; 8] = ["iTerm.app", "WezTerm", "vscode", "ghostty", "zed", "rio", "Tabby", "Hyper"];

/// Terminals that name themselves in `TERM` and show links.
const TERMS: [&str; 7] = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "contour", "wezterm"];

/// Variables that only terminals with links set.
const SIGNS: [&str; 5] = ["KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "ALACRITTY_WINDOW_ID", "DOMTERM"];

/// The first version of tmux that hands links on.
const TMUX: (u32, u32) = (3, 4);

/// The first version of VTE (GNOME's terminals) in which links work.
const VTE: u32 = 5000;

/// Whether the terminal that these variables describe shows links; one that is not known counts as one that does not.
/// `FORCE_HYPERLINK=1` says that it does, `FORCE_HYPERLINK=0` that it does not.
pub fn are_understood(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    if let Some(forced) = variable("FORCE_HYPERLINK") {
        return forced != "0";
    }
    let program = variable("TERM_PROGRAM").unwrap_or_default();
    if variable("TMUX").is_some() || program == "tmux" {
        let version = variable("TERM_PROGRAM_VERSION").unwrap_or_default();
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse().ok());
        return (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= TMUX;
    }
    PROGRAMS.contains(&program.as_str())
        || variable("TERM").is_some_and(|term| TERMS.contains(&term.as_str()))
        || variable("VTE_VERSION").and_then(|version| version.parse().ok()).is_some_and(|version: u32| version >= VTE)
        || SIGNS.iter().any(|sign| variable(sign).is_some())
}

/// `week1/src/sampler.rs:31` as a URL; the line is its fragment, as editors read it.
pub fn of_place(root: &Path, place: &str) -> String {
    match place.rsplit_once(':') {
        Some((path, line)) if line.chars().all(|c| c.is_ascii_digit()) => format!("{}#{line}", of_file(root, path)),
        _ => of_file(root, place),
    }
}

/// The page of a chapter's section where the book has been built, else the chapter's source.
pub fn of_chapter(root: &Path, chapter: &str, anchor: &str) -> String {
    let page = format!("book/book/{}.html", chapter.trim_end_matches(".md"));
    match root.join(&page).is_file() {
        true if anchor.is_empty() => of_file(root, &page),
        true => format!("{}#{anchor}", of_file(root, &page)),
        false => of_file(root, &format!("book/src/{chapter}")),
    }
}

fn of_file(root: &Path, path: &str) -> String {
    let mut url = String::from("file://");
    for byte in root.join(path).to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => url.push(byte.into()),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understood(variables: &[(&str, &str)]) -> bool {
        are_understood(&|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn known_terminals_understand_links_and_others_may_say_so() {
        assert!(understood(&[("TERM_PROGRAM", "vscode")]) && understood(&[("VTE_VERSION", "7006")]));
        assert!(understood(&[("TERM", "foot")]) && understood(&[("WT_SESSION", "1")]));
        assert!(!understood(&[("TERM", "xterm-256color")]) && !understood(&[("VTE_VERSION", "4205")]));
        assert!(!understood(&[("TERM_PROGRAM", "Apple_Terminal")]));
        assert!(understood(&[("FORCE_HYPERLINK", "1")]));
        assert!(!understood(&[("FORCE_HYPERLINK", "0"), ("TERM", "foot")]));
        let tmux =
            |version| understood(&[("TERM_PROGRAM", "tmux"), ("TERM_PROGRAM_VERSION", version), ("TERM", "foot")]);
        assert!(tmux("3.4") && tmux("3.5a") && !tmux("3.3a") && !tmux("next"));
    }

    #[test]
    fn urls_name_the_line_and_leave_nothing_unquoted() {
        let root = Path::new("/my course");
        assert_eq!(of_place(root, "week1/src/a.rs:31"), "file:///my%20course/week1/src/a.rs#31");
        assert_eq!(of_place(root, "week1/src/a.rs"), "file:///my%20course/week1/src/a.rs");
        assert_eq!(of_chapter(root, "c.md", "task-1"), "file:///my%20course/book/src/c.md");
    }
}
