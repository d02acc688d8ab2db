//! The preprocessor of the book: mdBook hands the whole book over on stdin and reads it back from stdout.
//!
//! In: chapters with `{{#include ../../week1/src/sampler.rs:1.7.2}}`, `{{#snippet ../../kit/tests/how_mlx_works.rs:lazy}}`
//! and TeX between dollar signs. Out: the same chapters with the signatures and docs of that task's functions, the lines
//! `// BOOK lazy` to `// END BOOK` of that file, and MathML. What cannot be resolved, and every fold that would not open
//! or close, is reported as `file:line: sentence`, all of it at once, and fails the build.
//!
//! It must run before mdBook's own `links`, which takes a task id for an anchor that it does not find and leaves the
//! block empty without a word (book.toml: `before = ["links"]`).

mod chapter;
mod folds;
mod math;
mod signature;
mod snippet;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, renderer] = arguments.as_slice()
        && command == "supports"
    {
        return if renderer == "html" { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match preprocess() {
        Ok(book) => {
            println!("{book}");
            ExitCode::SUCCESS
        }
        Err(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Reads `[context, book]`, returns the finished book, or every problem found in it.
fn preprocess() -> Result<Value, Vec<String>> {
    let mut input = String::new();
    std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| vec![format!("mdBook's book is unreadable: {error}")])?;
    let parsed: Value = serde_json::from_str(&input)
        .map_err(|error| vec![format!("this program is called by mdBook, which sends the book as JSON: {error}")])?;
    let Value::Array(mut parts) = parsed else { return Err(vec!["mdBook did not send [context, book]".into()]) };
    let (Some(mut book), Some(context)) = (parts.pop(), parts.pop()) else {
        return Err(vec!["mdBook did not send [context, book]".into()]);
    };
    let root = PathBuf::from(context["root"].as_str().unwrap_or("."));
    let source = root.join(context["config"]["book"]["src"].as_str().unwrap_or("src"));
    let mut problems = Vec::new();
    for_each_chapter(&mut book["items"], &mut |path, content| {
        *content = chapter::finish(&source.join(path), content, &mut problems);
    });
    if problems.is_empty() { Ok(book) } else { Err(problems) }
}

/// Calls `f` with the source path and the Markdown of every chapter, sub-chapters included.
fn for_each_chapter(items: &mut Value, f: &mut impl FnMut(&Path, &mut String)) {
    for item in items.as_array_mut().into_iter().flatten() {
        let Some(chapter) = item.get_mut("Chapter") else { continue };
        if let Some(path) = chapter["source_path"].as_str().map(PathBuf::from)
            && let Value::String(content) = &mut chapter["content"]
        {
            f(&path, content);
        }
        for_each_chapter(&mut chapter["sub_items"], f);
    }
}
