//! `bench` with engines that only pretend: turns, one setting of threads, a judge, and what is refused.
#![cfg(unix)]

use kit::{
    Checkpoint, Engine, Error, Result,
    front_end::{Console, Load, Program, run},
};
use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// A program for sh that is ready with `ready` and answers a question as `answers` says.
fn engine(folder: &Path, name: &str, ready: &str, answers: &str) -> String {
    let path: PathBuf = folder.join(name);
    let script = format!(
        "#!/bin/sh\necho '{ready}'\nwhile read -r question rest; do\ncase $question in\n{answers}\nesac\ndone\n"
    );
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("an executable");
    format!("{name}={}", path.display())
}

/// The answer to `trial`, with its last token taken from the environment.
fn trial(seconds: &str, last: &str) -> String {
    format!(
        "trial) echo '{{\"prompt_tokens\":8,\"prefill_seconds\":{seconds},\"decode_seconds\":{seconds},\
         \"tokens\":[1,2,'{last}'],\"peak_resident_bytes\":9000000}}';;\nceiling) echo null;;"
    )
}

fn bench(arguments: &[&str]) -> (u8, String, String) {
    let program = Program { who: "ref", week: 2, load: Load::Whole(no_engine) };
    let (mut out, mut err, stop) = (Vec::new(), Vec::new(), AtomicBool::new(false));
    let all = [&["program", "bench", "--trials=5", "--prompt-tokens=8", "--new-tokens=3"], arguments].concat();
    let code = run(all, program, &mut Console { out: &mut out, err: &mut err, stop: &stop });
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (code, text(out), text(err))
}

fn no_engine(_: &Checkpoint) -> Result<Box<dyn Engine>> {
    Err(Error::Other("no engine is asked for here".into()))
}

#[test]
fn engines_take_turns_and_the_course_s_own_judges() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let judging = format!("{}\njudge) echo '{{\"best_ids\":2,\"worst_gap\":0.031}}';;", trial("0.5", "3"));
    let own = engine(folder.path(), "own", "{\"week\":2}", &judging);
    // Its last token is the number of threads that it was given.
    let ready = "{\"versions\":{\"other\":\"1.0\"}}";
    let other = engine(folder.path(), "other", ready, &trial("0.25", "\"$TINY_LLM_THREADS\""));
    let ledger = folder.path().join("new/ledger.jsonl");
    let (ledger_argument, absent) = (format!("--ledger={}", ledger.display()), "--absent=gone=it is not here");
    let (code, out, err) =
        bench(&["--engine", &own, "--engine", &other, absent, "--threads=4", &ledger_argument, "--commit=abc"]);
    assert_eq!(code, 0, "{err}");
    let lines: Vec<String> = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines[2].starts_with("own 16.0 ± 0.0 1.00x 4.0 ± 0.0 1.00x 9 MB "), "{out}");
    assert!(lines[3].starts_with("other 32.0 ± 0.0 2.00x 8.0 ± 0.0 2.00x 9 MB "), "{out}");
    assert!(lines[3].ends_with("same for 2 of 3, all within 0.03σ of own's best"), "{out}");
    assert_eq!(lines[4], "gone it is not here");
    let line: serde_json::Value =
        serde_json::from_str(fs::read_to_string(&ledger).expect("the ledger").trim()).expect("a line of JSON");
    assert_eq!(
        (line["kind"].as_str(), line["threads"].as_u64(), line["commit"].as_str()),
        (Some("engines"), Some(4), Some("abc"))
    );
    assert_eq!(line["engines"][1]["figures"]["tokens"], serde_json::json!([1, 2, 4]));
    assert_eq!(line["engines"][1]["ready"]["versions"]["other"], "1.0");
    assert_eq!(line["engines"][0]["trials"].as_array().map(Vec::len), Some(5));
    assert_eq!(line["absent"][0]["who"], "gone");
    assert!(line["machine"]["arch"].is_string());
}

#[test]
fn an_engine_that_changes_its_answer_or_ends_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let changing =
        engine(folder.path(), "changing", "{}", &format!("trial) n=$((n + 1))\n{}", &trial("1", "\"$n\"")[6..]));
    let (code, _, err) = bench(&["--engine", &changing]);
    assert_eq!(
        (code, err.lines().last()),
        (2, Some("changing gave another answer to the same prompt; its times say nothing"))
    );
    let ending = engine(folder.path(), "ending", "{}", "trial) echo 'no memory' >&2; exit 1;;");
    let (code, _, err) = bench(&["--engine", &ending]);
    assert_eq!((code, err.lines().last()), (2, Some("ending has ended at a trial: no memory")));
}

#[test]
fn an_engine_that_does_not_start_leaves_the_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let refusing = folder.path().join("refusing");
    fs::write(&refusing, "#!/bin/sh\necho 'not implemented: task 2.1.1' >&2\nexit 1\n").expect("a script");
    fs::set_permissions(&refusing, Permissions::from_mode(0o755)).expect("an executable");
    let refusing = format!("refusing={}", refusing.display());
    let fine = engine(folder.path(), "fine", "{}", &trial("1", "3"));
    let (code, out, err) = bench(&["--engine", &refusing, "--engine", &fine]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("refusing not implemented: task 2.1.1\n"), "{out}");
    let (code, _, err) = bench(&["--engine", &fine, "--threads=0"]);
    assert_eq!((code, err.contains("--threads") && err.contains("1 to 256")), (2, true), "{err}");
}
