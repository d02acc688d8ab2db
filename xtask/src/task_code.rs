//! The code of a task: in go the reference and the learner's files, out come the task's functions as both have them.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::manifest::Task;
use crate::regions::{Language, Region, Source};
use crate::rust_blanks::blanked;
use crate::rust_functions;
use crate::starter;
use crate::workspace::Workspace;

/// One function (or Metal kernel) of a task.
pub struct Function {
    /// `top_k`, `RoPE::forward`
    pub item: String,
    /// As the reference has it.
    pub reference: Passage,
    /// As the learner has it; `None` where their file has no function of that name, or cannot be understood.
    pub yours: Option<Passage>,
    /// The learner's file, below the repository.
    pub file: String,
    /// Whether the learner's function is still the stub.
    pub is_stub: bool,
}

/// Lines of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Passage {
    /// `week1/src/sampler.rs:31`
    pub place: String,
    /// From the signature to the closing brace, moved to the left edge.
    pub text: String,
}

/// The functions of a task, in the order of the manifest's file, then of the others.
pub fn of_task(workspace: &Workspace, task: &Task) -> anyhow::Result<Vec<Function>> {
    let mut functions = Vec::new();
    let mut files = starter::solution_files(workspace, &task.package)?;
    files.sort_by_key(|below| *below != task.file);
    for below in files {
        let name = format!("solutions/{}/{below}", task.package);
        let Some(language) = Language::of(Path::new(&name)) else { continue };
        let text = fs::read_to_string(workspace.root().join(&name)).with_context(|| format!("cannot read {name}"))?;
        let source = Source::parse(&name, language, &text)?;
        let file = format!("{}/{below}", task.package);
        let learners = fs::read_to_string(workspace.root().join(&file)).unwrap_or_default();
        for region in source.regions.iter().filter(|region| region.task == task.id) {
            functions.push(function(&source, language, region, &file, &learners));
        }
    }
    ensure!(!functions.is_empty(), "{} has no region of task {}; restore it with git", task.solution_path(), task.id);
    Ok(functions)
}

/// Whether anything of a task is no longer the stub that the course gives.
pub fn is_begun(workspace: &Workspace, task: &Task) -> bool {
    // Without the reference nothing says what a stub looks like.
    of_task(workspace, task).is_ok_and(|functions| functions.iter().any(|function| !function.is_stub))
}

fn function(source: &Source<'_>, language: Language, region: &Region, file: &str, learners: &str) -> Function {
    let body = source.body(region);
    let (first, text) = match language {
        Language::Metal => (region.body.start, body),
        Language::Rust | Language::Cpp => {
            let first = header_line(source, region);
            let header = source.lines[first..region.body.start - 1].concat();
            let close = source.lines.get(region.body.end + 1).copied().unwrap_or_default();
            (first, header + &body + close)
        }
    };
    let reference = Passage { place: source.place(first), text: outdented(&text) };
    let yours = match language {
        Language::Rust => rust(&region.item, file, learners),
        Language::Cpp => braced(source.lines[region.body.start - 2], 0, file, learners),
        Language::Metal => metal(&region.item, file, learners),
    };
    let is_stub = match &yours {
        Some(Passage { text, .. }) => is_stub(text, &region.task.to_string()),
        None => learners.contains(&source.stub(region, file, 0)),
    };
    Function { item: region.item.clone(), reference, yours, file: file.to_string(), is_stub }
}

/// The first line of the signature above a region, without documentation and attributes.
fn header_line(source: &Source<'_>, region: &Region) -> usize {
    let indent = region.indent.len();
    let begins = |line: &&str| {
        let code = line.trim_start();
        line.len() - code.len() < indent && !code.trim().is_empty() && !code.starts_with([')', '{'])
    };
    let before = &source.lines[..region.body.start - 1];
    before.iter().rposition(begins).unwrap_or(before.len())
}

fn is_stub(text: &str, task: &str) -> bool {
    text.contains(&format!("stub!(\"{task}\"")) || text.contains(&format!("\"not implemented: task {task}, "))
}

fn rust(item: &str, file: &str, learners: &str) -> Option<Passage> {
    let functions = rust_functions::functions(learners)?;
    let found = functions.into_iter().find(|function| function.is_called(item))?;
    let start = learners.split_inclusive('\n').take(found.line - 1).map(str::len).sum();
    passage(file, learners, found.line, start, found.body.end)
}

/// From the one line of the file that reads as `header`, less `above` lines, to the brace that closes what it opens.
fn braced(header: &str, above: usize, file: &str, learners: &str) -> Option<Passage> {
    let mut same = learners.lines().zip(1..).filter(|(line, _)| line.trim() == header.trim());
    let ((_, line), None) = (same.next()?, same.next()) else { return None };
    from_line(line, above, file, learners)
}

/// A kernel: from its `template` line to its closing brace, and what is written right below that.
fn metal(item: &str, file: &str, learners: &str) -> Option<Passage> {
    let named = |line: &str| line.contains("kernel]]") && line.contains(&format!(" {item}("));
    let (_, line) = learners.lines().zip(1usize..).find(|(line, _)| named(line))?;
    let before = learners.lines().nth(line.checked_sub(2)?).unwrap_or_default();
    let Passage { place, text } =
        from_line(line, usize::from(before.trim_start().starts_with("template")), file, learners)?;
    let (_, below) = learners.split_once(text.trim_end())?;
    let below: Vec<&str> = below.lines().skip(1).take_while(|line| !line.trim().is_empty()).collect();
    Some(Passage { place, text: text + &below.iter().map(|line| format!("{line}\n")).collect::<String>() })
}

fn from_line(line: usize, above: usize, file: &str, learners: &str) -> Option<Passage> {
    let start_of = |line: usize| learners.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let (start, header) = (start_of(line - above), start_of(line));
    let code = blanked(learners)?;
    let mut depth = 0usize;
    let end = code.bytes().enumerate().skip(header).find_map(|(at, byte)| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            _ => return None,
        }
        (depth == 0).then_some(at)
    })?;
    passage(file, learners, line - above, start, end)
}

/// The text from `start` to the brace at `close`.
fn passage(file: &str, text: &str, line: usize, start: usize, close: usize) -> Option<Passage> {
    let text = format!("{}\n", text.get(start..=close)?);
    Some(Passage { place: format!("{file}:{line}"), text: outdented(&text) })
}

/// The lines without the white space that the first of them begins with, and without any at their ends.
fn outdented(text: &str) -> String {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let line = |line: &str| {
        let own = line.len() - line.trim_start_matches(' ').len();
        format!("{}\n", line[own.min(indent)..].trim_end())
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPP: &str = "template <typename T>\nvoid exp_elements(const T* x) {\n  if (x) { // }\n    y = '}';\n  }\n}\nvoid sin_elements() {\n}\n";

    #[test]
    fn a_function_of_cpp_ends_at_its_own_brace() {
        let found = braced("void exp_elements(const T* x) {", 0, "a.cpp", CPP).expect("it is there");
        assert_eq!(found.place, "a.cpp:2");
        assert_eq!(found.text, "void exp_elements(const T* x) {\n  if (x) { // }\n    y = '}';\n  }\n}\n");
        assert_eq!(braced("void cos_elements() {", 0, "a.cpp", CPP), None);
    }

    #[test]
    fn a_kernel_brings_its_template() {
        let text = "// x\ntemplate <typename T>\n[[kernel]] void exp_elements(\n    uint i) {\n  a();\n}\nINSTANTIATE(exp_elements)\n";
        let found = metal("exp_elements", "u.metal", text).expect("it is there");
        assert_eq!(found.place, "u.metal:2");
        assert_eq!(found.text, text.trim_start_matches("// x\n"));
        let more = format!("{text}\n// Not part of it.\n");
        assert_eq!(metal("exp_elements", "u.metal", &more), Some(found));
    }

    #[test]
    fn a_method_moves_to_the_left_edge() {
        let text =
            "impl RoPE {\n    /// Doc.\n    pub fn forward(\n        &self,\n    ) -> f32 {\n        1.0\n    }\n}\n";
        let found = rust("RoPE::forward", "rope.rs", text).expect("it is there");
        assert_eq!(found.place, "rope.rs:3");
        assert_eq!(found.text, "pub fn forward(\n    &self,\n) -> f32 {\n    1.0\n}\n");
        assert_eq!(rust("RoPE::new", "rope.rs", text), None);
        let windows = text.replace('\n', "\r\n");
        assert_eq!(rust("RoPE::forward", "rope.rs", &windows), Some(found));
    }
}
