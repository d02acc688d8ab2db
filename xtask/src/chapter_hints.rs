//! The hints of a task: in goes a chapter of the book, out come the folded blocks of the task's section, as plain text.

use crate::manifest::TaskId;

/// One folded hint.
#[derive(Debug, PartialEq, Eq)]
pub struct Hint {
    /// `Hint 1: where to look`
    pub summary: String,
    /// Its paragraphs, a line each; an empty line between them.
    pub text: String,
}

/// The hints of the section `## Task 1.7.2: …`, in their order; none where there is no such section.
pub fn of_task(chapter: &str, task: TaskId) -> Vec<Hint> {
    let lines = chapter.lines().skip_while(|line| !is_section_of(line, task)).skip(1);
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    let section = section.join("\n");
    let blocks = section.split("<details class=\"hint\">").skip(1);
    blocks.filter_map(|block| hint(block.split("</details>").next()?)).collect()
}

/// `## Task 1.7.2: top-k`, and `## Task 1.7.6 (optional): …`
fn is_section_of(line: &str, task: TaskId) -> bool {
    let id = line.strip_prefix("## Task ").and_then(|rest| rest.split([':', ' ']).next());
    id == Some(task.to_string().as_str())
}

fn hint(block: &str) -> Option<Hint> {
    let (before, text) = block.split_once("</summary>")?;
    let (_, summary) = before.split_once("<summary>")?;
    let mut paragraphs = vec![String::new()];
    for line in text.trim().lines().map(str::trim_end) {
        match paragraphs.last_mut() {
            _ if line.is_empty() => paragraphs.push(String::new()),
            Some(last) if !last.is_empty() => *last += &format!(" {}", line.trim_start()),
            Some(last) => last.push_str(line),
            None => {}
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    Some(Hint { summary: summary.trim().to_string(), text: paragraphs.join("\n\n") })
}

/// The text with lines of at most `width` columns, broken between words.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = "# Day\n\n## Task 1.7.1: temperature\n\n<details class=\"hint\">\n<summary>Hint 1: other</summary>\n\nNo.\n\n</details>\n\n\
## Task 1.7.2: top-k\n\nText.\n\n<details class=\"hint\">\n<summary>Hint 1: where to look</summary>\n\nOne number\nper row.\n\nSecond.\n\n</details>\n\
<details>\n<summary>Not a hint</summary>\n\nx\n\n</details>\n<details class=\"hint\">\n<summary>Hint 2: which tools</summary>\n\n`cumsum`.\n\n</details>\n\n## Run it\n";

    #[test]
    fn only_the_hints_of_the_section_are_read() {
        let hints = of_task(CHAPTER, "1.7.2".parse().expect("an id"));
        let found: Vec<(&str, &str)> = hints.iter().map(|hint| (hint.summary.as_str(), hint.text.as_str())).collect();
        assert_eq!(
            found,
            [("Hint 1: where to look", "One number per row.\n\nSecond."), ("Hint 2: which tools", "`cumsum`.")]
        );
        assert_eq!(of_task(CHAPTER, "1.7.3".parse().expect("an id")), []);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three\n\nfour", 8), "one two\nthree\n\nfour");
        assert_eq!(wrapped("unbreakable", 3), "unbreakable");
    }
}
