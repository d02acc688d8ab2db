//! What a test program printed: in goes its standard output (libtest's plain text), out come its tests in their order.

use std::path::Path;

use crate::manifest::TaskId;
use crate::terminal::without_escapes;

/// One test and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Test {
    /// Its function, without the modules around it: `task_2_ties_go_to_the_lowest_id`.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a test ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It did not run, and this is why.
    Ignored(String),
    /// It failed and printed this.
    Failed(String),
    /// The process ended inside it.
    Cut,
}

/// A stub's answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Stub {
    /// The task that is not written.
    pub task: TaskId,
    /// `week1/src/sampler.rs:31`.
    pub at: String,
}

/// All tests of an output, or `None` where no test program ran at all.
pub fn parse(output: &str) -> Option<Vec<Test>> {
    let mut began = false;
    let mut tests: Vec<Test> = Vec::new();
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        began |= is_beginning(line);
        if let Some((name, rest)) = test_line(line) {
            tests.push(Test { name: name.to_string(), outcome: outcome(rest).unwrap_or(Outcome::Cut) });
        } else if let (Some(test), Some(late)) = (tests.last_mut(), outcome(line)) {
            // A test that writes past libtest's capture pushes its verdict to a later line.
            if test.outcome == Outcome::Cut {
                test.outcome = late;
            }
        } else if let Some(name) = report_heading(line) {
            let mut report = Vec::new();
            while let Some(next) = lines.next_if(|next| report_heading(next).is_none() && *next != "failures:") {
                report.push(next);
            }
            let failed = |test: &&mut Test| test.name == name && matches!(test.outcome, Outcome::Failed(_));
            if let Some(test) = tests.iter_mut().rev().find(failed) {
                test.outcome = Outcome::Failed(report.join("\n").trim().to_string());
            }
        }
    }
    began.then_some(tests)
}

/// `running 5 tests`
fn is_beginning(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test"));
    count.is_some_and(|(count, _)| count.parse::<u32>().is_ok())
}

/// `test cases::task_2_name ... ok`
fn test_line(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    Some((name.rsplit_once("::").map_or(name, |(_, function)| function), rest))
}

fn outcome(text: &str) -> Option<Outcome> {
    match text.trim_end() {
        "ok" => Some(Outcome::Passed),
        "FAILED" => Some(Outcome::Failed(String::new())),
        "ignored" => Some(Outcome::Ignored(String::new())),
        text => text.strip_prefix("ignored, ").map(|why| Outcome::Ignored(why.to_string())),
    }
}

/// `---- cases::task_2_name stdout ----`
fn report_heading(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?;
    Some(name.rsplit_once("::").map_or(name, |(_, function)| function))
}

/// The stub that a failed test ran into, if that is why it failed.
pub fn stub(report: &str) -> Option<Stub> {
    let (_, rest) = report.split_once("not implemented: task ")?;
    let (task, rest) = rest.split_once(", ")?;
    let at = rest.split_once('(').and_then(|(_, at)| at.split_once(')')).map_or("", |(at, _)| at);
    Some(Stub { task: task.parse().ok()?, at: at.to_string() })
}

/// A failed test's report for reading: where it failed, and its message without notes about backtraces.
pub struct Message {
    /// `week1/tests/day7.rs:31`, where a panic said it; `None` for a place outside the course.
    pub at: Option<String>,
    /// The lines of the message.
    pub lines: Vec<String>,
}

/// The message in a report; escape sequences stay only where `colour` wants them.
pub fn message(report: &str, colour: bool) -> Message {
    let mut at: Option<String> = None;
    let mut lines = Vec::new();
    for line in report.lines() {
        let plain = without_escapes(line);
        if let Some((_, place)) = plain.split_once(" panicked at ").filter(|_| plain.starts_with("thread '")) {
            // `FILE:LINE:COLUMN:`; the first panic is the reason, a later one a consequence.
            let place = place.trim_end_matches(':');
            at.get_or_insert_with(|| place.rsplit_once(':').map_or(place, |(place, _)| place).to_string());
        } else if !plain.starts_with("note: run with `RUST_BACKTRACE=") {
            lines.push(if colour { line.to_string() } else { plain });
        }
    }
    let blank = |line: &String| line.trim().is_empty();
    let start = lines.iter().position(|line| !blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !blank(line)).map_or(start, |last| last + 1);
    let at = at.filter(|place| !Path::new(place).is_absolute());
    Message { at, lines: lines[start..end].to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 4 tests
test cases::task_1_greedy ... ok
test cases::task_2_ties ... FAILED
test cases::task_3_metal ... ignored, needs Metal
test cases::task_4_late ... MLX says hello
ok

failures:

---- cases::task_2_ties stdout ----

thread 'cases::task_2_ties' (12) panicked at solutions/week1/tests/cases/day7.rs:31:5:
kept {1, 3}
failures: 1
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    cases::task_2_ties

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    #[test]
    fn each_test_has_its_verdict_and_its_report() {
        let tests = parse(OUTPUT).expect("a program ran");
        let verdicts: Vec<(&str, bool)> =
            tests.iter().map(|test| (test.name.as_str(), test.outcome == Outcome::Passed)).collect();
        assert_eq!(
            verdicts,
            [("task_1_greedy", true), ("task_2_ties", false), ("task_3_metal", false), ("task_4_late", true)]
        );
        assert_eq!(tests[2].outcome, Outcome::Ignored("needs Metal".to_string()));
        let Outcome::Failed(report) = &tests[1].outcome else { panic!("{:?}", tests[1]) };
        let message = message(report, false);
        assert_eq!(message.at.as_deref(), Some("solutions/week1/tests/cases/day7.rs:31"));
        assert_eq!(message.lines, ["kept {1, 3}", "failures: 1"]);
    }

    #[test]
    fn a_process_that_dies_is_cut_inside_its_test() {
        let tests = parse("running 2 tests\ntest task_1_a ... ok\ntest task_1_b ... ").expect("a program ran");
        assert_eq!(tests[1], Test { name: "task_1_b".to_string(), outcome: Outcome::Cut });
    }

    #[test]
    fn no_program_and_no_tests_are_told_apart() {
        assert_eq!(parse("error: could not compile\n"), None);
        assert_eq!(parse("\nrunning 0 tests\n\ntest result: ok. 0 passed\n"), Some(Vec::new()));
    }

    #[test]
    fn a_stub_is_known_from_its_sentence() {
        let report = "Error: not implemented: task 1.7.2, week1::sampler::top_k (week1/src/sampler.rs:31)";
        let found = stub(report).expect("a stub's sentence");
        assert_eq!((found.task.to_string().as_str(), found.at.as_str()), ("1.7.2", "week1/src/sampler.rs:31"));
        assert_eq!(stub("Error: linear: expected shape (2, 3), got (3, 2)"), None);
    }
}
