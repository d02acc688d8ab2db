//! Stubs in place of answers: in go a starter file, the same file as the learner has it and some tasks, out comes the
//! learner's file with those tasks' functions as the starter has them, and what is lost by that.

use std::path::Path;

use anyhow::bail;

use crate::manifest::{Task, TaskId};
use crate::regions::Language;
use crate::rust_functions::{self, Function};
use crate::update::answers;

/// A file that changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Restored {
    /// Below the repository: `week1/src/sampler.rs`.
    pub path: String,
    /// The new text.
    pub text: String,
    /// In the order of the file.
    pub lost: Vec<Lost>,
    /// Whether an import at its top is not of the starter.
    pub own_imports: bool,
}

/// Something of the learner's that goes.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost {
    /// Whose task it is; `None` where a whole file goes back.
    pub task: Option<TaskId>,
    /// `top_k`, or the reason why the whole file goes back.
    pub what: String,
    /// `week1/src/sampler.rs:31`
    pub place: String,
    /// Lines that are not empty.
    pub lines: usize,
}

/// The file with the stubs of `tasks` back in place; `None` where nothing changes, an error where other answers in the
/// file would be at risk. `others` says whether the file also belongs to tasks that are not to be touched.
pub fn restore(
    path: &str,
    given: &str,
    learners: Option<&str>,
    tasks: &[&Task],
    others: bool,
) -> anyhow::Result<Option<Restored>> {
    let whole = |why: &str, lines: usize| {
        let lost = Lost { task: None, what: why.to_string(), place: path.to_string(), lines };
        Some(Restored { path: path.to_string(), text: given.to_string(), lost: vec![lost], own_imports: false })
    };
    let Some(learners) = learners else { return Ok(whole("is missing", 0)) };
    if learners == given {
        return Ok(None);
    }
    let lines = lines_of_code(learners);
    let problem = match Language::of(Path::new(path)) {
        Some(Language::Rust) => match functions_back(path, given, learners, tasks) {
            Ok(restored) => return Ok(restored),
            Err(problem) => problem,
        },
        _ => "changes as a whole".to_string(),
    };
    if others {
        bail!(
            "{path} {problem}, and it holds answers to other tasks too, so nothing was reset; repair it first, or take the \
             file back from git"
        );
    }
    Ok(whole(&problem, lines))
}

/// The functions alone; an error says why they cannot be told from the rest.
fn functions_back(path: &str, given: &str, learners: &str, tasks: &[&Task]) -> Result<Option<Restored>, String> {
    let unreadable = || "cannot be read: a brace, a quote or a comment is open".to_string();
    let theirs = rust_functions::functions(learners).ok_or_else(unreadable)?;
    let stubs = answers::stubs(given).ok_or_else(unreadable)?;
    let mut lost = Vec::new();
    let mut replacements = Vec::new();
    for stub in stubs.iter().filter(|stub| tasks.iter().any(|task| task.id == stub.task)) {
        let name = &stub.function.path;
        let mut named = theirs.iter().filter(|function| function.path == *name);
        let function = match (named.next(), named.next()) {
            (Some(function), None) => function,
            (None, _) => return Err(format!("has no function `{name}` any more")),
            (Some(_), Some(_)) => return Err(format!("has two functions `{name}`")),
        };
        let (now, wanted) = (whole_of(function, learners), whole_of(&stub.function, given));
        if now == wanted {
            continue;
        }
        let lines = lines_of_code(&learners[function.body.clone()]);
        lost.push(Lost {
            task: Some(stub.task),
            what: name.clone(),
            place: format!("{path}:{}", function.line),
            lines,
        });
        replacements.push((function.head.start..function.body.end, wanted));
    }
    let mut text = learners.to_string();
    replacements.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, wanted) in replacements {
        text.replace_range(range, wanted);
    }
    let own_imports = text.lines().any(|line| is_import(line) && !given.lines().any(|theirs| theirs == line));
    Ok((!lost.is_empty()).then(|| Restored { path: path.to_string(), text, lost, own_imports }))
}

/// The first line of a `use` at the left edge.
fn is_import(line: &str) -> bool {
    line.starts_with("use ") || line.starts_with("pub use ")
}

/// Documentation, signature and inside.
fn whole_of<'t>(function: &Function, text: &'t str) -> &'t str {
    &text[function.head.start..function.body.end]
}

fn lines_of_code(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "use kit::Result;\n\n/// Doubles.\npub fn twice(x: f32) -> Result<f32> {\n    kit::stub!(\"1.1.1\", x)\n}\n\n\
                         /// Halves.\npub fn half(x: f32) -> Result<f32> {\n    kit::stub!(\"1.2.1\", x)\n}\n";

    fn task(id: &str) -> Task {
        let [title, package, file, item, chapter, anchor, test] =
            ["t", "week1", "src/a.rs", "twice", "c.md", "a", "day1"].map(String::from);
        Task {
            id: id.parse().expect("an id"),
            title,
            package,
            file,
            item,
            chapter,
            anchor,
            test,
            lines: 1,
            optional: false,
        }
    }

    fn solved() -> String {
        GIVEN
            .replace("/// Doubles.\npub fn twice(x: f32)", "/// Mine.\npub fn twice(y: f32)")
            .replace("    kit::stub!(\"1.1.1\", x)\n", "    // \"}\"\n\n    own(y)\n")
            .replace("    kit::stub!(\"1.2.1\", x)\n", "    Ok(x / 2.0)\n")
            + "\nfn own(x: f32) -> Result<f32> {\n    Ok(2.0 * x)\n}\n"
    }

    #[test]
    fn one_task_goes_back_and_everything_else_stays() {
        let restored =
            restore("a.rs", GIVEN, Some(&solved()), &[&task("1.1.1")], true).expect("readable").expect("a change");
        let lost = Lost { task: Some(task("1.1.1").id), what: "twice".into(), place: "a.rs:4".into(), lines: 2 };
        assert_eq!(restored.lost, [lost]);
        assert!(!restored.own_imports);
        let imports = format!("use kit::Error;\n{}", solved());
        let told = restore("a.rs", GIVEN, Some(&imports), &[&task("1.1.1")], true).expect("readable");
        assert!(told.expect("a change").own_imports);
        let half = GIVEN.replace("    kit::stub!(\"1.2.1\", x)\n", "    Ok(x / 2.0)\n");
        assert_eq!(restored.text, half + "\nfn own(x: f32) -> Result<f32> {\n    Ok(2.0 * x)\n}\n");
    }

    #[test]
    fn stubs_are_left_alone() {
        let untouched = restore("a.rs", GIVEN, Some(GIVEN), &[&task("1.1.1")], false).expect("readable");
        assert_eq!(untouched, None);
        let other = GIVEN.replace("    kit::stub!(\"1.2.1\", x)\n", "    Ok(x / 2.0)\n");
        assert_eq!(restore("a.rs", GIVEN, Some(&other), &[&task("1.1.1")], true).expect("readable"), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_goes_back_as_a_whole_or_not_at_all() {
        let open = solved().replace("own(y)\n}", "own(y)\n");
        let refused = restore("a.rs", GIVEN, Some(&open), &[&task("1.1.1")], true).expect_err("others are at risk");
        assert!(
            refused.to_string().starts_with("a.rs cannot be read: a brace, a quote or a comment is open, and it holds")
        );
        let both = [&task("1.1.1"), &task("1.2.1")];
        let restored = restore("a.rs", GIVEN, Some(&open), &both, false).expect("allowed").expect("a change");
        assert_eq!((restored.text.as_str(), restored.lost[0].lines), (GIVEN, 12));
        let renamed = solved().replace("fn twice", "fn double");
        let refused = restore("a.rs", GIVEN, Some(&renamed), &[&task("1.1.1")], true).expect_err("others are at risk");
        assert!(refused.to_string().starts_with("a.rs has no function `twice` any more, and"), "{refused}");
    }

    #[test]
    fn a_missing_file_comes_back() {
        let restored = restore("a.rs", GIVEN, None, &[&task("1.1.1")], true).expect("allowed").expect("a change");
        assert_eq!((restored.text.as_str(), restored.lost[0].what.as_str()), (GIVEN, "is missing"));
    }
}
