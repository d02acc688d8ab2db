//! The judge of a package's tests: in come tasks, out come verdicts on the reference, the wrong answers and the stubs.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};

use super::package::{Package, TestProgram};
use super::process::{self, Ended};
use super::switch::STUB;
use super::verdicts::{Job, Tally, Verdict, in_parallel};
use super::wrong_answers::WrongAnswer;
use crate::libtest::{self, Outcome};
use crate::manifest::{Manifest, Task, TaskId};
use crate::workspace::Workspace;

/// A package compiled with all its bodies, and the tests of its programs.
pub struct Judge {
    package: Package,
    programs: BTreeMap<String, (TestProgram, Vec<String>)>,
}

impl Judge {
    /// Writes and compiles it; the programs are those of the tasks.
    pub fn prepare(workspace: &Workspace, manifest: &Manifest, name: &str, tasks: &[&Task]) -> anyhow::Result<Self> {
        let package = Package::write(workspace, manifest, name)?;
        let mut tests: Vec<String> = tasks.iter().map(|task| task.test.clone()).collect();
        tests.dedup();
        println!(
            "{name}: {} wrong answers in {} regions, one compilation",
            package.answers.len(),
            package.regions.len()
        );
        let mut programs = BTreeMap::new();
        for (test, program) in package.compile(workspace, &tests)? {
            let names = process::list(&program)?;
            programs.insert(test, (program, names));
        }
        Ok(Self { package, programs })
    }

    /// Every test passes on the reference, and each wrong answer is rejected by a test of its task or of the whole day.
    pub fn wrong_answers(&self, tasks: &[&Task], name: Option<&str>, tally: &mut Tally) -> anyhow::Result<()> {
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (test, (program, names)) in &self.programs {
            jobs.push(Box::new(move || {
                let verdict = process::until_failure(program, names, "")?;
                let label = format!("{test} on the reference");
                Ok(match verdict {
                    Ended::Passed => Verdict { passed: true, line: format!("{label}: {} tests pass", names.len()) },
                    Ended::Rejected { test, how } => Verdict { passed: false, line: format!("{label}: {test} {how}") },
                })
            }));
        }
        let ids: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
        let wanted = |answer: &&WrongAnswer| ids.contains(&answer.task) && name.is_none_or(|name| answer.name == name);
        for answer in self.package.answers.iter().filter(wanted) {
            jobs.push(Box::new(|| self.judge(answer, tasks)));
        }
        in_parallel(jobs, tally)
    }

    fn judge(&self, answer: &WrongAnswer, tasks: &[&Task]) -> anyhow::Result<Verdict> {
        let task =
            tasks.iter().find(|task| task.id == answer.task).context("only answers of these tasks are judged")?;
        let (program, names) = self.program(task)?;
        let own = of_prefix(names, &task.test_prefix());
        let label = format!("{} {}", answer.task, answer.name);
        ensure!(!own.is_empty(), "task {} has no test: no name begins with {}", task.id, task.test_prefix());
        for tests in [own, of_prefix(names, "end_")] {
            if tests.is_empty() {
                continue;
            }
            if let Ended::Rejected { test, how } = process::until_failure(program, &tests, &self.choice_of(answer)?)? {
                let how = if how == "failed" { String::new() } else { format!(", which {how}") };
                return Ok(Verdict { passed: true, line: format!("{label}: rejected by {test}{how}") });
            }
        }
        let WrongAnswer { file, line, why, .. } = answer;
        Ok(Verdict { passed: false, line: format!("{label}: ACCEPTED ({file}:{line}: {why})") })
    }

    /// With a task and all later ones as stubs, each of its tests fails with its id; with all stubs no test passes.
    pub fn stubs(&self, tasks: &[&Task], tally: &mut Tally) -> anyhow::Result<()> {
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for &task in tasks {
            jobs.push(Box::new(|| {
                let (program, names) = self.program(task)?;
                let own = of_prefix(names, &task.test_prefix());
                ensure!(!own.is_empty(), "task {} has no test: no name begins with {}", task.id, task.test_prefix());
                let stubs = self.stubs_from(task.id);
                let label = format!("{} as a stub", task.id);
                expect_stubs(&label, &process::all(program, &own, &stubs)?, own.len(), |id| id == task.id)
            }));
        }
        for (test, (program, names)) in &self.programs {
            let of_day: Vec<TaskId> = tasks.iter().filter(|task| task.test == *test).map(|task| task.id).collect();
            let first = *of_day.iter().min().context("a program has tasks")?;
            let same_day = move |id: TaskId| (id.week, id.day) == (first.week, first.day);
            let end = of_prefix(names, "end_");
            if !end.is_empty() {
                let stubs = self.stubs_from(TaskId { task: 0, ..first });
                let label = format!("{}.{}.end with the day as stubs", first.week, first.day);
                jobs.push(Box::new(move || {
                    expect_stubs(&label, &process::all(program, &end, &stubs)?, end.len(), same_day)
                }));
            }
            let stubs = self.stubs_from(TaskId { week: 0, day: 0, task: 0 });
            let label = format!("{test} on the bare starter");
            jobs.push(Box::new(move || {
                expect_stubs(&label, &process::all(program, names, &stubs)?, names.len(), |_| true)
            }));
        }
        in_parallel(jobs, tally)
    }

    fn program(&self, task: &Task) -> anyhow::Result<(&TestProgram, &[String])> {
        let (program, names) = self.programs.get(&task.test).context("every task's test target is compiled")?;
        Ok((program, names))
    }

    fn choice_of(&self, answer: &WrongAnswer) -> anyhow::Result<String> {
        // C++ and Metal may have a region of one task and name: the right one holds the wrong answer.
        let mut regions = self.package.regions.iter();
        let (region, place) = regions
            .find_map(|region| {
                let mine = region.task == answer.task && region.item == answer.item;
                let place = region.wrong.iter().position(|name| *name == answer.name);
                place.filter(|_| mine).map(|place| (region, place))
            })
            .context("every wrong answer has its region")?;
        Ok(format!("{}={}", region.number, STUB + 1 + place))
    }

    fn stubs_from(&self, first: TaskId) -> String {
        let stubs = self.package.regions.iter().filter(|region| region.task >= first);
        stubs.map(|region| format!("{}={STUB}", region.number)).collect::<Vec<_>>().join(",")
    }
}

/// All of `count` tests ran and failed with a stub of a task that `owns` accepts.
fn expect_stubs(
    label: &str,
    tests: &[libtest::Test],
    count: usize,
    owns: impl Fn(TaskId) -> bool,
) -> anyhow::Result<Verdict> {
    let mut wrong: Vec<String> = Vec::new();
    for test in tests {
        match &test.outcome {
            Outcome::Failed(report) => match libtest::stub(report) {
                Some(stub) if owns(stub.task) => {}
                Some(stub) => wrong.push(format!("{} fails with {}", test.name, stub.task)),
                None => wrong.push(format!("{} fails without a task's id", test.name)),
            },
            Outcome::Passed => wrong.push(format!("{} passes", test.name)),
            Outcome::Ignored(_) => wrong.push(format!("{} does not run", test.name)),
            Outcome::Cut => wrong.push(format!("{} hangs or dies", test.name)),
        }
    }
    if tests.len() < count {
        wrong.push(format!("only {} of {count} tests ran", tests.len()));
    }
    Ok(match wrong.is_empty() {
        true => Verdict { passed: true, line: format!("{label}: {count} tests fail as they must") },
        false => Verdict { passed: false, line: format!("{label}: {}", wrong.join("; ")) },
    })
}

/// Names of tests, with their modules, whose function begins so.
fn of_prefix(names: &[String], prefix: &str) -> Vec<String> {
    let function = |name: &str| name.rsplit_once("::").map_or(name.to_string(), |(_, function)| function.to_string());
    names.iter().filter(|name| function(name).starts_with(prefix)).cloned().collect()
}
