//! One chapter: math first, on the lines as they are in the file, then the includes by task id and by name.

use std::path::Path;

use crate::{folds, math, signature, snippet};

const INCLUDE: &str = "{{#include ";
const SNIPPET: &str = "{{#snippet ";

/// Returns the finished Markdown of the chapter at `file`; what goes wrong is added to `problems` as `file:line: sentence`.
pub fn finish(file: &Path, markdown: &str, problems: &mut Vec<String>) -> String {
    let mut report = |line: usize, what: String| problems.push(format!("{}:{line}: {what}", short(file).display()));
    folds::check(markdown, &mut report);
    let with_math = math::replace(markdown, &mut report);
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut out = String::with_capacity(with_math.len());
    // Math keeps the number of lines, so a line number here is a line number in the file.
    for (index, line) in with_math.split_inclusive('\n').enumerate() {
        let (piece, found) = if let Some(piece) = include_of_a_task(line) {
            (piece, signature::of_task(&folder.join(piece.path), piece.name))
        } else if let Some(piece) = named_piece(line, SNIPPET) {
            (piece, snippet::of_file(&folder.join(piece.path), piece.name))
        } else {
            out.push_str(line);
            continue;
        };
        match found {
            Ok(text) => out.extend([piece.before, text.as_str(), piece.after]),
            Err(what) => report(index + 1, format!("{}: {what}", piece.path)),
        }
    }
    out
}

/// A line such as `before{{#include PATH:NAME}}after`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece<'a> {
    before: &'a str,
    path: &'a str,
    name: &'a str,
    after: &'a str,
}

/// `{{#include PATH:W.D.T}}`; mdBook's own includes are left to mdBook.
fn include_of_a_task(line: &str) -> Option<Piece<'_>> {
    let is_task = |name: &str| name.split('.').count() == 3 && name.split('.').all(|part| part.parse::<u8>().is_ok());
    named_piece(line, INCLUDE).filter(|piece| is_task(piece.name))
}

fn named_piece<'a>(line: &'a str, opening: &str) -> Option<Piece<'a>> {
    let (before, rest) = line.split_once(opening)?;
    let (target, after) = rest.split_once("}}")?;
    let (path, name) = target.trim().rsplit_once(':')?;
    Some(Piece { before, path, name, after })
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
        let piece = Piece { before: "", path: "../../week1/src/sampler.rs", name: "1.7.2", after: "\n" };
        assert_eq!(include_of_a_task(line), Some(piece));
        assert_eq!(include_of_a_task("{{#include img/a.svg}}"), None);
        assert_eq!(include_of_a_task("{{#include a.rs:10:20}}"), None);
        assert_eq!(include_of_a_task("{{#include a.rs:anchor}}"), None);
    }

    #[test]
    fn a_missing_file_is_named_with_its_line() {
        let mut problems = Vec::new();
        let text = "# A\n\n{{#include none.rs:1.1.1}}\n{{#snippet none.rs:lazy}}\n";
        finish(Path::new("/x/book/src/a.md"), text, &mut problems);
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("book/src/a.md:3: none.rs: "), "{}", problems[0]);
        assert!(problems[1].starts_with("book/src/a.md:4: none.rs: "), "{}", problems[1]);
    }
}
