//! One chapter: math first, on the lines as they are in the file, then the includes by task id.

use std::path::Path;

use crate::{math, signature};

const INCLUDE: &str = "{{#include ";

/// Returns the finished Markdown of the chapter at `file`; what goes wrong is added to `problems` as `file:line: sentence`.
pub fn finish(file: &Path, markdown: &str, problems: &mut Vec<String>) -> String {
    let mut report = |line: usize, what: String| problems.push(format!("{}:{line}: {what}", short(file).display()));
    let with_math = math::replace(markdown, &mut report);
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut out = String::with_capacity(with_math.len());
    // Math keeps the number of lines, so a line number here is a line number in the file.
    for (index, line) in with_math.split_inclusive('\n').enumerate() {
        match include_of_a_task(line) {
            None => out.push_str(line),
            Some((before, path, task, after)) => match signature::of_task(&folder.join(path), task) {
                Ok(text) => out.extend([before, text.as_str(), after]),
                Err(what) => report(index + 1, format!("{path}: {what}")),
            },
        }
    }
    out
}

/// Splits a line around `{{#include PATH:W.D.T}}`; mdBook's own includes are left to mdBook.
fn include_of_a_task(line: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = line.split_once(INCLUDE)?;
    let (target, after) = rest.split_once("}}")?;
    let (path, task) = target.trim().rsplit_once(':')?;
    let is_task = task.split('.').count() == 3 && task.split('.').all(|part| part.parse::<u8>().is_ok());
    is_task.then_some((before, path, task, after))
}

/// `book/src/x.md` instead of the machine's absolute path.
fn short(file: &Path) -> &Path {
    let top = file.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "book"));
    top.and_then(Path::parent).and_then(|above| file.strip_prefix(above).ok()).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_task_ids_are_ours() {
        let line = "{{#include ../../week1/src/sampler.rs:1.7.2}}\n";
        assert_eq!(include_of_a_task(line), Some(("", "../../week1/src/sampler.rs", "1.7.2", "\n")));
        assert_eq!(include_of_a_task("{{#include img/a.svg}}"), None);
        assert_eq!(include_of_a_task("{{#include a.rs:10:20}}"), None);
        assert_eq!(include_of_a_task("{{#include a.rs:anchor}}"), None);
    }

    #[test]
    fn a_missing_file_is_named_with_its_line() {
        let mut problems = Vec::new();
        finish(Path::new("/x/book/src/a.md"), "# A\n\n{{#include none.rs:1.1.1}}\n", &mut problems);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("book/src/a.md:3: none.rs: "), "{}", problems[0]);
    }
}
