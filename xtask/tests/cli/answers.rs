//! What a learner does with answers: look at the reference, compare with it, start a day again.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::scratch::{ATTENTION, BASICS, Ran, SAMPLER, Scratch};

const LINEAR: &str = "    // mine: }\n    let y = x * w;\n    Ok(y)\n";
const REFERENCE: &str = "    // One product.\n    Ok(x * w)\n";
const LINEAR_STUB: &str = "    kit::stub!(\"1.1.1\", x, w)\n";

/// A course with a reference, in which `linear` and `top_k` are written.
fn course(name: &str) -> Scratch {
    let course = Scratch::course_on_its_way(name);
    for (file, starter) in [("basics", BASICS), ("attention", ATTENTION), ("sampler", SAMPLER)] {
        course.write(&format!("solutions/week1/src/{file}.rs"), &reference(starter));
    }
    course.write("solutions/week1/src/lib.rs", &course.read("week1/src/lib.rs"));
    course.write("solutions/extensions/src/unary.cpp", UNARY);
    course.write("extensions/src/unary.cpp", &UNARY.replace(LOOP, STUB).replace("solutions/", ""));
    course.edit("week1/src/basics.rs", LINEAR_STUB, LINEAR);
    course.edit("week1/src/sampler.rs", "    kit::stub!(\"1.7.2\", x, k)\n", "    Ok(x * k as f32)\n");
    course
}

const LOOP: &str = "  // SOLUTION 1.7.6 x\n  loop(x);\n  // END SOLUTION\n";
const STUB: &str =
    "  throw std::runtime_error(\"not implemented: task 1.7.6, exp_elements (extensions/src/unary.cpp:2)\");\n";
const UNARY: &str = "void exp_elements(float* x) {\n  // SOLUTION 1.7.6 x\n  loop(x);\n  // END SOLUTION\n}\n";

/// The starter with a region in place of each stub.
fn reference(starter: &str) -> String {
    let mut text = String::new();
    for line in starter.split_inclusive('\n') {
        match line.split_once("kit::stub!(\"") {
            Some((indent, call)) => {
                let (id, arguments) = call.trim_end().trim_end_matches(')').split_once("\", ").expect("a stub");
                let body = if id == "1.1.1" { REFERENCE.trim_start() } else { "Ok(reference())\n" };
                let body = body.replace("\n    ", &format!("\n{indent}"));
                text += &format!("{indent}// SOLUTION {id} {arguments}\n{indent}{body}{indent}// END SOLUTION\n");
            }
            None => text.push_str(line),
        }
    }
    text
}

#[test]
fn the_reference_is_shown_after_a_pass_or_on_demand() {
    let course = course("solution");
    let hidden = course.xtask(&["solution", "1.1.1"]);
    hidden.expect(1, "1.1.1 was never tested; first:\n  cargo xtask test --week 1 --day 1 --task 1\nor see");
    assert!(hidden.out.is_empty() && hidden.err.contains("cargo xtask solution 1.1.1 --spoil"), "{}", hidden.err);
    course.write(".learner/state", "task 1.1.1 failing 1 of 2\n");
    course.xtask(&["diff", "1.1.1"]).expect(1, "1.1.1 does not pass yet (failing 1 of 2); first:");
    let spoiled = course.xtask(&["solution", "1.1.1", "--spoil"]);
    let shown = format!(
        "1.1.1 linear\n\nsolutions/week1/src/basics.rs:6\npub fn linear(x: f32, w: f32) -> Result<f32> {{\n{REFERENCE}}}\n\n"
    );
    spoiled.expect(0, "").says(&format!("{shown}Beside yours: cargo xtask diff 1.1.1\n"));
    course.write(".learner/state", "task 1.1.1 passing 2\n");
    let passed = course.xtask_in("week1/src", &["solution", "1.1.1"]);
    passed.expect(0, "").says(&shown);
    let method = course.xtask(&["solution", "1.1.4", "--spoil"]);
    method.expect(0, "").says("\npub fn forward(&self, x: f32) -> Result<f32> {\n    Ok(reference())\n}\n");
    method.says("Your turn: cargo xtask hint 1.1.4");
    course.xtask(&["solution", "1.7.6", "--spoil"]).says("void exp_elements(float* x) {\n  loop(x);\n}\n");
    assert_eq!(course.read(".learner/state"), "task 1.1.1 passing 2\n", "nothing is forgotten and nothing written");
}

#[test]
fn yours_and_the_references_stand_line_by_line() {
    let course = course("diff");
    course.write(".learner/state", "task 1.1.1 passing 2\n");
    let shown = course.xtask(&["diff", "1.1.1"]);
    shown.expect(0, "").says(
        "--- week1/src/basics.rs:6 (yours)\n+++ solutions/week1/src/basics.rs:6 (reference)\n \
         pub fn linear(x: f32, w: f32) -> Result<f32> {\n-    // mine: }\n-    let y = x * w;\n-    Ok(y)\n\
         +    // One product.\n+    Ok(x * w)\n }\n",
    );
    let coloured = course.xtask(&["diff", "1.1.1", "--color", "always"]);
    coloured.expect(0, "").says("\x1b[31m-    Ok(y)\x1b[0m\n").says("\x1b[32m+    Ok(x * w)\x1b[0m\n");
    assert!(!coloured.out.contains("\x1b]8"), "no links in a pipe");
    course
        .xtask(&["diff", "1.1.2", "--spoil"])
        .expect(0, "")
        .says("`softmax` is still the stub at week1/src/basics.rs:");
    course
        .xtask(&["diff", "1.7.6", "--spoil"])
        .expect(0, "")
        .says("`exp_elements` is still the stub at extensions/src/");
    course.edit("week1/src/basics.rs", LINEAR, REFERENCE);
    course.xtask(&["diff", "1.1.1"]).expect(0, "").says("`linear` is the same, letter by letter.");
    course.edit("week1/src/basics.rs", "fn linear", "fn lines");
    let gone = course.xtask(&["diff", "1.1.1"]);
    gone.expect(0, "").says("`linear` is not in week1/src/basics.rs, or a brace is open there.");
}

#[test]
fn wrong_ids_are_sentences() {
    let course = course("ids");
    for command in ["solution", "diff"] {
        course.xtask(&[command]).expect(2, "error: the following required arguments were not provided");
        course.xtask(&[command, "top_k"]).expect(2, "error: `top_k` is not a task id");
        course.xtask(&[command, "1.1.9"]).expect(2, "error: there is no task 1.1.9: its day has 1.1.1");
        course.xtask(&[command, "2.1.1"]).expect(2, "error: there is no task 2.1.1: week 2 comes in a later version");
        course.xtask(&[command, "1.3.1", "--spoil"]).expect(2, "error: solutions/week1/src/mask.rs has no region");
    }
}

const RESET: [&str; 5] = ["reset", "--week", "1", "--day", "1"];
const YES: [&str; 6] = ["reset", "--week", "1", "--day", "1", "--yes"];

#[test]
fn a_day_goes_back_to_its_stubs_after_a_backup() {
    let course = course("reset");
    course.write(".learner/state", "task 1.1.1 passing 2\ntask 1.7.2 passing 4\nhint 1.1.1 2\nhint 1.7.2 1\n");
    course.edit("week1/src/basics.rs", "//! Projections.", "//! My projections.");
    let mine = course.read("week1/src/basics.rs");

    let refused = course.xtask(&RESET);
    refused.expect(
        2,
        "error: nothing was reset, because nobody can be asked here; to reset without a question, add --yes",
    );
    refused.says("What goes:\n  1.1.1 linear, 3 lines  week1/src/basics.rs:6\nEverything else in these files stays.\n");
    assert_eq!(course.read("week1/src/basics.rs"), mine);

    let ran = course.xtask_in("week1/src", &YES);
    ran.expect(0, "").says("The stubs are back. Next: cargo xtask test --week 1 --day 1\n");
    let kept = ran.out.lines().find_map(|line| line.strip_prefix("Kept: ")).expect("a backup");
    assert_eq!(course.read(kept), mine);
    assert_eq!(course.read("week1/src/basics.rs"), BASICS.replace("//! Projections.", "//! My projections."));
    assert!(course.read("week1/src/sampler.rs").contains("Ok(x * k as f32)"), "another day stays");
    let state = course.read(".learner/state");
    assert!(state.contains("task 1.7.2 passing 4\n") && state.contains("hint 1.7.2 1\n"), "{state}");
    assert!(!state.contains(" 1.1.1 "), "{state}");
    course.xtask(&YES).expect(0, "").says("There is nothing to reset");
}

#[test]
fn a_task_alone_goes_back_and_so_does_a_kernel() {
    let course = course("reset-task");
    course.edit("week1/src/basics.rs", "    kit::stub!(\"1.1.2\", x)\n", "    Ok(x.to_vec())\n");
    course.xtask(&[&YES[..], &["--task", "2"]].concat()).expect(0, "").says("1.1.2 softmax, 1 line ");
    assert!(course.read("week1/src/basics.rs").contains(LINEAR), "the other task of the file stays");
    course.edit("extensions/src/unary.cpp", STUB, "  mine(x);\n");
    let kernel = ["reset", "--week", "1", "--day", "7", "--task", "6", "--yes"];
    course
        .xtask(&kernel)
        .expect(0, "")
        .says("extensions/src/unary.cpp changes as a whole: the whole file goes back, 3 lines");
    assert_eq!(course.read("extensions/src/unary.cpp"), UNARY.replace(LOOP, STUB));
    course.edit("week1/src/basics.rs", "Ok(y)\n}", "Ok(y)\n");
    let torn = course.xtask(&[&YES[..], &["--task", "1"]].concat());
    torn.expect(2, "error: week1/src/basics.rs cannot be read: a brace, a quote or a comment is open");
    course.xtask(&YES).expect(0, "").says("the whole file goes back");
    assert_eq!(course.read("week1/src/basics.rs"), BASICS);
}

#[test]
fn wrong_selections_are_sentences() {
    let course = Scratch::course_on_its_way("reset-usage");
    course.xtask(&["reset"]).expect(2, "error: say which day, such as: cargo xtask reset --week 1 --day 1");
    course.xtask(&["reset", "--week", "1", "--yes"]).expect(2, "error: say which day");
    course.xtask(&["reset", "--day", "1"]).expect(2, "error: --day 1 needs its week too");
    course.xtask(&["reset", "--week", "1", "--day", "9"]).expect(2, "error: there is no day 9 in week 1");
    course.xtask(&["reset", "--week", "2", "--day", "1"]).expect(2, "error: Week 2 (Fast for one user) Day 1");
    course.xtask(&[&YES[..], &["--task", "9"]].concat()).expect(2, "error: there is no task 9 in Week 1 Day 1");
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_terminal_the_answer_decides() {
    let course = course("reset-asks");
    let asked = |answer: &str| {
        let program = format!("printf '{answer}' | '{}' {}", "script", "-qec \"$XTASK\" /dev/null");
        let mut shell = Command::new("sh");
        shell.args(["-c", &program]).current_dir(&course.root);
        shell.env("XTASK", format!("{} {}", env!("CARGO_BIN_EXE_xtask"), RESET.join(" "))).env("TERM", "dumb");
        Ran::from(shell.stdin(Stdio::null()).output().expect("a shell runs"))
    };
    if Command::new("script").arg("--version").output().is_err() {
        return;
    }
    let mine = course.read("week1/src/basics.rs");
    asked("no\\n").says("Put the stubs back? A backup is kept. [y/N]").says("Nothing was changed.");
    assert_eq!(course.read("week1/src/basics.rs"), mine);
    asked("y\\n").says("The stubs are back.");
    assert_eq!(course.read("week1/src/basics.rs"), BASICS);
}

/// Killed at any moment, a file is the old one or the new one, and the old one is in the backup before it goes.
#[test]
fn a_reset_that_is_killed_loses_nothing() {
    for delay in 0..20 {
        let course = course("killed");
        course.edit("week1/src/attention.rs", "    kit::stub!(\"1.1.3\", q)\n", "    Ok(q)\n");
        let before = ["week1/src/basics.rs", "week1/src/attention.rs"].map(|path| (path, course.read(path)));
        let mut command = course.prepared(&course.root, &YES);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("xtask runs");
        std::thread::sleep(Duration::from_micros(delay * 700));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        for ((path, old), new) in before.iter().zip([BASICS, ATTENTION]) {
            let now = course.read(path);
            assert!(now == *old || now == new, "{path} after {delay}:\n{now}");
            let folders = std::fs::read_dir(course.root.join(".learner/backup")).into_iter().flatten().flatten();
            let kept = folders.map(|folder| std::fs::read_to_string(folder.path().join(path)).unwrap_or_default());
            assert!(now == *old || kept.into_iter().any(|text| text == *old), "{path} has no backup after {delay}");
        }
    }
}

#[test]
fn check_runs_the_program_that_compares() {
    let course = course("check");
    let cargo = course.fake_cargo("", "", 0);
    let ran = course.xtask_with_cargo(&cargo, &["check", "--week", "1", "--day", "7", "--task", "2", "--seed", "5"]);
    ran.expect(0, "");
    let calls = course.read("fake/calls");
    let run = "run --quiet -p solution-check -- --week 1 --day 7 --task 2 --cases 32 --seed 5\n";
    assert!(calls.contains("build -p solution-check\n") && calls.ends_with(run), "{calls}");
    course.xtask(&["check"]).expect(2, "error: say which day, such as: cargo xtask check --week 1 --day 1");
    course.xtask(&["check", "--week", "1"]).expect(2, "error: say which day");
    course.xtask(&["check", "--week", "1", "--day", "8"]).expect(2, "error: there is no day 8 in week 1");
    course
        .xtask(&["check", "--week", "1", "--day", "1", "--cases", "0"])
        .expect(2, "error: invalid value '0' for '--cases");
    course
        .xtask(&["check", "--week", "1", "--day", "1", "--seed", "x"])
        .expect(2, "error: invalid value 'x' for '--seed");
}
