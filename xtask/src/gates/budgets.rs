//! Budgets: lines of a file, lines that a learner writes in a day, seconds of a test and of a day's tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::{manifest, output, tracked_files};
use crate::grade::package::{TestProgram, executable};
use crate::grade::process;
use crate::manifest::{Manifest, TaskId};
use crate::regions::{Language, Source};
use crate::starter;
use crate::workspace::Workspace;

const LINES_OF_A_FILE: usize = 250;
const LINES_OF_A_DAY: usize = 150;
const TIME_OF_A_TEST: Duration = Duration::from_secs(2);
const TIME_OF_A_DAY: Duration = Duration::from_secs(30);

/// What is over its budget, a line each.
pub fn complaints(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let manifest = manifest(workspace)?;
    let mut complaints = long_files(workspace)?;
    complaints.extend(long_days(workspace, &manifest)?);
    for package in starter::packages(&manifest) {
        complaints.extend(slow_tests(workspace, &package)?);
    }
    Ok(complaints)
}

/// Sources, without tests: those read like a list and are as long as it is.
fn long_files(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let mut complaints = Vec::new();
    for name in tracked_files(workspace)? {
        let is_test = name.contains("/tests/") || name.contains("/wrong/") || name.ends_with("_tests.rs");
        if is_test || Language::of(Path::new(&name)).is_none() {
            continue;
        }
        let text = fs::read_to_string(workspace.root().join(&name)).with_context(|| format!("cannot read {name}"))?;
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        if lines > LINES_OF_A_FILE {
            complaints.push(format!("{name}: {lines} lines, at most {LINES_OF_A_FILE}"));
        }
    }
    Ok(complaints)
}

/// Lines in the regions of required tasks, without empty ones and comments.
fn long_days(workspace: &Workspace, manifest: &Manifest) -> anyhow::Result<Vec<String>> {
    let mut days: BTreeMap<(u8, u8), usize> = BTreeMap::new();
    for package in starter::packages(manifest) {
        for path in starter::generate(workspace, manifest, &package)?.files.into_keys() {
            let name = format!("solutions/{path}");
            let Some(language) = Language::of(Path::new(&name)) else { continue };
            let text =
                fs::read_to_string(workspace.root().join(&name)).with_context(|| format!("cannot read {name}"))?;
            let source = Source::parse(&name, language, &text)?;
            for region in &source.regions {
                let TaskId { week, day, .. } = region.task;
                if !manifest.task(&region.task.to_string())?.optional {
                    *days.entry((week, day)).or_default() += lines_of_code(&source.body(region));
                }
            }
        }
    }
    let over = days.into_iter().filter(|(_, lines)| *lines > LINES_OF_A_DAY);
    Ok(over
        .map(|((week, day), lines)| format!("day {week}.{day}: {lines} lines to write, at most {LINES_OF_A_DAY}"))
        .collect())
}

fn lines_of_code(body: &str) -> usize {
    body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// Times every test on the reference; one that is over is measured again alone, because machines have other work too.
fn slow_tests(workspace: &Workspace, package: &str) -> anyhow::Result<Vec<String>> {
    if !workspace.root().join(format!("solutions/{package}/tests/cases")).is_dir() {
        return Ok(Vec::new());
    }
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--no-run", "--color", "never", "--package", &format!("solution-{package}"), "--test", "*"]);
    let (status, text) = output(&mut cargo)?;
    if !status.success() {
        return Ok(vec![format!("the tests of solution-{package} do not build:\n{text}")]);
    }
    let mut complaints = Vec::new();
    for (target, path) in text.lines().filter_map(executable) {
        let program =
            TestProgram { path: workspace.root().join(path), folder: workspace.root().join("solutions").join(package) };
        let names = process::list(&program)?;
        let times = process::timed(&program, &names)?;
        let day: Duration = times.iter().map(|(_, time)| *time).sum();
        if day > TIME_OF_A_DAY {
            complaints.push(format!(
                "{package} {target}: {:.1} s, at most {} s",
                day.as_secs_f32(),
                TIME_OF_A_DAY.as_secs()
            ));
        }
        for (test, time) in times.into_iter().filter(|(_, time)| *time > TIME_OF_A_TEST) {
            let full: Vec<String> =
                names.iter().filter(|name| name.rsplit("::").next() == Some(test.as_str())).cloned().collect();
            let again = process::timed(&program, &full)?.into_iter().map(|(_, time)| time).min().unwrap_or(time);
            if again > TIME_OF_A_TEST {
                complaints.push(format!(
                    "{package} {target} {test}: {:.1} s, at most {} s",
                    again.as_secs_f32(),
                    TIME_OF_A_TEST.as_secs()
                ));
            }
        }
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_counts() {
        assert_eq!(lines_of_code("    use x;\n\n    // why\n    f(); // (B, V)\n"), 2);
    }
}
