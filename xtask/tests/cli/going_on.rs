//! What `cargo xtask test` shows first and names next, where stubs, real failures and passes are mixed.
#![cfg(unix)]

use super::scratch::Scratch;
use super::testing::printed;

/// A test that failed with this report, as libtest prints both.
fn failed(name: &str, report: &str) -> [String; 2] {
    [format!("test {name} ... FAILED\n"), format!("---- {name} stdout ----\n{report}\n\n")]
}

fn program(passed: &[&str], failures: &[[String; 2]]) -> String {
    let passed: String = passed.iter().map(|name| format!("test {name} ... ok\n")).collect();
    let verdicts: String = failures.iter().map(|[verdict, _]| verdict.as_str()).collect();
    let reports: String = failures.iter().map(|[_, report]| report.as_str()).collect();
    format!("running 9 tests\n{passed}{verdicts}\nfailures:\n\n{reports}\nfailures:\n")
}

#[test]
fn a_stub_of_another_task_blocks_and_hides_no_real_failure() {
    let other = "Error: not implemented: task 1.5.3, week1::model::load (week1/src/model.rs:33)";
    let own = "Error: not implemented: task 1.1.1, week1::basics::linear (week1/src/basics.rs:7)";
    let real = "thread 'task_3_c' (7) panicked at week1/tests/day1.rs:31:5:\nkept {1, 3}";
    let stubs = [failed("task_1_b", own), failed("task_2_b", other)];
    let out = program(&["task_1_a", "task_2_a", "task_3_a"], &stubs);
    let ran = printed("blocked", &out, "", 101, &[]);
    ran.expect(1, "").says("partly written, 1 of 2 pass").says("blocked by 1.5.3, 1 of 2 pass\n");
    ran.says("1.1.1 is partly written: its stub is left at week1/src/basics.rs:7.\nNext: cargo xtask hint 1.1.1\n");
    assert!(!ran.out.contains("failing") && !ran.out.contains("task_"), "{}", ran.out);

    let ran = printed("waits", &program(&["task_1_a", "task_2_a"], &stubs[1..]), "", 101, &[]);
    ran.expect(1, "").says(
        "1.1.2 is blocked by 1.5.3, which is to be written at week1/src/model.rs:33.\nNext: cargo xtask hint 1.5.3\n",
    );

    let [blocked, broken] = [failed("task_3_b", other), failed("task_3_c", real)];
    let out = program(&["task_1_a"], &[failed("task_2_b", other), blocked, broken]);
    let ran = printed("real", &out, "", 101, &[]);
    ran.expect(1, "").says("blocked by 1.5.3\n").says("failing 2 of 2");
    ran.says("\n1.1.3 task_3_c  week1/tests/day1.rs:31\n  kept {1, 3}\nand 1 more failing test of this task: task_3_b\n\nNext: cargo xtask hint 1.1.3\n");
}

#[test]
fn after_a_day_comes_the_first_that_is_open() {
    let course = Scratch::course("order");
    let cargo = course.fake_cargo("running 1 test\ntest task_1_a ... ok\n", "", 0);
    let day_7 = ["test", "--week", "1", "--day", "7"];
    let state: String = (1..=4).map(|task| format!("task 1.1.{task} passing 1\n")).collect();
    course.write(".learner/state", &state);
    let ran = course.xtask_with_cargo(&cargo, &day_7);
    ran.says("Day 7 is done, Day 2 is not. Next: cargo xtask test --week 1 --day 2\n");
    let some = course.xtask_with_cargo(&cargo, &[&day_7[..], &["--", "task_1"]].concat());
    some.expect(0, "").says("The chosen tests pass. Next: cargo xtask test --week 1 --day 7\n");
}

#[test]
fn a_message_that_was_not_captured_is_above() {
    let out = "running 1 test\ntest task_1_a ... FAILED\n\nfailures:\n\nfailures:\n    task_1_a\n";
    let ran = printed("uncaptured", out, "kept {1, 3}\n", 101, &["--", "--nocapture"]);
    ran.expect(1, "kept {1, 3}\n").says("1.1.1 task_1_a\n  what it printed is above, among the output of the tests;");
}
