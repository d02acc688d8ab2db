//! What to say when the engine meets a task that is still to do.

/// The manifest of the course; only titles and chapters are read here.
const MANIFEST: &str = include_str!("../../../xtask/course.toml");

/// One line: the task, where it is, its chapter and how to get a hint.
pub(super) fn not_started(task: &str, item: &str, at: &str) -> String {
    let about = match title_and_chapter(task) {
        Some((title, chapter)) => format!("{title}. Chapter: book/src/{chapter}"),
        None => item.to_string(),
    };
    format!("Not started: task {task}, {about}. File: {at}. Hint: cargo xtask hint {task}")
}

fn title_and_chapter(task: &str) -> Option<(&'static str, &'static str)> {
    let value = |line: &'static str, key| {
        line.strip_prefix(key)?.trim().strip_prefix('=')?.trim().strip_prefix('"')?.strip_suffix('"')
    };
    let mut chapter = "";
    for table in MANIFEST.split("[[") {
        let text = |key| table.lines().find_map(|line| value(line, key));
        if text("id") == Some(task) {
            return Some((text("title")?, text("chapter").unwrap_or(chapter)));
        }
        if table.starts_with("week.day]]") {
            chapter = text("chapter").unwrap_or_default();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_task_has_its_title_and_chapter() {
        let line = not_started("1.7.2", "week1::sampler::top_k", "week1/src/sampler.rs:31");
        assert!(line.starts_with("Not started: task 1.7.2, top-k. Chapter: book/src/week1-07-"), "{line}");
        assert!(line.ends_with("File: week1/src/sampler.rs:31. Hint: cargo xtask hint 1.7.2"), "{line}");
        let line = not_started("1.7.6", "exp_elements", "extensions/src/unary.cpp:12");
        assert!(line.contains("practice kernels exp, sin, cos. Chapter: book/src/week1-08-tools.md."), "{line}");
    }

    #[test]
    fn an_unknown_task_has_its_function() {
        assert_eq!(
            not_started("9.9.9", "f", "a.rs:1"),
            "Not started: task 9.9.9, f. File: a.rs:1. Hint: cargo xtask hint 9.9.9"
        );
    }
}
