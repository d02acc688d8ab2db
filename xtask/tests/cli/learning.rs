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
    let last = "Hint 3: the plan\nTranspose, then multiply.\n\nThat was the last of 3 hints. The chapter: book/src/week1-01-attention.md#task-111-linear\n\
                The answer, if you want it: cargo xtask solution 1.1.1 --spoil\n";
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
fn the_way_over_days_that_are_not_written_says_so() {
    let course = Scratch::course_on_its_way("gap");
    let manifest = course.read("xtask/course.toml");
    let ids = manifest.lines().filter_map(|line| line.strip_prefix("id = \"1.")).map(|id| id.trim_end_matches('"'));
    course.write(".learner/state", &ids.map(|id| format!("task 1.{id} passing 1\n")).collect::<String>());
    let overview = course.xtask(&[]);
    overview.expect(0, "").says("Week 3 · Day 3 · Speculative decoding");
    let words = overview.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Week 2 and Week 3 Days 1 to 2 come in a later version of the course."), "{words}");
    course.xtask(&["status"]).expect(0, "").says("Week 3  –       –").says("– later");
    let later = course.xtask(&["test", "--week", "3", "--day", "2"]);
    later.expect(2, "error: Week 3 (A small serving engine) Day 2, Chunked prefill, has not been written yet");
    assert!(later.err.contains("Written so far: Week 1, Week 3 Day 3"), "{}", later.err);
    course.xtask(&["hint", "3.2.1"]).expect(2, "error: there is no task 3.2.1: day 3.2 comes in a later version");
    course
        .xtask(&["generate", "--week", "3"])
        .expect(2, "error: Week 3 (A small serving engine) is not written in full");
}

#[test]
fn overview_and_status_follow_the_last_results() {
    let course = Scratch::course_on_its_way("overview");
    let all = course.required_tasks();
    let lines = "task 1.1.1 passing 2\ntask 1.1.2 failing 1 of 3\ntask 1.1.3 blocked by 1.1.2, 1 of 2 pass\ntask 1.1.4 blocked by 1.1.2\ntask 1.7.6 passing 1\n";
    course.write(".learner/state", lines);
    let overview = course.xtask(&[]);
    overview
        .expect(0, "")
        .says(&format!("Week 1 · Day 1 · Attention  1 of {all} tasks pass"))
        .says("1.1.2 softmax (failing 1 of 3)");
    overview
        .says("week1/src/basics.rs:11")
        .says("week1-01-attention.md#task-112-softmax")
        .says("Next: cargo xtask hint 1.1.2");
    let status = course.xtask(&["status"]);
    status.expect(0, "").says("Week 1  ●◐◔○").says("(●)").says("Week 2  not written yet");
    status.says(&format!("1 of {all} tasks pass, 1 fail"));
}

#[test]
fn forty_columns_are_enough() {
    let course = Scratch::course_on_its_way("narrow");
    course.write(".learner/state", "task 1.1.1 passing 2\ntask 1.1.2 passing 2\n");
    for arguments in [&[][..], &["status"], &["hint", "1.1.1"], &["hint", "1.1.1", "--all"]] {
        let mut command = course.prepared(&course.root, arguments);
        let ran = super::scratch::Ran::from(command.env("COLUMNS", "40").output().expect("xtask runs"));
        ran.expect(0, "");
        // Paths and commands stay in one piece: a terminal folds them, and they can still be copied.
        let words = |line: &&str| !line.contains("book/src/") && !line.contains("cargo xtask ");
        let long: Vec<&str> = ran.out.lines().filter(words).filter(|line| line.chars().count() > 40).collect();
        assert!(long.is_empty(), "{arguments:?}: {long:?}\n{}", ran.out);
    }
    let mut command = course.prepared(&course.root, &["status"]);
    let list = super::scratch::Ran::from(command.env("COLUMNS", "40").output().expect("xtask runs"));
    list.says("Week 1\n  Day 1  ●●○○\n  Day 2  ○○○\n").says("Week 2  not written yet\n");
}

#[test]
fn a_state_of_another_version_is_kept_and_an_unreadable_one_is_named() {
    let course = Scratch::course("state");
    course.write(".learner/state", "best decode 41.5\n");
    course.xtask(&["hint", "1.1.1"]).expect(0, "");
    assert!(course.read(".learner/state").contains("best decode 41.5\n"));
    std::fs::write(course.root.join(".learner/state"), b"\xff\xfe\ntask 1.1.1 passing 2\n")
        .expect("bytes that are no text");
    course.xtask(&[]).expect(0, "").says(&format!("1 of {} tasks pass", course.required_tasks()));
    std::fs::remove_file(course.root.join(".learner/state")).expect("it is there");
    std::fs::create_dir(course.root.join(".learner/state")).expect("a folder");
    let ran = course.xtask(&["status"]);
    ran.expect(2, "error: ");
    assert!(ran.err.contains("state cannot be read; it holds no answer and may be deleted: "), "{}", ran.err);
}
