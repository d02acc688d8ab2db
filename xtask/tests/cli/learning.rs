//! The commands around the tests: overview, status, hint, copy-test, and what they remember.

use super::scratch::{DAY1, Scratch};

const CHECK: [&str; 5] = ["copy-test", "--week", "1", "--day", "1"];
const FORCE: [&str; 6] = ["copy-test", "--week", "1", "--day", "1", "--force"];

#[test]
fn hints_come_one_by_one_and_are_remembered() {
    let course = Scratch::course("hint");
    let first = course.xtask(&["hint", "1.1.1"]);
    first.expect(0, "").says("1.1.1 linear\nHint 1: where to look\nThe last axis.\n\n2 more, the same command again: cargo xtask hint 1.1.1\n");
    course.xtask(&["hint"]).expect(0, "").says("Hint 2: which tools\n`matmul`.");
    let last = "Hint 3: the plan\nTranspose, then multiply.\n\nThat was the last of 3 hints. The chapter: book/src/week1-01-attention.md#task-111-linear\n";
    course.xtask(&["hint", "1.1.1"]).expect(0, "").says(last);
    course.xtask(&["hint", "1.1.1"]).expect(0, "").says(last);
    let all = course.xtask(&["hint", "1.1.1", "--all"]);
    all.expect(0, "").says("The last axis.").says("`matmul`.").says("Transpose");
    assert!(course.read(".learner/state").contains("\nhint 1.1.1 3\n"));
}

#[test]
fn a_copy_follows_its_master_until_the_learner_changes_it() {
    let course = Scratch::course("copies");
    course.xtask(&CHECK).expect(0, "").says("week1/tests/day1.rs is new");
    course.xtask(&CHECK).expect(0, "").says("is up to date");
    course.edit("solutions/week1/tests/cases/day1.rs", "6.0", "7.0");
    course.xtask(&CHECK).expect(0, "").says("has the newer tests now");
    course.write("week1/tests/day1.rs", "//! Mine.\n");
    course.xtask(&CHECK).expect(0, "").says("has changes of yours and stays; to replace it, add --force");
    assert_eq!(course.read("week1/tests/day1.rs"), "//! Mine.\n");
    let forced = course.xtask(&FORCE);
    forced.expect(0, "").says("week1/tests/day1.rs is the course's again; your version is kept in .learner/backup/");
    let kept = forced.out.trim_end().rsplit(' ').next().expect("a path");
    assert_eq!(course.read(kept), "//! Mine.\n");
    assert_eq!(course.read("week1/tests/day1.rs"), DAY1.replace("6.0", "7.0"));
}

#[test]
fn a_copy_from_before_the_state_was_kept_counts_as_changed() {
    let course = Scratch::course("stateless");
    course.write("week1/tests/day1.rs", &DAY1.replace("6.0", "5.0"));
    course.xtask(&CHECK).expect(0, "").says("has changes of yours and stays");
    course.write("week1/tests/day1.rs", DAY1);
    course.xtask(&CHECK).expect(0, "").says("is up to date");
}

#[test]
fn missing_tests_are_a_sentence() {
    let course = Scratch::course("missing");
    course.xtask(&["copy-test", "--week", "1", "--day", "2"]).expect(2, "error: the tests at ");
}

#[test]
fn overview_and_status_follow_the_last_results() {
    let course = Scratch::course("overview");
    let lines = "task 1.1.1 passing 2\ntask 1.1.2 failing 1 of 3\ntask 1.1.3 blocked by 1.1.2, 1 of 2 pass\ntask 1.1.4 blocked by 1.1.2\ntask 1.7.6 passing 1\n";
    course.write(".learner/state", lines);
    let overview = course.xtask(&[]);
    overview.expect(0, "").says("Week 1 · Day 1 · Attention  1 of ").says("1.1.2 softmax (failing 1 of 3)");
    overview
        .says("week1/src/basics.rs:11")
        .says("week1-01-attention.md#task-112-softmax")
        .says("Next: cargo xtask hint 1.1.2");
    let status = course.xtask(&["status"]);
    status.expect(0, "").says("Week 1  ●◐◔○").says("(●)").says("Week 2  ○○○○○");
    status.says("1 of ").says(" tasks pass, 1 fail");
}

#[test]
fn a_state_of_another_version_is_kept_and_an_unreadable_one_is_named() {
    let course = Scratch::course("state");
    course.write(".learner/state", "best decode 41.5\n");
    course.xtask(&["hint", "1.1.1"]).expect(0, "");
    assert!(course.read(".learner/state").contains("best decode 41.5\n"));
    std::fs::write(course.root.join(".learner/state"), b"\xff\xfe\ntask 1.1.1 passing 2\n")
        .expect("bytes that are no text");
    course.xtask(&[]).expect(0, "").says("1 of ").says(" tasks pass");
    std::fs::remove_file(course.root.join(".learner/state")).expect("it is there");
    std::fs::create_dir(course.root.join(".learner/state")).expect("a folder");
    let ran = course.xtask(&["status"]);
    ran.expect(2, "error: ");
    assert!(ran.err.contains("state cannot be read; it holds no answer and may be deleted: "), "{}", ran.err);
}
