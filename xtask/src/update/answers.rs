//! The learner's answers: in go a starter file as it was given and as the learner has it, out come the bodies they wrote.

use crate::manifest::TaskId;
use crate::rust_functions::{self, Function};

/// A function that the learner has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whose stub stood there.
    pub task: TaskId,
    /// `top_k`, `RoPE::forward`
    pub function: String,
    /// What stands between the braces now.
    pub body: String,
    /// The learner's file, below the repository.
    pub file: String,
}

/// A stub in a starter's text.
pub struct Stub {
    /// Its task.
    pub task: TaskId,
    /// The function around it.
    pub function: Function,
}

/// The functions of a text that are still stubs, in its order; `None` where the text cannot be understood.
pub fn stubs(text: &str) -> Option<Vec<Stub>> {
    let functions = rust_functions::functions(text)?;
    let stubs = functions.into_iter().filter_map(|function| {
        let (_, call) = text[function.body.clone()].split_once("stub!(\"")?;
        let task = call.split('"').next()?.parse().ok()?;
        Some(Stub { task, function })
    });
    Some(stubs.collect())
}

/// What the learner has written in a file, and the file with the stubs back in place of it.
pub struct Written {
    /// In the order of the file.
    pub answers: Vec<Answer>,
    /// Everything but the answers as the learner has it.
    pub around: String,
}

/// Compares a file as it was given with the learner's; `None` where one of them cannot be understood.
pub fn written(file: &str, given: &str, learners: &str) -> Option<Written> {
    let theirs = rust_functions::functions(learners)?;
    let mut answers = Vec::new();
    let mut around = learners.to_string();
    let mut replaced = Vec::new();
    for stub in stubs(given)? {
        let mut named = theirs.iter().filter(|function| function.path == stub.function.path);
        let (Some(function), None) = (named.next(), named.next()) else { continue };
        let (body, given_body) = (&learners[function.body.clone()], &given[stub.function.body.clone()]);
        if body.trim() != given_body.trim() {
            let (task, function_path) = (stub.task, stub.function.path.clone());
            answers.push(Answer { task, function: function_path, body: body.to_string(), file: file.to_string() });
        }
        replaced.push((function.body.clone(), given_body));
    }
    replaced.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, given_body) in replaced {
        around.replace_range(range, given_body);
    }
    Some(Written { answers, around })
}

/// Puts answers in place of the stubs that `choose` has one for, and says which were placed.
pub fn place<'a>(text: &str, choose: impl Fn(&Stub) -> Option<&'a Answer>) -> Option<(String, Vec<&'a Answer>)> {
    let mut placed = Vec::new();
    let mut filled = text.to_string();
    for stub in stubs(text)?.iter().rev() {
        if let Some(answer) = choose(stub) {
            filled.replace_range(stub.function.body.clone(), &answer.body);
            placed.push(answer);
        }
    }
    Some((filled, placed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "use kit::Result;\n\n/// Doubles.\npub fn twice(x: f32) -> Result<f32> {\n    kit::stub!(\"1.1.1\", x)\n}\n\n\
                         pub fn half(x: f32) -> Result<f32> {\n    kit::stub!(\"1.1.2\", x)\n}\n";

    fn learners() -> String {
        GIVEN.replace("    kit::stub!(\"1.1.1\", x)\n", "    // \"}\" is no end\n    own(x)\n")
            + "\nfn own(x: f32) -> Result<f32> {\n    Ok(2.0 * x)\n}\n"
    }

    #[test]
    fn only_what_was_written_is_an_answer() {
        let found = written("week1/src/a.rs", GIVEN, &learners()).expect("both are understood");
        assert_eq!(found.answers.len(), 1);
        assert_eq!(found.answers[0].function, "twice");
        assert_eq!(found.answers[0].body, "\n    // \"}\" is no end\n    own(x)\n");
        assert_eq!(found.around, format!("{GIVEN}\nfn own(x: f32) -> Result<f32> {{\n    Ok(2.0 * x)\n}}\n"));
    }

    #[test]
    fn an_answer_goes_below_a_new_signature() {
        let found = written("week1/src/a.rs", GIVEN, &learners()).expect("both are understood");
        let new = GIVEN.replace("twice(x: f32)", "twice(x: f32, bias: f32)").replace("Doubles.", "Doubles and adds.");
        let (text, placed) =
            place(&new, |stub| found.answers.iter().find(|answer| answer.task == stub.task)).expect("understood");
        assert!(text.contains("/// Doubles and adds.\npub fn twice(x: f32, bias: f32) -> Result<f32> {\n    // \"}\" is no end\n    own(x)\n}"));
        assert!(text.contains("kit::stub!(\"1.1.2\", x)") && placed.len() == 1);
    }

    #[test]
    fn a_file_in_the_middle_of_an_edit_is_not_understood() {
        assert!(written("week1/src/a.rs", GIVEN, &GIVEN.replace("}\n", "\n")).is_none());
    }
}
