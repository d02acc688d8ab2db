//! `cargo xtask doctor`: what this machine has, what it lacks, and from which day on that matters.

use std::process::{Command, ExitCode};

use anyhow::bail;
use clap::{Arg, ArgAction};

use crate::chapter_hints::wrapped;
use crate::commands::overview;
use crate::manifest::Manifest;
use crate::state::State;
use crate::terminal::{Ink, Terminal};
use crate::workspace::Workspace;
use check::{Check, Verdict};

pub mod apple_tools;
pub mod build_tools;
pub mod check;
mod course;
pub mod kernel_tools;
mod machine;
pub mod nvidia;

/// Name, arguments and help.
pub fn spec() -> clap::Command {
    clap::Command::new("doctor")
        .about("Says what this machine has and lacks, from which day on that matters, and how to mend it")
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object instead of the table"))
}

/// The command; exit code 2 only when the learner's next day cannot run.
pub fn run(arguments: &clap::ArgMatches, workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let next = next_day(workspace)?;
    let mut checks = before_setup_checks(workspace);
    checks.extend([machine::memory(), machine::cpu(), course::mlx(workspace)]);
    if cfg!(target_os = "linux") {
        checks.extend(nvidia::checks(&apple_tools::ask, nvidia::has_card(), workspace));
    }
    checks.extend(kernel_tools::all());
    checks.extend([course::weights(), course::book()]);
    let missing = checks.iter().filter(|check| check.verdict(next) == Verdict::Missing).count();
    let code = if missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) };
    let (week, day) = next;
    if arguments.get_flag("json") {
        let checks: Vec<_> = checks.iter().map(|check| format!("    {}", check.json(next))).collect();
        let ready = missing == 0;
        println!(
            "{{\n  \"next_day\": \"{week}.{day}\",\n  \"ready\": {ready},\n  \"checks\": [\n{}\n  ]\n}}",
            checks.join(",\n")
        );
        return Ok(code);
    }
    let terminal = Terminal::stdout();
    println!("{}", terminal.paint(Ink::Strong, &format!("This machine, seen from week {week} day {day}")));
    for check in &checks {
        println!("{}", check.line(next, terminal));
    }
    let so = match missing {
        0 => format!("Week {week} day {day} can run. Next: cargo xtask test --week {week} --day {day}"),
        1 => format!("Week {week} day {day} cannot run before the line with ✗ is mended. Then: cargo xtask doctor"),
        n => {
            format!("Week {week} day {day} cannot run before the {n} lines with ✗ are mended. Then: cargo xtask doctor")
        }
    };
    println!("{}", wrapped(&so, terminal.width));
    Ok(code)
}

/// What setup relies on; the first thing that is missing is the error.
pub fn before_setup(workspace: &Workspace) -> anyhow::Result<()> {
    match before_setup_checks(workspace).into_iter().find(|check| check.verdict((1, 1)) == Verdict::Missing) {
        Some(Check { found, fix, .. }) => bail!("{found}; {fix}"),
        None => Ok(()),
    }
}

fn before_setup_checks(workspace: &Workspace) -> Vec<Check> {
    vec![
        build_tools::rust(workspace),
        machine::platform(),
        machine::c_library(),
        build_tools::cxx(),
        build_tools::pip(workspace),
        machine::disk(workspace),
    ]
}

/// Week and day of the next task; the first day's when there is none left.
fn next_day(workspace: &Workspace) -> anyhow::Result<(u8, u8)> {
    let (manifest, state) = (Manifest::load(workspace)?, State::load(workspace)?);
    Ok(overview::next_task(&manifest, &state).map_or((1, 1), |task| (task.id.week, task.id.day)))
}

/// The first line that a program prints, when it runs and succeeds.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_string())
}

/// The first run of digits and dots in a text as a version, `3.27.4`.
fn version_in(text: &str) -> Option<(u32, u32)> {
    let word =
        text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'))?;
    let mut numbers = word.split(['.', '-']).map_while(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_read_from_what_programs_print() {
        assert_eq!(version_in("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), Some((1, 95)));
        assert_eq!(version_in("cmake version 3.25.1"), Some((3, 25)));
        assert_eq!(version_in("glibc 2.36"), Some((2, 36)));
        assert_eq!(version_in("rustc 1.97.0-nightly"), Some((1, 97)));
        assert_eq!(version_in("nothing"), None);
    }
}
