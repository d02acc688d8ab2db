//! Wrong usage ends in one sentence and exit code 2; every folder of the course will do.

use super::scratch::Scratch;

#[test]
fn half_given_zero_and_unknown_selections_name_what_is_valid() {
    let course = Scratch::course_on_its_way("usage");
    for command in ["test", "copy-test"] {
        let wrong = |arguments: &[&str], sentence: &str| {
            course.xtask(&[&[command], arguments].concat()).expect(2, &format!("error: {sentence}"));
        };
        wrong(&["--day", "7"], "--day 7 needs its week too, such as --week 1 --day 7; the course has weeks 1 to 3");
        wrong(&["--week", "0", "--day", "1"], "there is no week 0: the course has weeks 1 to 3");
        wrong(&["--week", "4", "--day", "1"], "there is no week 4: the course has weeks 1 to 3");
        wrong(&["--week", "1", "--day", "0"], "there is no day 0 in week 1: it has days 1 to 7");
        wrong(&["--week", "1", "--day", "8"], "there is no day 8 in week 1: it has days 1 to 7");
        let later = "Week 3 (A small serving engine) Day 1, Continuous batching, has not been written yet";
        wrong(&["--week", "3", "--day", "1"], later);
        wrong(&["--week", "3", "--day", "9"], "there is no day 9 in week 3: it has days 1 to 3");
        wrong(
            &["--week", "-1", "--day", "1"],
            "invalid value '-1' for '--week <W>': it must be a whole number such as 1",
        );
        wrong(&["--week", "one", "--day", "1"], "invalid value 'one' for '--week <W>'");
        wrong(&["--week", "300", "--day", "1"], "invalid value '300' for '--week <W>'");
        wrong(&["--week"], "a value is required for '--week <W>'");
        wrong(&["--who", "you"], "unexpected argument '--who' found");
        wrong(&["day7"], "unexpected argument 'day7' found");
    }
    course.xtask(&["test", "--week", "2"]).expect(2, "error: Week 2 (Fast for one user) has not been written yet");
    course.xtask(&["test", "--task", "2"]).expect(2, "error: --task 2 needs its week and its day too");
    course.xtask(&["test", "--week", "1", "--task", "2"]).expect(2, "error: --task 2 needs its week and its day too");
    let seven = course.xtask(&["test", "--week", "1", "--day", "7", "--task", "7"]);
    seven.expect(2, "error: there is no task 7 in Week 1 Day 7: its tasks are 1, 2, 3, 4, 5, 6");
    course.xtask(&["test", "--base", "own"]).expect(2, "error: invalid value 'own' for '--base <ref>'");
    course.xtask(&["copy-test", "--week", "1"]).expect(2, "error: say which day");
    course.xtask(&["copy-test"]).expect(2, "error: say which day");
}

#[test]
fn options_that_would_blind_the_report_are_refused() {
    let course = Scratch::course("blind");
    for option in ["--format=json", "--list", "-q", "--color=always"] {
        let ran = course.xtask(&["test", "--week", "1", "--day", "1", "--", option]);
        ran.expect(2, &format!("error: `{option}` changes what the report is read from"));
    }
}

#[test]
fn hints_of_unknown_tasks_name_the_known_ones() {
    let course = Scratch::course("hints");
    let wrong = |id: &str, sentence: &str| {
        course.xtask(&["hint", id]).expect(2, &format!("error: {sentence}"));
    };
    wrong("top_k", "`top_k` is not a task id; ids read week.day.task, such as 1.7.2");
    wrong("1.7", "`1.7` is not a task id");
    wrong("1.1.9", "there is no task 1.1.9: its day has 1.1.1, 1.1.2, 1.1.3, 1.1.4");
    wrong("3.1.9", "there is no task 3.1.9: ");
    wrong("1.1.2", "book/src/week1-01-attention.md has no hints for task 1.1.2");
    wrong("1.7.2", "the chapter book/src/week1-07-sampling.md cannot be read");
}

#[test]
fn unknown_commands_and_flags_are_refused_and_help_lists_only_what_works() {
    let course = Scratch::course("unknown");
    course.xtask(&["tset"]).expect(2, "error: unrecognized subcommand 'tset'");
    course.xtask(&["status", "--week"]).expect(2, "error: unexpected argument '--week' found");
    course.xtask(&["update", "--force"]).expect(2, "error: unexpected argument '--force' found");
    let help = course.xtask(&["help"]);
    help.expect(0, "").says("Usage: cargo xtask [OPTIONS] [COMMAND]");
    for command in ["setup", "test", "copy-test", "hint", "status", "generate", "verify", "fetch", "law", "update"] {
        help.says(&format!("\n  {command} "));
        let own = course.xtask(&["help", command]);
        own.expect(0, "").says(&format!("cargo xtask {command}"));
    }
}

#[test]
fn every_folder_of_the_course_will_do() {
    let course = Scratch::course("folders");
    let top = course.xtask(&[]);
    top.expect(0, "").says("week1/src/basics.rs:6");
    assert_eq!(course.xtask_in("week1/src", &[]).out, top.out);
    course
        .xtask_in("book/src", &["copy-test", "--week", "1", "--day", "1"])
        .expect(0, "")
        .says("week1/tests/day1.rs is new");
    assert_eq!(course.read("week1/tests/day1.rs"), course.read("solutions/week1/tests/cases/day1.rs"));
}

#[test]
fn outside_of_any_course_the_checkout_of_the_build_answers() {
    let outside = Scratch::empty("outside");
    outside.xtask(&["test", "--week", "9"]).expect(2, "error: there is no week 9: the course has weeks 1 to 3");
}

#[test]
fn a_damaged_manifest_is_named_with_its_line() {
    let course = Scratch::course("damaged");
    course.edit("xtask/course.toml", "number = 1", "number = one");
    for arguments in [&["test", "--week", "1"][..], &["status"], &["hint", "1.1.1"], &["generate"], &[]] {
        let ran = course.xtask(arguments);
        ran.expect(2, "error: xtask/course.toml:");
    }
}
