//! Planted wrong answers: in come the files under `solutions/PACKAGE/wrong`, out come replacement bodies for regions.
//!
//! ```text
//! // WRONG ties-by-partition fn top_k: trusts argpartition's indices, so that ties stay in any order
//! …the body…
//! // END WRONG
//! ```

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, bail, ensure};

use crate::manifest::{Task, TaskId};
use crate::workspace::Workspace;

/// One plausible mistake.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// Whose tests must reject it.
    pub task: TaskId,
    /// Unique in its file: `ties-by-partition`.
    pub name: String,
    /// The function whose region it replaces.
    pub item: String,
    /// What is wrong with it, in a sentence.
    pub why: String,
    /// The text between the marks.
    pub body: String,
    /// `solutions/week1/wrong/1.7.2.rs`
    pub file: String,
    /// The line of the WRONG mark, from 1.
    pub line: usize,
}

/// The wrong answers of a task, in the order of its files; none where there is no file.
pub fn read(workspace: &Workspace, task: &Task) -> anyhow::Result<Vec<WrongAnswer>> {
    let mut answers = Vec::new();
    for extension in ["rs", "cpp", "metal"] {
        let file = format!("solutions/{}/wrong/{}.{extension}", task.package, task.id);
        let path = workspace.root().join(&file);
        if path.is_file() {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
            answers.extend(parse(&file, task.id, &text)?);
        }
    }
    Ok(answers)
}

/// The wrong answers of one file; an error begins with `FILE:LINE:`.
pub fn parse(file: &str, task: TaskId, text: &str) -> anyhow::Result<Vec<WrongAnswer>> {
    let mut answers: Vec<WrongAnswer> = Vec::new();
    let mut names = BTreeSet::new();
    let mut open: Option<WrongAnswer> = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let at = format!("{file}:{}", index + 1);
        if let Some(head) = line.trim().strip_prefix("// WRONG ") {
            if let Some(outer) = open {
                bail!("{at}: a wrong answer inside `{}`", outer.name);
            }
            let parts = head.split_once(" fn ").and_then(|(name, rest)| Some((name, rest.split_once(": ")?)));
            let (name, (item, why)) =
                parts.with_context(|| format!("{at}: write `// WRONG name fn item: what is wrong`"))?;
            ensure!(names.insert(name.to_string()), "{at}: the name `{name}` is taken in this file");
            let (name, item, why) = (name.to_string(), item.to_string(), why.to_string());
            open = Some(WrongAnswer { task, name, item, why, body: String::new(), file: file.into(), line: index + 1 });
        } else if line.trim() == "// END WRONG" {
            let answer = open.take().with_context(|| format!("{at}: END WRONG without a WRONG before it"))?;
            ensure!(!answer.body.trim().is_empty(), "{file}:{}: `{}` is empty", answer.line, answer.name);
            answers.push(answer);
        } else if let Some(answer) = &mut open {
            answer.body.push_str(line);
        }
    }
    match open {
        Some(answer) => bail!("{file}:{}: `{}` has no END WRONG", answer.line, answer.name),
        None => Ok(answers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "//! Wrong answers.

// WRONG any-tie fn top_k: keeps any tie
    let x = 1;
    Ok(x)
// END WRONG

// WRONG no-copy fn Sampler::new: does not copy: at all
Ok(2)
// END WRONG
";

    fn complaint(from: &str, to: &str) -> String {
        assert!(FILE.contains(from));
        let id = "1.7.2".parse().expect("an id");
        parse("w", id, &FILE.replacen(from, to, 1)).expect_err("a mistake").to_string()
    }

    #[test]
    fn answers_have_name_function_reason_and_body() {
        let answers = parse("w", "1.7.2".parse().expect("an id"), FILE).expect("a right file");
        let first = (answers[0].name.as_str(), answers[0].item.as_str(), answers[0].line, answers[0].body.as_str());
        assert_eq!(first, ("any-tie", "top_k", 3, "    let x = 1;\n    Ok(x)\n"));
        assert_eq!((answers[1].item.as_str(), answers[1].why.as_str()), ("Sampler::new", "does not copy: at all"));
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        assert_eq!(complaint("    Ok(x)\n// END WRONG\n", ""), "w:6: a wrong answer inside `any-tie`");
        assert_eq!(complaint("Ok(2)\n// END WRONG\n", "Ok(2)\n"), "w:8: `no-copy` has no END WRONG");
        assert_eq!(complaint("Ok(2)\n", ""), "w:8: `no-copy` is empty");
        assert_eq!(complaint("no-copy", "any-tie"), "w:8: the name `any-tie` is taken in this file");
        assert_eq!(complaint("any-tie fn top_k", "any-tie"), "w:3: write `// WRONG name fn item: what is wrong`");
        assert_eq!(
            complaint("// WRONG any-tie fn top_k: keeps any tie\n", ""),
            "w:5: END WRONG without a WRONG before it"
        );
    }
}
