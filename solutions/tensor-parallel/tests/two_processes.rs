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
fn wrong_arguments_are_refused_before_any_process_starts() {
    let refused = |arguments: &[&str], sentence: &str| {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{said}");
        assert!(said.starts_with(sentence) && said.lines().count() == 1, "{said}");
    };
    refused(&["--processes", "3"], "--processes is 3, but it must divide the model's 4 attention heads");
    refused(&["--processes", "4"], "--processes is 4, but it must divide the model's 2 heads of keys and values");
    refused(&["--prompt", ""], "--prompt is empty, but it must hold some text");
    refused(&["--max-tokens", "0"], "--max-tokens is 0, but it must be from 1 to ");
    refused(&["--max-tokens", "99999"], "--max-tokens is 99999, but it must be from 1 to ");
    refused(&["--prompt", &"word ".repeat(5000)], "--prompt is ");
    refused(&["--model", "/nowhere"], "");
}

/// What happens to one process of a group while it works.
#[cfg(target_os = "linux")]
mod disturbed {
    use std::{
        fs,
        process::{Child, Command, Stdio},
        thread,
        time::{Duration, Instant},
    };

    /// Waits until `done` says so, some seconds at most.
    fn wait_for<T>(what: &str, mut done: impl FnMut() -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = done() {
                return found;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A group at work, and the ids of its two processes.
    fn group() -> (Child, Vec<u32>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensor-parallel"));
        command.args(["--max-tokens", "400"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let starter = command.spawn().expect("the program runs");
        let list = format!("/proc/{0}/task/{0}/children", starter.id());
        let two = wait_for("two processes", || {
            let list = fs::read_to_string(&list).expect("Linux lists the children of a process");
            let children: Vec<u32> = list.split_whitespace().flat_map(str::parse).collect();
            (children.len() == 2).then_some(children)
        });
        (starter, two)
    }

    fn kill(process: u32) {
        let killed = Command::new("sh").args(["-c", &format!("kill -KILL {process}")]).status();
        assert!(killed.expect("a shell").success());
    }

    /// Gone, or dead and not yet asked for.
    fn has_ended(process: u32) -> bool {
        let state = fs::read_to_string(format!("/proc/{process}/stat"));
        state.map_or(true, |state| state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
    }

    #[test]
    fn no_process_waits_for_one_that_was_lost() {
        for lost in [0, 1] {
            let (starter, two) = group();
            kill(two[lost]);
            let output = starter.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains(" of 2 "), "{said}");
            assert!(two.iter().all(|&process| has_ended(process)), "{said}");
        }
    }

    #[test]
    fn the_processes_end_with_the_one_that_started_them() {
        for pause in [0, 1000] {
            let (mut starter, two) = group();
            thread::sleep(Duration::from_millis(pause));
            kill(starter.id());
            starter.wait().expect("it has ended");
            wait_for("the end of both processes", || two.iter().all(|&process| has_ended(process)).then_some(()));
        }
    }
}
