//! Where a failure is in the course's own files: in goes the report of a failed test with its backtraces, out comes the
//! report without them and, for a panic inside a library, with the innermost line of the course as its place.

use std::path::Path;

use crate::libtest::{Outcome, Test};

/// A test that ran in `folder`, the package's own, below the repository at `root`; with `frames` the backtraces stay.
pub fn of_test(test: Test, root: &Path, folder: &str, frames: bool) -> Test {
    let outcome = match test.outcome {
        Outcome::Failed(report) => Outcome::Failed(told(&report, root, folder, frames)),
        other => other,
    };
    Test { outcome, ..test }
}

fn told(report: &str, root: &Path, folder: &str, frames: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The line that says where the panic was, while no frame of the course has been seen below it.
    let mut foreign = None;
    let mut in_frames = false;
    for line in report.lines() {
        if line.trim_end() == "stack backtrace:" {
            in_frames = true;
            lines.extend(frames.then(|| line.to_string()));
        } else if in_frames && is_of_backtrace(line) {
            let frame = line.trim_start().strip_prefix("at ").and_then(|place| of_course(place, root, folder));
            if let (Some(place), Some((at, before))) = (&frame, &foreign) {
                lines[*at] = format!("{before} panicked at {place}:");
                foreign = None;
            }
            lines.extend(frames.then(|| line.to_string()));
        } else {
            in_frames = false;
            if let Some((before, place)) = line.split_once(" panicked at ").filter(|_| line.starts_with("thread '")) {
                foreign = Path::new(place).is_absolute().then(|| (lines.len(), before.to_string()));
            }
            lines.push(line.to_string());
        }
    }
    lines.join("\n").trim_end().to_string()
}

/// `  12: week1::basics::linear`, `             at ./src/basics.rs:20:5`, or what is said about left out frames.
fn is_of_backtrace(line: &str) -> bool {
    let text = line.trim_start();
    let numbered = text.split_once(": ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let indented = text.len() < line.len();
    indented && (numbered || text.starts_with("at ") || text.starts_with("[... omitted"))
        || line.starts_with("note: Some details are omitted")
}

/// The place of a frame below the repository, where it is in a week or in kernels: `week1/src/basics.rs:20:5`. What runs
/// the kernels (`extensions/metal-host`) is a library like others.
fn of_course(place: &str, root: &Path, folder: &str) -> Option<String> {
    // Rust writes paths from the folder the program runs in.
    let below = match place.strip_prefix("./") {
        Some(inside) => format!("{folder}/{inside}"),
        None => Path::new(place).strip_prefix(root).map_or(place.to_string(), |below| below.display().to_string()),
    };
    let of_learners = ["week", "extensions/", "solutions/week", "solutions/extensions/"];
    let is_learners = of_learners.iter().any(|start| below.starts_with(start));
    (is_learners && !below.starts_with("extensions/metal-host/")).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str =
        "thread 'task_1_a' (7) panicked at /home/me/.cargo/registry/src/mlx-rs-0.33.0/src/array/mod.rs:312:30:
called `Result::unwrap()` on an `Err` value: DtypeMismatch
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/0a/library/std/src/panicking.rs:698:5
   1: mlx_rs::array::Array::item_exact
   2: kit::testing::values
             at /course/kit/src/testing/mod.rs:9:5
   3: week1::basics::linear
             at ./src/basics.rs:20:5
   4: day1::task_1_a
             at ./tests/day1.rs:7:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
";

    #[test]
    fn a_panic_in_a_library_is_told_by_the_line_that_called_it() {
        let own = "thread 'task_1_a' (7) panicked at week1/src/basics.rs:20:5:\ncalled `Result::unwrap()` on an `Err` value: DtypeMismatch";
        assert_eq!(told(REPORT, Path::new("/course"), "week1", false), own);
        let absolute = REPORT.replace("./src/", "/course/week1/src/");
        assert!(told(REPORT, Path::new("/course"), "week1", true).contains("\n   3: week1::basics::linear\n"));
        assert_eq!(told(&absolute, Path::new("/course"), "solutions/week1", false), own);
    }

    #[test]
    fn what_runs_the_kernels_is_not_the_learners_own() {
        let root = Path::new("/course");
        let place = |file: &str| of_course(&format!("/course/{file}:1:2"), root, "week2");
        assert_eq!(place("extensions/src/axpby.rs").as_deref(), Some("extensions/src/axpby.rs:1:2"));
        assert_eq!(place("extensions/metal-host/src/run/mod.rs"), None);
    }

    #[test]
    fn a_panic_of_the_course_keeps_its_place_and_a_message_its_lines() {
        let own = REPORT.replace("/home/me/.cargo/registry/src/mlx-rs-0.33.0/src/array/mod.rs", "week1/tests/day1.rs");
        let kept = told(&own, Path::new("/course"), "week1", false);
        assert!(kept.starts_with("thread 'task_1_a' (7) panicked at week1/tests/day1.rs:312:30:\n"), "{kept}");
        let listed = "Error: rows\n   0: 1.5\n   at 2";
        assert_eq!(told(listed, Path::new("/course"), "week1", false), listed);
    }
}
