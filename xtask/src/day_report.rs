//! A day's result: in go its tests as they ended, out comes the progress of each task.

use std::fs;

use crate::libtest::{self, Outcome, Test};
use crate::manifest::{Day, Task, TaskId, Week};
use crate::rust_functions;
use crate::state::Progress;
use crate::workspace::Workspace;

/// A group of tests that belong to one task, to the whole day, or to nothing in the course.
pub struct Row<'m> {
    /// The task, where it is one.
    pub task: Option<&'m Task>,
    /// `1.7.2`, `1.7.end`, `other`.
    pub label: String,
    /// `top-k`
    pub title: String,
    /// What its tests say together.
    pub progress: Progress,
    /// `week1/src/sampler.rs:31`
    pub at: Option<String>,
    /// Where the stub is that blocks it.
    pub blocker_at: Option<String>,
    /// Why none of its tests ran, where a test says it.
    pub skipped: Option<String>,
    /// The test to read first: one that failed for a reason that is no stub.
    pub failure: Option<Test>,
    /// The names of the other tests that did not pass.
    pub others: Vec<String>,
    /// Where the task is a ladder, its steps from the first on.
    pub steps: Vec<Step>,
}

/// A step of a kernel's ladder, as its own tests see it.
pub struct Step {
    /// From 1.
    pub number: u8,
    /// As the kernel's source and the test name it: `vectors`.
    pub name: String,
    /// What its tests say.
    pub progress: Progress,
}

impl Row<'_> {
    /// Whether the day waits for it.
    pub fn is_required(&self) -> bool {
        self.task.is_none_or(|task| !task.optional)
    }

    /// Whether a test of it failed, a stub's included.
    pub fn fails(&self) -> bool {
        !matches!(self.progress, Progress::Passing { .. } | Progress::Untested)
    }

    /// Whether a test of it failed for a reason that is no stub.
    pub fn has_real_failure(&self) -> bool {
        matches!(self.progress, Progress::Failing { .. })
    }

    /// Finds the place to write or to repair, where no stub has told it.
    pub fn locate(&mut self, workspace: &Workspace, reference: bool) {
        let waits = matches!(self.progress, Progress::Blocked { .. });
        if let Some(task) = self.task.filter(|_| self.fails() && !waits && self.at.is_none()) {
            let path = if reference { task.solution_path() } else { task.path() };
            self.at = Some(place(workspace, &path, &task.item));
        }
    }
}

/// Sorts the tests of a day into rows; a task of `tasks` without a test that ran is `Untested`. `of_one` are tests that
/// belong to an optional task whatever their names are, those of a program that only this task has.
pub fn rows<'m>(
    week: &Week,
    day: &Day,
    tasks: &[&'m Task],
    tests: Vec<Test>,
    mut of_one: Vec<(TaskId, Test)>,
) -> Vec<Row<'m>> {
    let mut rest = tests;
    let mut rows = Vec::new();
    for task in tasks {
        let prefix = task.test_prefix();
        let (mut own, others): (Vec<Test>, _) = rest.into_iter().partition(|test| test.name.starts_with(&prefix));
        rest = others;
        own.extend(of_one.extract_if(.., |(owner, _)| *owner == task.id).map(|(_, test)| test));
        // What a ladder's lowest step says comes first: the others stand on it.
        let number = |test: &Test| step(&test.name).map_or(u8::MAX, |(number, _)| number);
        own.sort_by_key(|test| (!test.name.starts_with(&prefix), number(test)));
        let mut row = row(task.id.to_string(), task.title.clone(), Some(task.id), own);
        row.task = Some(task);
        rows.push(row);
    }
    let (mut ends, others): (Vec<Test>, Vec<Test>) = rest.into_iter().partition(|test| test.name.starts_with("end_"));
    // The day passes without its optional tasks, so nothing of it waits for their stubs.
    ends.retain(|test| !waits_for_optional(test, day));
    if !ends.is_empty() {
        rows.push(row(format!("{}.{}.end", week.number, day.number), "end to end".to_string(), None, ends));
    }
    if !others.is_empty() {
        rows.push(row("other".to_string(), "tests of your own".to_string(), None, others));
    }
    rows
}

/// The optional task that has a test program to itself.
pub fn owner(day: &Day, package: &str, test: &str) -> Option<TaskId> {
    let mut owners = day.tasks.iter().filter(|task| task.package == package && task.test == test);
    match (owners.next(), owners.next()) {
        (Some(task), None) if task.optional && day.test != test => Some(task.id),
        _ => None,
    }
}

fn waits_for_optional(test: &Test, day: &Day) -> bool {
    let Outcome::Failed(report) = &test.outcome else { return false };
    let stub = libtest::stub(report).map(|stub| stub.task);
    day.tasks.iter().any(|task| task.optional && Some(task.id) == stub)
}

fn row<'m>(label: String, title: String, own: Option<TaskId>, tests: Vec<Test>) -> Row<'m> {
    let failed: Vec<&Test> = tests.iter().filter(|test| ran(test) && test.outcome != Outcome::Passed).collect();
    let stubs: Vec<libtest::Stub> = failed.iter().filter_map(|test| stub_of(test)).collect();
    let progress = progress(tests.iter(), own);
    let at = match progress {
        Progress::NotStarted | Progress::Partly { .. } => stubs.iter().find(|stub| Some(stub.task) == own),
        _ => None,
    };
    let at = at.map(|stub| stub.at.clone());
    let blocker_at = match progress {
        Progress::Blocked { by, .. } => stubs.iter().find(|stub| stub.task == by),
        _ => None,
    };
    let blocker_at = blocker_at.map(|stub| stub.at.clone()).filter(|at| !at.is_empty());
    let first = failed.iter().find(|test| stub_of(test).is_none()).map(|test| test.name.clone());
    let skipped = tests.iter().find_map(|test| match &test.outcome {
        Outcome::Ignored(why) if progress == Progress::Untested => Some(why.clone()),
        _ => None,
    });
    let others = failed.iter().map(|test| test.name.clone()).filter(|name| Some(name) != first.as_ref()).collect();
    let steps = steps(&tests, own);
    let failure = first.and_then(|name| tests.into_iter().find(|test| test.name == name));
    Row { task: None, label, title, progress, at, blocker_at, skipped, failure, others, steps }
}

fn ran(test: &Test) -> bool {
    !matches!(test.outcome, Outcome::Ignored(_))
}

fn stub_of(test: &Test) -> Option<libtest::Stub> {
    match &test.outcome {
        Outcome::Failed(report) => libtest::stub(report),
        _ => None,
    }
}

/// What these tests say together; `own` is the task that they belong to.
fn progress<'t>(tests: impl Iterator<Item = &'t Test>, own: Option<TaskId>) -> Progress {
    let (passed, failed): (Vec<&Test>, Vec<&Test>) =
        tests.filter(|test| ran(test)).partition(|test| test.outcome == Outcome::Passed);
    let (passed, total) = (passed.len() as u32, (passed.len() + failed.len()) as u32);
    let stubs: Vec<TaskId> = failed.iter().filter_map(|test| stub_of(test)).map(|stub| stub.task).collect();
    match stubs.iter().min() {
        _ if total == 0 => Progress::Untested,
        _ if failed.is_empty() => Progress::Passing { total },
        Some(&first) if stubs.len() == failed.len() => match stubs.iter().any(|stub| Some(*stub) == own) {
            true if passed == 0 => Progress::NotStarted,
            true => Progress::Partly { passed, total },
            false => Progress::Blocked { by: first, passed, total },
        },
        _ => Progress::Failing { failed: total - passed, total },
    }
}

/// The tests of a ladder's steps, `task_1_step_2_vectors`, in their order.
fn steps(tests: &[Test], own: Option<TaskId>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, name) in tests.iter().filter_map(|test| step(&test.name)) {
        if steps.iter().all(|step| step.number != number) {
            let of_step = tests.iter().filter(|test| step(&test.name).is_some_and(|(other, _)| other == number));
            steps.push(Step { number, name, progress: progress(of_step, own) });
        }
    }
    steps.sort_by_key(|step| step.number);
    steps
}

/// `task_1_step_2_two_streams` is of step 2, "two streams".
fn step(test: &str) -> Option<(u8, String)> {
    let (_, rest) = test.strip_prefix("task_")?.split_once('_')?;
    let (number, name) = rest.strip_prefix("step_")?.split_once('_')?;
    Some((number.parse().ok()?, name.replace('_', " ")))
}

/// Where a function stands in a file of the course, `week1/src/sampler.rs:31`; the file alone where it cannot be found.
pub fn place(workspace: &Workspace, path: &str, item: &str) -> String {
    let functions =
        fs::read_to_string(workspace.root().join(path)).ok().and_then(|text| rust_functions::functions(&text));
    let function = functions.into_iter().flatten().find(|function| function.is_called(item));
    function.map_or(path.to_string(), |function| format!("{path}:{}", function.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(outcomes: &[&str]) -> Progress {
        let test = |(index, outcome): (usize, &&str)| Test {
            name: format!("task_2_{index}"),
            outcome: match *outcome {
                "ok" => Outcome::Passed,
                "cut" => Outcome::Cut,
                "ignored" => Outcome::Ignored("needs Metal".to_string()),
                report => Outcome::Failed(report.to_string()),
            },
        };
        let tests = outcomes.iter().enumerate().map(test).collect();
        row("1.7.2".to_string(), "top-k".to_string(), "1.7.2".parse().ok(), tests).progress
    }

    #[test]
    fn a_task_is_as_far_as_its_tests_say() {
        let own = "Error: not implemented: task 1.7.2, week1::sampler::top_k (week1/src/sampler.rs:31)";
        let earlier = "Error: not implemented: task 1.1.3, week1::attention::attend (week1/src/attention.rs:9)";
        let later = "Error: not implemented: task 1.7.4, week1::sampler::make (week1/src/sampler.rs:90)";
        assert_eq!(progress(&[own, own]), Progress::NotStarted);
        assert_eq!(progress(&[earlier, own]), Progress::NotStarted);
        let blocked = |passed, total| Progress::Blocked { by: "1.1.3".parse().expect("an id"), passed, total };
        assert_eq!(progress(&[later, earlier]), blocked(0, 2));
        assert_eq!(progress(&["ok", later, "ok", earlier]), blocked(2, 4));
        assert_eq!(progress(&[own, "ok"]), Progress::Partly { passed: 1, total: 2 });
        assert_eq!(progress(&[earlier, own, "ok"]), Progress::Partly { passed: 1, total: 3 });
        assert_eq!(progress(&[earlier, "kept {1, 3}", "ok"]), Progress::Failing { failed: 2, total: 3 });
        assert_eq!(progress(&[own, "kept {1, 3}"]), Progress::Failing { failed: 2, total: 2 });
        assert_eq!(progress(&["ok", "cut"]), Progress::Failing { failed: 1, total: 2 });
        assert_eq!(progress(&["ok", "ignored"]), Progress::Passing { total: 1 });
        assert_eq!(progress(&["ignored"]), Progress::Untested);
        assert_eq!(progress(&[]), Progress::Untested);
    }

    #[test]
    fn a_ladder_says_which_of_its_steps_pass() {
        let stub = "Error: not implemented: task 2.4.1, rms_norm_vectors (extensions/src/loops/rms_norm.cpp:18)";
        let test = |name: &str, report: Option<&str>| Test {
            name: name.to_string(),
            outcome: report.map_or(Outcome::Passed, |report| Outcome::Failed(report.to_string())),
        };
        let tests = vec![
            test("task_1_step_1_naive", None),
            test("task_1_step_3_two_streams", Some("x[3] is 1, expected 2")),
            test("task_1_step_2_vectors", Some(stub)),
            test("task_1_random_rows", Some(stub)),
        ];
        let row = row("2.4.1".to_string(), "rms_norm".to_string(), "2.4.1".parse().ok(), tests);
        let steps: Vec<(u8, &str, Progress)> =
            row.steps.iter().map(|step| (step.number, step.name.as_str(), step.progress)).collect();
        let (passing, failing) = (Progress::Passing { total: 1 }, Progress::Failing { failed: 1, total: 1 });
        let expected = [(1, "naive", passing), (2, "vectors", Progress::NotStarted), (3, "two streams", failing)];
        assert_eq!(steps, expected);
        assert_eq!(row.progress, Progress::Failing { failed: 3, total: 4 });
        assert_eq!(step("task_1_steps_are_many"), None);
    }

    #[test]
    fn the_failure_to_read_first_is_not_a_stub() {
        let failed =
            |name: &str, report: &str| Test { name: name.to_string(), outcome: Outcome::Failed(report.to_string()) };
        let tests =
            vec![failed("task_2_a", "Error: not implemented: task 1.7.2, f (a:1)"), failed("task_2_b", "kept {1, 3}")];
        let row = row("1.7.2".to_string(), "top-k".to_string(), "1.7.2".parse().ok(), tests);
        assert_eq!(row.failure.expect("a failure").name, "task_2_b");
    }
}
