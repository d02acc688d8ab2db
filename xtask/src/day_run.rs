//! Runs the tests of days and packages: in go a day and how to run it, out come rows for its table and an exit code.

use std::process::ExitCode;

use crate::cargo_test::{self, Call, Ended};
use crate::day_report::{self, Row};
use crate::libtest::{Outcome, Test};
use crate::manifest::{Day, Task, Week};
use crate::own_place;
use crate::reference_base;
use crate::state::{Progress, State};
use crate::task_code;
use crate::test_copy::{self, Changed, Copied};
use crate::workspace::Workspace;

/// How a run ended; the worst of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// No test ran.
    NothingTested,
    /// Every required test passed.
    Passed,
    /// A test failed.
    Failed,
    /// Code does not compile.
    NotCompiled,
    /// Cargo could not do its work.
    Environment,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(match code {
            Code::Passed => 0,
            Code::Failed | Code::NotCompiled => 1,
            Code::Environment => 2,
            Code::NothingTested => 3,
        })
    }
}

/// How many tests passed and failed.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed, or that the program died in.
    pub failed: u32,
}

/// What the tests of a day said.
pub struct Tested<'m> {
    /// A row a task, the end-to-end tests, others.
    pub rows: Vec<Row<'m>>,
    /// All of them.
    pub tally: Tally,
    /// How a test program ended that did not end by itself.
    pub died: Option<String>,
    /// What all of it means.
    pub code: Code,
}

impl Tested<'_> {
    /// Whether a required test failed for a reason that is no stub.
    pub fn has_real_failure(&self) -> bool {
        self.rows.iter().any(|row| row.is_required() && row.has_real_failure())
    }
}

/// What is the same for all runs of a command.
pub struct Runner<'w> {
    /// The course.
    pub workspace: &'w Workspace,
    /// What is remembered of the learner.
    pub state: State,
    /// Test the reference instead of the learner's code.
    pub reference: bool,
    /// Build the learner's week on the reference's lower weeks.
    pub reference_base: bool,
    /// Show frames below panics.
    pub backtrace: bool,
    /// Metal kernels run under ThreadSanitizer too.
    pub races: bool,
    /// The learner's own filters and options for libtest.
    pub libtest: Vec<String>,
}

impl Runner<'_> {
    /// Copies and builds several days at once, so that Cargo works on all of them together.
    pub fn build(&mut self, week: &Week, days: &[&Day]) -> anyhow::Result<Result<(), Ended>> {
        let mut targets = vec!["test".to_string(), "--no-run".to_string()];
        targets.extend(self.package_flags(&week.package));
        for day in days {
            self.refresh_copy(&week.package, &day.test)?;
            targets.extend(["--test".to_string(), day.test.clone()]);
        }
        cargo_test::build(self.workspace, &targets)
    }

    /// Runs a day, or one task of it; an `Ended` that is not `Tested` says why there is nothing to report.
    pub fn day<'m>(
        &mut self,
        week: &'m Week,
        day: &'m Day,
        only: Option<&'m Task>,
    ) -> anyhow::Result<Result<Tested<'m>, Ended>> {
        let tasks: Vec<&Task> = only.map_or_else(|| day.tasks.iter().collect(), |task| vec![task]);
        let mut programs = Vec::new();
        if only.is_none() {
            programs.push((week.package.as_str(), day.test.as_str()));
        }
        for task in &tasks {
            let program = (task.package.as_str(), task.test.as_str());
            if !programs.contains(&program) && (only.is_some() || self.wants(week, task)) {
                programs.push(program);
            }
        }
        let (mut tests, mut of_one, mut died) = (Vec::new(), Vec::new(), None);
        for (package, test) in programs {
            self.refresh_copy(package, test)?;
            let mut targets = self.package_flags(package);
            targets.extend(["--test".to_string(), test.to_string()]);
            match cargo_test::run(self.workspace, &self.call(targets, only))? {
                Ended::Tested { tests: more, died: signal } => {
                    let folder = if self.reference { format!("solutions/{package}") } else { package.to_string() };
                    let root = self.workspace.root();
                    let more = more.into_iter().map(|test| own_place::of_test(test, root, &folder, self.backtrace));
                    match day_report::owner(day, package, test) {
                        Some(owner) => of_one.extend(more.map(|test| (owner, test))),
                        None => tests.extend(more),
                    }
                    died = died.or(signal);
                }
                stopped => return Ok(Err(stopped)),
            }
        }
        let tally = tally(tests.iter().chain(of_one.iter().map(|(_, test)| test)));
        let mut rows = day_report::rows(week, day, &tasks, tests, of_one);
        for row in &mut rows {
            row.locate(self.workspace, self.reference);
        }
        if !self.libtest.is_empty() {
            rows.retain(|row| row.progress != Progress::Untested);
        }
        self.remember(&rows, if only.is_none() { &tasks } else { &[] })?;
        let counts = |row: &&Row<'_>| only.is_some() || row.is_required();
        let code = match tally.passed + tally.failed {
            0 => Code::NothingTested,
            _ if died.is_some() || rows.iter().filter(counts).any(Row::fails) => Code::Failed,
            _ => Code::Passed,
        };
        Ok(Ok(Tested { rows, tally, died, code }))
    }

    /// Runs everything a package tests, and counts.
    pub fn package(&mut self, package: &str) -> anyhow::Result<Result<Tally, Ended>> {
        let targets = vec!["-p".to_string(), package.to_string()];
        let call = Call { backtrace: self.backtrace, ..self.call(targets, None) };
        Ok(match cargo_test::run(self.workspace, &call)? {
            Ended::Tested { tests, died } => {
                let counted = tally(tests.iter());
                let lost = u32::from(died.is_some() && counted.failed == 0);
                Ok(Tally { failed: counted.failed + lost, ..counted })
            }
            stopped => Err(stopped),
        })
    }

    /// An optional task with a program of its own runs with the day once the learner has begun it. Of the reference, a
    /// day has what is in its week's package; other packages have a run of their own.
    fn wants(&self, week: &Week, task: &Task) -> bool {
        match self.reference {
            _ if !task.optional => true,
            true => task.package == week.package,
            false => task_code::is_begun(self.workspace, task),
        }
    }

    fn package_flags(&self, package: &str) -> Vec<String> {
        if self.reference {
            return vec!["-p".to_string(), format!("solution-{package}")];
        }
        let mut flags = vec!["-p".to_string(), package.to_string()];
        if self.reference_base {
            flags.extend(reference_base::flags(self.workspace, package));
        }
        flags
    }

    fn call(&self, targets: Vec<String>, only: Option<&Task>) -> Call {
        let mut libtest = self.libtest.clone();
        libtest.extend(only.map(Task::test_prefix));
        let echo = libtest.iter().any(|option| option == "--nocapture" || option == "--show-output");
        // A panic inside a library is placed by its frames; where everything is echoed, nobody asked for them.
        Call { targets, libtest, backtrace: self.backtrace || !echo, echo, races: self.races }
    }

    fn refresh_copy(&mut self, package: &str, test: &str) -> anyhow::Result<()> {
        if self.reference {
            return Ok(());
        }
        self.state = State::load(self.workspace)?;
        let copied = test_copy::copy(self.workspace, &mut self.state, package, test, Changed::Replace)?;
        self.state.save()?;
        if let Copied::Replaced(kept) = copied {
            let path = test_copy::copy_path(package, test);
            eprintln!("{path} had changes of yours; they are kept in {kept}, and the course's tests run");
        }
        Ok(())
    }

    /// `whole` are the tasks of a day that ran as a whole.
    fn remember(&mut self, rows: &[Row<'_>], whole: &[&Task]) -> anyhow::Result<()> {
        if self.reference || !self.libtest.is_empty() {
            return Ok(());
        }
        // While the tests ran, another command may have learned something.
        self.state = State::load(self.workspace)?;
        for task in whole.iter().filter(|task| task.optional && !task_code::is_begun(self.workspace, task)) {
            // What has been put back to the stub is not a result any more.
            self.state.forget_progress(task.id);
        }
        for row in rows.iter().filter(|row| row.progress != Progress::Untested) {
            if let Some(task) = row.task {
                self.state.set_progress(task.id, row.progress);
            }
        }
        self.state.save()
    }
}

fn tally<'t>(tests: impl Iterator<Item = &'t Test> + Clone) -> Tally {
    let count = |wanted: fn(&Outcome) -> bool| tests.clone().filter(|test| wanted(&test.outcome)).count() as u32;
    Tally {
        passed: count(|outcome| *outcome == Outcome::Passed),
        failed: count(|outcome| matches!(outcome, Outcome::Failed(_) | Outcome::Cut)),
    }
}
