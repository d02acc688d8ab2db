//! Two processes answer as one does.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tensor-parallel")).args(arguments).output().expect("the program runs")
}

fn tokens(processes: &str, prompt: &str) -> String {
    let output = run(&["--processes", processes, "--max-tokens", "20", "--prompt", prompt]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn two_processes_make_the_tokens_of_one() {
    for prompt in ["What is a KV cache?", "Call me Ishmael.", "fn main() {"] {
        let one = tokens("1", prompt);
        assert!(one.starts_with('[') && one.split(',').count() > 5, "{one}");
        assert_eq!(tokens("2", prompt), one, "after {prompt:?}");
    }
}

#[test]
fn heads_that_cannot_be_shared_out_are_refused() {
    let output = run(&["--processes", "3"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("--processes is 3, but it must divide the model's 4 attention heads"), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn no_process_waits_for_one_that_failed() {
    let output = run(&["--model", "/nowhere"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("of 2 failed"), "{said}");
}
