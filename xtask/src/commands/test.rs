//! `cargo xtask test`: copies the master tests, runs them on the learner's code or on the reference, and reports task by task.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};

use super::{overview, setup};
use crate::advice;
use crate::cargo_test;
use crate::day_run::{Code, Runner, Tally, Tested};
use crate::day_table;
use crate::gates;
use crate::manifest::{Day, Manifest, Task, Week};
use crate::selection::{self, Selection};
use crate::state::State;
use crate::terminal::Terminal;
use crate::watch;
use crate::workspace::Workspace;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    clap::Command::new("test")
        .about("Tests a week, a day or a task of yours, or the reference; without flags, the day you are at")
        .args([selection::week_flag(), selection::day_flag(), selection::task_flag()])
        .arg(flag("reference", "Test the reference solution instead; without a week, the whole course"))
        .arg(
            Arg::new("base")
                .long("base")
                .value_name("ref")
                .value_parser(["ref"])
                .help("Put the reference below your week"),
        )
        .arg(flag("watch", "Test again after every save, until Ctrl-C"))
        .arg(flag(watch::WATCHED, "Ends when the standard input does").hide(true))
        .arg(flag("backtrace", "Show the frames below a panic"))
        .arg(flag("tsan", "Look for every race of a Metal kernel, with ThreadSanitizer"))
        .arg(
            Arg::new("libtest")
                .last(true)
                .num_args(0..)
                .value_name("ARGS")
                .help("Filters and options for the test program"),
        )
        .after_help("Exit codes: 0 passed, 1 failed, 2 wrong usage or environment, 3 nothing was tested.")
}

/// The command.
pub fn run(arguments: &ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::load(workspace)?;
    let selection = Selection::of(arguments, &manifest)?;
    let mut runner = Runner {
        workspace,
        state: State::load(workspace)?,
        reference: arguments.get_flag("reference"),
        reference_base: arguments.contains_id("base"),
        backtrace: arguments.get_flag("backtrace"),
        races: arguments.get_flag("tsan"),
        libtest: arguments.get_many("libtest").into_iter().flatten().cloned().collect(),
    };
    if let Some(option) = runner.libtest.iter().find(|option| cargo_test::is_owned(option)) {
        anyhow::bail!(
            "`{option}` changes what the report is read from; use it with cargo itself: cargo test -p week1 -- {option}"
        );
    }
    if arguments.contains_id("base") && selection.is_none_or(|selection| selection.week.number == 1) {
        eprintln!("note: Week 1 stands on no other week, so --base ref changes nothing");
    }
    if arguments.get_flag(watch::WATCHED) {
        watch::end_with_standard_input();
    }
    if arguments.get_flag("watch") {
        return watch::run(workspace, &watch::folders(&manifest, selection, runner.reference), &watch::arguments());
    }
    let code = match selection {
        None if runner.reference => {
            setup::ensure(workspace)?;
            let code = whole_course(&mut runner, &manifest)?;
            if code == Code::Passed && runner.libtest.is_empty() {
                gates::tree::note_reference_passed(workspace)?;
            }
            code
        }
        None => match overview::next_task(&manifest, &runner.state) {
            Some(task) => {
                setup::ensure(workspace)?;
                if let Some(why) = overview::gap_before(&manifest, task) {
                    eprintln!("note: {why}");
                }
                one_day(&mut runner, manifest.week(task.id.week)?, manifest.day(task.id.week, task.id.day)?, None)?
            }
            None => anyhow::bail!("every task passes; say which day to test again, such as --week 1 --day 1"),
        },
        Some(Selection { week, day, task }) => {
            setup::ensure(workspace)?;
            match day {
                Some(day) => one_day(&mut runner, week, day, task)?,
                None => whole_week(&mut runner, week)?,
            }
        }
    };
    Ok(code.into())
}

fn one_day(runner: &mut Runner<'_>, week: &Week, day: &Day, only: Option<&Task>) -> anyhow::Result<Code> {
    let again = advice::test_command(week, day, only, runner.reference_base);
    let tested = match runner.day(week, day, only)? {
        Ok(tested) => tested,
        Err(stopped) => return Ok(advice::explain(&stopped, &again)),
    };
    if tested.code == Code::NothingTested {
        eprintln!("nothing was tested: {}", advice::why_nothing(&tested.rows, &runner.libtest));
        return Ok(tested.code);
    }
    show(week, day, &tested, runner.workspace);
    show_failure(&tested, runner.workspace);
    if runner.reference {
        println!("{}", sum(tested.tally));
    } else {
        println!("{}", advice::next(week, day, only, &tested.rows, runner));
    }
    Ok(tested.code)
}

/// Every day of a week, a table each; stops where the code does not compile.
fn whole_week(runner: &mut Runner<'_>, week: &Week) -> anyhow::Result<Code> {
    let (code, tally) = days_of(runner, week)?;
    if runner.reference && code < Code::NotCompiled {
        println!("{}", sum(tally));
    }
    Ok(code)
}

fn days_of(runner: &mut Runner<'_>, week: &Week) -> anyhow::Result<(Code, Tally)> {
    let days: Vec<&Day> = week.days.iter().filter(|day| !day.later).collect();
    let again = advice::week_command(week, runner.reference_base);
    if let Err(stopped) = runner.build(week, &days)? {
        return Ok((advice::explain(&stopped, &again), Tally::default()));
    }
    let (mut worst, mut total) = (Code::NothingTested, Tally::default());
    // The day to go on with: the first with something to repair, else the first with something to write.
    let mut first_open: Option<(&Day, Tested<'_>)> = None;
    let (mut done, mut tasks) = (0, 0);
    for day in days {
        let tested = match runner.day(week, day, None)? {
            Ok(tested) => tested,
            Err(stopped) => return Ok((advice::explain(&stopped, &again), total)),
        };
        worst = worst.max(tested.code);
        total = Tally { passed: total.passed + tested.tally.passed, failed: total.failed + tested.tally.failed };
        if tested.code == Code::NothingTested {
            continue;
        }
        show(week, day, &tested, runner.workspace);
        println!();
        let required = || tested.rows.iter().filter(|row| row.task.is_some() && row.is_required());
        tasks += required().count();
        done += required().filter(|row| !row.fails()).count();
        let comes_first = |kept: &Tested<'_>| tested.has_real_failure() && !kept.has_real_failure();
        if tested.code == Code::Failed && first_open.as_ref().is_none_or(|(_, kept)| comes_first(kept)) {
            first_open = Some((day, tested));
        }
    }
    match &first_open {
        _ if worst == Code::NothingTested => {
            eprintln!("nothing was tested: {}", advice::why_nothing(&[], &runner.libtest))
        }
        Some((_, tested)) if runner.reference => show_failure(tested, runner.workspace),
        Some((day, tested)) => {
            show_failure(tested, runner.workspace);
            println!("Week {}: {done} of {tasks} tasks pass.", week.number);
            println!("{}", advice::next(week, day, None, &tested.rows, runner));
        }
        None if runner.reference => {}
        None if !runner.libtest.is_empty() => println!("The chosen tests pass. Next: {again}"),
        None => println!("Week {}: {done} of {tasks} tasks pass. {}", week.number, advice::after_week(week)),
    }
    Ok((worst, total))
}

/// Every week on the reference, then the packages that are no week.
fn whole_course(runner: &mut Runner<'_>, manifest: &Manifest) -> anyhow::Result<Code> {
    let (mut worst, mut total) = (Code::NothingTested, Tally::default());
    for week in manifest.weeks.iter().filter(|week| !week.later) {
        let (code, tally) = days_of(runner, week)?;
        worst = worst.max(code);
        total = Tally { passed: total.passed + tally.passed, failed: total.failed + tally.failed };
        if worst >= Code::NotCompiled {
            return Ok(worst);
        }
    }
    println!("Beside the weeks");
    for package in packages_beside_the_weeks(manifest) {
        match runner.package(&package)? {
            Ok(tally) => {
                println!("  {package:24} {}", sum(tally));
                worst = worst.max(if tally.failed > 0 { Code::Failed } else { Code::Passed });
                total = Tally { passed: total.passed + tally.passed, failed: total.failed + tally.failed };
            }
            Err(stopped) => return Ok(advice::explain(&stopped, "cargo xtask test --reference")),
        }
    }
    println!("{}", sum(total));
    Ok(worst)
}

/// The packages whose tests belong to the course, but to no day: `solution-extensions`, `solution-law`, `kit`, and on Linux
/// `metal-host`, which runs nowhere else.
fn packages_beside_the_weeks(manifest: &Manifest) -> Vec<String> {
    let is_week = |package: &str| manifest.weeks.iter().any(|week| week.package == package);
    let mut packages: Vec<String> = manifest
        .tasks()
        .filter(|task| !is_week(&task.package))
        .map(|task| format!("solution-{}", task.package))
        .collect();
    packages.dedup();
    packages.extend(["solution-law", "kit"].map(str::to_string));
    packages.extend(cfg!(target_os = "linux").then(|| "metal-host".to_string()));
    packages
}

fn show(week: &Week, day: &Day, tested: &Tested<'_>, workspace: &Workspace) {
    print!("{}", day_table::table(week, day, &tested.rows, Terminal::stdout(), workspace.root()));
}

fn show_failure(tested: &Tested<'_>, workspace: &Workspace) {
    let (terminal, root) = (Terminal::stdout(), workspace.root());
    if let Some(failure) = day_table::first_failure(&tested.rows, tested.died.as_deref(), terminal, root) {
        println!("\n{failure}");
    }
}

fn sum(tally: Tally) -> String {
    format!("{} passed, {} failed", tally.passed, tally.failed)
}
