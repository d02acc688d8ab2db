//! `cargo xtask test`: on a small course that real Cargo builds, and on outputs that a real day rarely has.
#![cfg(unix)]

use super::scratch::{Ran, Scratch};

/// A course whose two packages compile in a second: the real stub macro, and an error type with the same sentence.
fn buildable(name: &str) -> Scratch {
    let course = Scratch::course(name);
    let members = "members = [\"kit\", \"week1\", \"solutions/week1\"]\nresolver = \"3\"\n";
    course.write("Cargo.toml", &format!("[workspace]\n{members}[profile.dev]\ndebug = false\n"));
    let package = |name: &str, kit: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{kit}")
    };
    course.write("kit/Cargo.toml", &package("kit", ""));
    course.write("week1/Cargo.toml", &package("week1", "kit = { path = \"../kit\" }\n"));
    course.write("solutions/week1/Cargo.toml", &package("solution-week1", "kit = { path = \"../../kit\" }\n"));
    course.write("kit/src/lib.rs", KIT);
    course.write("kit/src/stub.rs", include_str!("../../../kit/src/stub.rs"));
    for file in ["lib.rs", "basics.rs", "attention.rs", "sampler.rs"] {
        course.write(&format!("solutions/week1/src/{file}"), &solved(&course.read(&format!("week1/src/{file}"))));
    }
    let shim = "extern crate solution_week1 as week1;\n#[path = \"cases/day1.rs\"]\nmod cases;\n";
    course.write("solutions/week1/tests/day1.rs", shim);
    course
}

const KIT: &str = "pub mod stub;\npub type Result<T> = std::result::Result<T, Error>;\npub enum Error { NotImplemented { task: String, item: String, at: String } }\n\
impl std::fmt::Debug for Error {\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n        \
let Error::NotImplemented { task, item, at } = self;\n        write!(f, \"not implemented: task {task}, {item} ({at})\")\n    }\n}\n";

fn solved(starter: &str) -> String {
    let answers = [
        ("kit::stub!(\"1.1.1\", x, w)", "Ok(x * w)"),
        ("kit::stub!(\"1.1.2\", x)", "Ok(x.iter().map(|_| 1.0 / x.len() as f32).collect())"),
        ("kit::stub!(\"1.1.3\", q)", "Ok(q)"),
        ("kit::stub!(\"1.1.4\", self, x)", "Ok(x)"),
    ];
    answers.iter().fold(starter.to_string(), |text, (stub, answer)| text.replace(stub, answer))
}

const DAY: [&str; 5] = ["test", "--week", "1", "--day", "1"];

#[test]
fn a_day_goes_from_not_started_to_done() {
    let course = buildable("day");
    let untouched = course.xtask(&DAY);
    untouched.says(
        "\
Week 1 · Day 1 · Attention                        book/src/week1-01-attention.md
  1.1.1 linear                        not started       week1/src/basics.rs:7
  1.1.2 softmax                       not started       week1/src/basics.rs:12
  1.1.3 scaled dot-product attention  blocked by 1.1.1
  1.1.4 multi-head attention          not started
        week1/src/attention.rs:16
1.1.1 is to be written at week1/src/basics.rs:7.
Next: cargo xtask hint 1.1.1
",
    );
    assert_eq!((untouched.code, untouched.err.contains("panicked")), (1, false));
    assert!(course.read(".learner/state").contains("task 1.1.3 blocked by 1.1.1\n"));

    course.edit("week1/src/basics.rs", "    kit::stub!(\"1.1.1\", x, w)", "    Ok(x + w)");
    let wrong = course.xtask(&DAY);
    wrong.says("  1.1.1 linear                        failing 2 of 2  week1/src/basics.rs:6\n");
    wrong.says("\n1.1.1 task_1_keeps_zero  week1/tests/day1.rs:12\n  assertion `left == right` failed\n    left: 2.0\n   right: 0.0\n");
    wrong.says("Next: cargo xtask hint 1.1.1\n");
    assert!(
        wrong.code == 1 && !wrong.out.contains("RUST_BACKTRACE") && !wrong.out.contains("stack backtrace"),
        "{}",
        wrong.out
    );

    course.write("week1/src/basics.rs", &course.read("solutions/week1/src/basics.rs"));
    let task = course.xtask(&[&DAY[..], &["--task", "1"]].concat());
    task.expect(0, "").says("passing 2 tests").says("1.1.1 passes. Next: cargo xtask test --week 1 --day 1");
    course.write("week1/src/attention.rs", &course.read("solutions/week1/src/attention.rs"));
    let done = course.xtask(&DAY);
    done.expect(0, "").says("  1.1.4 multi-head attention          passing 1 test\n");
    done.says("Day 1 is done. Next: cargo xtask test --week 1 --day 2\n");
    course.xtask(&["status"]).says("Week 1  ●●●●");
    // Alone, `test` goes to the day of the next task, whose tests this course lacks.
    course.xtask(&["test"]).expect(2, "error: the tests at ");
}

#[test]
fn the_reference_passes_and_is_counted() {
    let course = buildable("reference");
    let ran = course.xtask(&[&DAY[..], &["--reference"]].concat());
    ran.expect(0, "").says("passing 2 tests");
    assert!(ran.out.ends_with("\n5 passed, 0 failed\n"), "{}", ran.out);
    assert!(!course.root.join("week1/tests").exists(), "the reference needs no copies");
    course.edit("solutions/week1/src/basics.rs", "Ok(x * w)", "Ok(x)");
    let broken = course.xtask(&[&DAY[..], &["--reference"]].concat());
    broken.says("solutions/week1/src/basics.rs:6").says("1.1.1 task_1_");
    assert!(broken.code == 1 && broken.out.ends_with("\n3 passed, 2 failed\n"), "{}", broken.out);
}

#[test]
fn filters_that_match_nothing_are_no_pass() {
    let course = buildable("filters");
    course.write("week1/src/basics.rs", &course.read("solutions/week1/src/basics.rs"));
    let none = course.xtask(&[&DAY[..], &["--", "no_such_test"]].concat());
    none.expect(3, "nothing was tested: no test matches `no_such_test`\n");
    let some = course.xtask(&[&DAY[..], &["--", "keeps_zero"]].concat());
    some.expect(0, "").says("  1.1.1 linear  passing 1 test\n");
    assert!(!some.out.contains("1.1.2") && !course.read(".learner/state").contains("task "), "{}", some.out);
    course.write("solutions/week1/tests/cases/day1.rs", "#[test]\n#[ignore = \"needs a Mac\"]\nfn task_1_metal() {}\n");
    let skipped = course.xtask(&DAY);
    skipped.expect(3, "nothing was tested: every test was skipped (needs a Mac)\n");
}

#[test]
fn code_that_does_not_compile_shows_the_compilers_words() {
    let course = buildable("compile");
    course.edit("week1/src/basics.rs", "    kit::stub!(\"1.1.1\", x, w)", "    Ok(\"text\")");
    let ran = course.xtask(&DAY);
    ran.expect(1, "error[E0308]: mismatched types");
    let line =
        "week1 does not compile yet: read the first error above, repair it, then: cargo xtask test --week 1 --day 1\n";
    assert!(ran.err.ends_with(line) && ran.out.is_empty(), "{}{}", ran.out, ran.err);
    course.edit(
        "week1/src/basics.rs",
        "pub fn linear(x: f32, w: f32) -> Result<f32> {\n    Ok(\"text\")",
        "pub fn linear() -> Result<f32> {\n    Ok(1.0)",
    );
    let ran = course.xtask(&DAY);
    assert!(
        ran.code == 1 && ran.err.contains("the tests do not compile against week1: keep the names and signatures"),
        "{}",
        ran.err
    );
}

#[test]
fn a_changed_copy_is_backed_up_named_and_replaced() {
    let course = buildable("changed");
    course.write("week1/tests/day1.rs", "//! Mine.\n");
    let ran = course.xtask(&DAY);
    ran.expect(1, "week1/tests/day1.rs had changes of yours; they are kept in .learner/backup/");
    let kept = ran.err.split("kept in ").nth(1).and_then(|rest| rest.split(',').next()).expect("a path");
    assert_eq!(course.read(kept), "//! Mine.\n");
    course.edit("solutions/week1/tests/cases/day1.rs", "6.0", "6.5");
    course.xtask(&DAY).expect(1, "");
    assert!(course.read("week1/tests/day1.rs").contains("6.5"));
}

/// A day on a Cargo that prints this.
pub fn printed(name: &str, out: &str, err: &str, code: i32, more: &[&str]) -> Ran {
    let course = Scratch::course(name);
    let cargo = course.fake_cargo(out, err, code);
    course.xtask_with_cargo(&cargo, &[&DAY[..], more].concat())
}

#[test]
fn a_test_program_that_dies_fails_the_test_it_was_in() {
    let out = "running 3 tests\ntest task_1_a ... ok\ntest task_2_b ... ";
    let err = "error: test failed, to rerun pass `-p week1 --test day1`\n\nCaused by:\n  process didn't exit successfully: `day1` (signal: 11, SIGSEGV: invalid memory reference)\n";
    let ran = printed("dies", out, err, 101, &[]);
    ran.expect(1, "").says("1.1.2 softmax                       failing 1 of 1");
    ran.says("the test program ended inside this test (signal 11, SIGSEGV: invalid memory reference)");
}

#[test]
fn cpp_that_does_not_compile_shows_the_compilers_words_alone() {
    let err = "error: failed to run custom build command for `extensions v0.1.0 (/course/extensions)`\n\nCaused by:\n  \
               process didn't exit successfully: `build-script-build` (exit status: 1)\n  --- stderr\n\n  \
               rope.cpp:30:9: error: no\n     30 |   return y;\n  The C++ does not compile. The first one is to be read.\n\
               warning: build failed, waiting for other jobs to finish...\n";
    let ran = printed("cpp", "", err, 101, &["--base", "ref"]);
    let note = "note: Week 1 stands on no other week, so --base ref changes nothing\n";
    let said = "rope.cpp:30:9: error: no\n   30 |   return y;\n";
    let again = "extensions does not compile yet: read the first error above, repair it, then: cargo xtask test --week 1 \
                 --day 1 --base ref\n";
    assert_eq!((ran.code, ran.err), (1, format!("{note}{said}{again}")));
    let reference = err.replace("`extensions v", "`solution-extensions v");
    let ran = printed("cpp-of-the-reference", "", &reference, 101, &[]);
    assert!(ran.code == 2 && ran.err.contains("cargo clean -p extensions -p solution-extensions"), "{}", ran.err);
}

#[test]
fn a_ladder_that_is_half_written_says_which_steps_pass() {
    let stub = "Error: not implemented: task 1.1.1, linear_fast (week1/src/basics.rs:9)";
    let report = |name: &str| format!("---- {name} stdout ----\n{stub}\n\n");
    let out = format!(
        "running 3 tests\ntest task_1_one ... FAILED\ntest task_1_step_1_naive ... ok\n\
         test task_1_step_2_two_streams ... FAILED\n\nfailures:\n\n{}{}\nfailures:\n",
        report("task_1_one"),
        report("task_1_step_2_two_streams")
    );
    let ran = printed("ladder", &out, "", 101, &[]);
    ran.expect(1, "").says(
        "partly written, 1 of 3 pass\n        week1/src/basics.rs:9\n        step 1, naive        passing\n        step 2, two \
         streams  not started\n",
    );
    ran.says(
        "Step 2 of 1.1.1, two streams, is to be written at week1/src/basics.rs:9.\nNext: cargo xtask hint 1.1.1\n",
    );
}

#[test]
fn cargo_that_cannot_run_is_an_environment_error() {
    let ran = printed("stopped", "", "error: failed to select a version for `mlx-rs`\n", 101, &[]);
    ran.expect(2, "error: failed to select a version for `mlx-rs`\ncargo stopped, and its message is above;");
}

#[test]
fn long_messages_end_before_the_screen_does() {
    let message: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let out = format!(
        "running 1 test\ntest task_1_a ... FAILED\n\nfailures:\n\n---- task_1_a stdout ----\n{message}\n\nfailures:\n    task_1_a\n"
    );
    let ran = printed("long", &out, "", 101, &[]);
    ran.expect(1, "").says("  line 16\n  … 44 more lines: add `-- --nocapture` to read them\n");
    assert!(ran.out.lines().count() < 30, "{}", ran.out);
    let all = printed("echo", &out, "", 101, &["--", "--nocapture"]);
    all.says("\nline 60\n");
}

#[test]
fn an_optional_task_runs_when_asked_for_and_never_fails_the_day() {
    let course = Scratch::course("optional");
    course.write("solutions/extensions/tests/cases/practice.rs", "//! Practice.\n");
    let week = "running 2 tests\ntest task_1_a ... ok\ntest task_6_exp ... FAILED\n";
    let cargo = course.fake_cargo(week, "", 101);
    let day = course.xtask_with_cargo(&cargo, &["test", "--week", "1", "--day", "7"]);
    day.says("1.7.6 practice kernels exp, sin, cos  failing 1 of 1 (optional)");
    let calls = course.read("fake/calls");
    assert!(calls.contains("-p week1 --test day7") && !calls.contains("-p extensions"), "{calls}");
    let task = course.xtask_with_cargo(&cargo, &["test", "--week", "1", "--day", "7", "--task", "6"]);
    assert_eq!(task.code, 1);
    assert!(course.read("fake/calls").contains("-p extensions --test practice"));
}

#[test]
fn an_optional_task_runs_with_the_day_from_its_first_line_on_and_blocks_nothing() {
    let course = Scratch::course("begun");
    let law = "//! Law.\npub fn distribution_from_logits(x: f32) -> f32 {\n    // SOLUTION 1.7.5 x\n    x\n    // END SOLUTION\n}\n";
    let stub =
        "//! Law.\npub fn distribution_from_logits(x: f32) -> f32 {\n    kit::stub!(\"1.7.5\", x)\n}\n".to_string();
    course.write("solutions/week1/src/law.rs", law);
    course.write("solutions/week1/tests/cases/law.rs", "//! Law.\n");
    course.write("week1/src/law.rs", &stub);
    course.write(".learner/state", "task 1.7.5 passing 3\n");
    let out = "running 2 tests\ntest task_1_a ... ok\ntest end_law ... FAILED\n\nfailures:\n\n---- end_law stdout ----\n\
               Error: not implemented: task 1.7.5, week1::law::distribution_from_logits (week1/src/law.rs:3)\n\nfailures:\n";
    let cargo = course.fake_cargo(out, "", 101);
    let day = ["test", "--week", "1", "--day", "7"];
    let before = course.xtask_with_cargo(&cargo, &day);
    before.expect(0, "").says("1.7.5 the temper-first law            optional\n");
    assert!(!before.out.contains("1.7.end") && !before.out.contains("blocked"), "{}", before.out);
    assert!(!course.read("fake/calls").contains("--test law"), "{}", course.read("fake/calls"));
    assert!(!course.read(".learner/state").contains("1.7.5"), "a stub passes nothing");
    course.write("week1/src/law.rs", &stub.replace("kit::stub!(\"1.7.5\", x)", "2.0 * x"));
    let begun = course.xtask_with_cargo(&cargo, &day);
    begun.expect(0, "").says("  1.7.5 the temper-first law            partly written, 1 of 2 pass (optional)");
    assert!(course.read("fake/calls").contains("-p week1 --test law"), "{}", course.read("fake/calls"));
}

#[test]
fn the_table_keeps_to_the_width_of_the_terminal() {
    let course = Scratch::course("width");
    let out = "running 1 test\ntest task_3_a ... FAILED\n\nfailures:\n\n---- task_3_a stdout ----\nError: shapes\n";
    let cargo = course.fake_cargo(out, "", 101);
    for columns in ["40", "60", "80", "120"] {
        let mut command = course.prepared(&course.root, &DAY);
        let ran: Ran = command.env("CARGO", &cargo).env("COLUMNS", columns).output().expect("xtask runs").into();
        let widest = ran.out.lines().map(|line| line.chars().count()).max().expect("lines");
        assert!(widest <= columns.parse().expect("a number"), "{columns}:\n{}", ran.out);
        assert!(!ran.out.contains('\x1b'), "no colours in a pipe");
    }
}
