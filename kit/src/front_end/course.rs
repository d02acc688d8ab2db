//! What to say when the engine meets a task that is still to do.

use std::path::Path;

/// The manifest of the course; only what tasks are called and where they stand is read here.
const MANIFEST: &str = include_str!("../../../xtask/course.toml");

/// One line: the task, where it is, its chapter and how to get a hint.
pub(super) fn not_started(task: &str, item: &str, at: &str) -> String {
    let about = match title_and_chapter(task) {
        Some((title, chapter)) => format!("{title}. Chapter: book/src/{chapter}"),
        None => item.to_string(),
    };
    format!("Not started: task {task}, {about}. File: {at}. Hint: cargo xtask hint {task}")
}

/// A task that is still to do: its id, its function and where the stub stands.
pub(super) type Stub = [String; 3];

/// The first required task of the week of `task`, in the order of the course, whose stub stands in the learner's files below
/// `root`; at most `task` itself.
pub(super) fn first_stub(task: &str, root: &Path) -> Option<Stub> {
    let (week, _) = task.split_once('.')?;
    let mut package = "";
    for table in MANIFEST.split("[[") {
        let text = |key| table.lines().find_map(|line| value(line, key));
        if table.starts_with("week]]") {
            package = text("package").unwrap_or_default();
        }
        let Some(id) = text("id").filter(|id| id.split('.').next() == Some(week)) else { continue };
        let required = !table.lines().any(|line| line.trim() == "optional = true");
        if let (true, Some(file), Some(item)) = (required, text("file"), text("item")) {
            let file = format!("{}/{file}", text("package").unwrap_or(package));
            let source = std::fs::read_to_string(root.join(&file)).unwrap_or_default();
            let marks = [format!("stub!(\"{id}\""), format!("not implemented: task {id},")];
            let line = source.lines().position(|line| marks.iter().any(|mark| line.contains(mark)));
            if let Some(line) = line {
                return Some([id.to_string(), item.to_string(), format!("{file}:{}", line + 1)]);
            }
        }
        if id == task {
            break;
        }
    }
    None
}

/// The text of `key = "text"`.
fn value(line: &'static str, key: &str) -> Option<&'static str> {
    line.strip_prefix(key)?.trim().strip_prefix('=')?.trim().strip_prefix('"')?.strip_suffix('"')
}

fn title_and_chapter(task: &str) -> Option<(&'static str, &'static str)> {
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
    fn the_first_stub_of_a_week_is_found_in_the_learners_files() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let file = root.path().join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
            std::fs::write(file, text).expect("a file");
        };
        let first = |task: &str| first_stub(task, root.path()).map(|[task, _, at]| (task, at));
        assert_eq!(first("2.3.4"), None);
        write("week2/src/quantized_linear.rs", "fn a() {\n    kit::stub!(\"2.3.4\", x)\n}\n");
        let linear = ("2.3.4".to_string(), "week2/src/quantized_linear.rs:2".to_string());
        assert_eq!(first("2.3.4"), Some(linear.clone()));
        write("week1/src/basics.rs", "kit::stub!(\"1.1.1\")");
        assert_eq!(first("2.7.1"), Some(linear));
        write(
            "extensions/src/loops/quantized_matvec.cpp",
            "throw std::runtime_error(\"not implemented: task 2.3.3, f\");",
        );
        assert_eq!(
            first("2.3.4"),
            Some(("2.3.3".to_string(), "extensions/src/loops/quantized_matvec.cpp:1".to_string()))
        );
        assert_eq!(first("2.3.1"), None);
    }

    #[test]
    fn an_unknown_task_has_its_function() {
        assert_eq!(
            not_started("9.9.9", "f", "a.rs:1"),
            "Not started: task 9.9.9, f. File: a.rs:1. Hint: cargo xtask hint 9.9.9"
        );
    }
}
