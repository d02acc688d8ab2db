//! What to run next: in goes a day's result, out comes one sentence with one command.

use crate::cargo_test::{CPP, Ended};
use crate::day_report::{Row, Step};
use crate::day_run::{Code, Runner};
use crate::manifest::{Day, Task, Week};
use crate::state::Progress;

/// The command that tests a day or a task of it, on the same base.
pub fn test_command(week: &Week, day: &Day, only: Option<&Task>, reference_base: bool) -> String {
    let task = only.map_or(String::new(), |task| format!(" --task {}", task.id.task));
    format!("cargo xtask test --week {} --day {}{task}{}", week.number, day.number, base(reference_base))
}

/// The command that tests a week, on the same base.
pub fn week_command(week: &Week, reference_base: bool) -> String {
    format!("cargo xtask test --week {}{}", week.number, base(reference_base))
}

fn base(reference_base: bool) -> &'static str {
    if reference_base { " --base ref" } else { "" }
}

/// The line below a day's table.
pub fn next(week: &Week, day: &Day, only: Option<&Task>, rows: &[Row<'_>], runner: &Runner<'_>) -> String {
    let open = rows.iter().filter(|row| row.fails() && (only.is_some() || row.is_required()));
    let Some(open) = open.min_by_key(|row| order(row)) else {
        return match only {
            _ if !runner.libtest.is_empty() => {
                format!("The chosen tests pass. Next: {}", test_command(week, day, only, runner.reference_base))
            }
            Some(task) => format!("{} passes. Next: {}", task.id, test_command(week, day, None, runner.reference_base)),
            None => after_day(week, day, runner),
        };
    };
    match (open.task, open.progress) {
        (_, Progress::Blocked { by, .. }) => {
            let at = open.blocker_at.as_ref().map_or("first".to_string(), |at| format!("at {at}"));
            format!("{} is blocked by {by}, which is to be written {at}.\nNext: cargo xtask hint {by}", open.label)
        }
        (Some(task), Progress::NotStarted) => {
            let at = open.at.clone().unwrap_or_else(|| task.path());
            format!("{} is to be written at {at}.\nNext: cargo xtask hint {}", task.id, task.id)
        }
        (Some(task), Progress::Partly { .. }) => {
            let at = open.at.clone().unwrap_or_else(|| task.path());
            let passing = |step: &&Step| matches!(step.progress, Progress::Passing { .. });
            if let Some(step) = open.steps.iter().find(|step| !passing(step)) {
                let Step { number, name, .. } = step;
                let id = task.id;
                return format!(
                    "Step {number} of {id}, {name}, is to be written at {at}.\nNext: cargo xtask hint {id}"
                );
            }
            format!("{} is partly written: its stub is left at {at}.\nNext: cargo xtask hint {}", task.id, task.id)
        }
        (Some(task), _) => format!("Next: cargo xtask hint {}", task.id),
        (None, _) => format!("Next: {}", test_command(week, day, None, runner.reference_base)),
    }
}

/// The smaller, the sooner: what to repair, what to write, what waits for another task; tests of no task come last.
fn order(row: &Row<'_>) -> (bool, u8) {
    let kind = match row.progress {
        Progress::Failing { .. } => 0,
        Progress::Blocked { .. } => 2,
        _ => 1,
    };
    (row.task.is_none(), kind)
}

/// Goes on with the first day of the week that is open or was never tested, which may be an earlier one.
fn after_day(week: &Week, day: &Day, runner: &Runner<'_>) -> String {
    let open = |other: &&Day| other.tasks.iter().any(|task| !task.optional && !runner.state.passes(task.id));
    let mut others = week.days.iter().filter(|other| !other.later && other.number != day.number);
    match others.find(open) {
        Some(next) if next.number < day.number => {
            let command = test_command(week, next, None, runner.reference_base);
            format!("Day {} is done, Day {} is not. Next: {command}", day.number, next.number)
        }
        Some(next) => {
            format!("Day {} is done. Next: {}", day.number, test_command(week, next, None, runner.reference_base))
        }
        None => format!("Day {} is done. {}", day.number, after_week(week)),
    }
}

/// The line below a finished week.
pub fn after_week(week: &Week) -> String {
    if !week.is_whole() {
        return format!("The other days of Week {} come in a later version. Next: cargo xtask status", week.number);
    }
    format!("Next: cargo xtask generate --who you --week {} --prompt \"What is a KV cache?\"", week.number)
}

/// Why there is nothing to report.
pub fn why_nothing(rows: &[Row<'_>], libtest: &[String]) -> String {
    match rows.iter().find_map(|row| row.skipped.as_deref().filter(|why| !why.is_empty())) {
        Some(why) => format!("every test was skipped ({why})"),
        None if libtest.is_empty() => "there is no test for this".to_string(),
        None => format!("no test matches `{}`", libtest.join(" ")),
    }
}

/// One line below the messages of Cargo, and the exit code they mean; `again` is the command that was asked for.
pub fn explain(ended: &Ended, again: &str) -> Code {
    let Ended::NotCompiled(broken) = ended else {
        eprintln!("cargo stopped, and its message is above; when that is repaired: {again}");
        return Code::Environment;
    };
    let (package, target) = (&broken.package, &broken.target);
    let learners = ["week1", "week2", "week3", "extensions"].contains(&package.as_str());
    if !learners && target == CPP {
        eprintln!(
            "`{package}` is not yours to write. Where the folder target was copied from another place, this mends it: \
             cargo clean -p extensions -p solution-extensions; otherwise check the machine with: cargo xtask doctor"
        );
        return Code::Environment;
    }
    if !learners {
        eprintln!(
            "`{package}` does not compile, and it is not yours to write; check the machine with: cargo xtask doctor"
        );
        return Code::Environment;
    }
    if target.starts_with("test ") {
        eprintln!(
            "the tests do not compile against {package}: keep the names and signatures of the starter; then: {again}"
        );
    } else {
        eprintln!("{package} does not compile yet: read the first error above, repair it, then: {again}");
    }
    Code::NotCompiled
}
