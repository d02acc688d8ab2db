//! `cargo xtask test --watch`: a save is answered, also when the run before it has not ended; Ctrl-C ends it.
#![cfg(unix)]

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::scratch::Scratch;

const PASSES: &str = "running 1 test\ntest task_1_a ... ok\n";
const WATCH: [&str; 6] = ["test", "--watch", "--week", "1", "--day", "1"];

struct Watching {
    course: Scratch,
    child: Child,
}

impl Watching {
    /// Starts to watch on a Cargo that prints this.
    fn start(name: &str, out: &str, end: &str) -> Self {
        let course = Scratch::course(name);
        let cargo = course.fake_cargo(out, "", 0);
        course.write("fake/cargo", &course.read("fake/cargo").replace("exit 0", end));
        let log = File::create(course.root.join("log")).expect("a file");
        let mut command = course.prepared(&course.root, &WATCH);
        command.env("CARGO", &cargo).stdin(Stdio::null()).stdout(log.try_clone().expect("a file")).stderr(log);
        let child = command.spawn().expect("xtask runs");
        Self { course, child }
    }

    /// Waits until the output has the text that often, and says how long it took.
    fn wait(&self, text: &str, times: usize) -> Duration {
        let began = Instant::now();
        while self.course.read("log").matches(text).count() < times {
            assert!(began.elapsed() < Duration::from_secs(20), "no `{text}` in:\n{}", self.course.read("log"));
            std::thread::sleep(Duration::from_millis(10));
        }
        began.elapsed()
    }

    fn save(&self) {
        let text = self.course.read("week1/src/basics.rs");
        self.course.write("week1/src/basics.rs", &format!("{text}\n// A save.\n"));
    }

    /// Ctrl-C; returns the exit code and what was printed.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let signal = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(signal.expect("kill runs").success());
        let code = self.child.wait().expect("it ends").code();
        (code, self.course.read("log"))
    }
}

#[test]
fn a_save_is_tested_within_a_second() {
    let watching = Watching::start("watch", PASSES, "exit 0");
    watching.wait("Watching week1: a save tests again, Ctrl-C ends.\n", 1);
    watching.save();
    let took = watching.wait("passing 1 test", 2);
    assert!(took < Duration::from_secs(1), "{took:?}");
    watching.wait("Watching week1", 2);
    let calls = watching.course.read("fake/calls");
    assert_eq!(calls.matches("-p week1 --test day1").count(), 2, "{calls}");
    assert!(watching.course.read(".learner/state").contains("task 1.1.1 passing 1\n"));
    let (code, said) = watching.interrupt();
    assert_eq!((code, said.ends_with("\nNo longer watching. Where you are: cargo xtask\n")), (Some(0), true), "{said}");
    let time = said.lines().next().expect("a line");
    assert!(time.starts_with("── ") && time.matches(':').count() == 2, "{time}");
}

#[test]
fn a_save_ends_a_run_that_hangs_and_so_does_an_interrupt() {
    let watching = Watching::start("watch-hangs", "", "echo $$ >> \"$0.pids\"; exec sleep 300");
    let pids = |course: &Scratch| fs::read_to_string(course.root.join("fake/cargo.pids")).unwrap_or_default();
    let wait_for = |count: usize| {
        let began = Instant::now();
        while pids(&watching.course).lines().count() < count {
            assert!(began.elapsed() < Duration::from_secs(20), "{}", watching.course.read("log"));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for(1);
    watching.save();
    wait_for(2);
    let hung = pids(&watching.course);
    let (code, _) = watching.interrupt();
    assert_eq!(code, Some(0));
    for pid in hung.lines() {
        let began = Instant::now();
        let lives = || Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().expect("kill").success();
        while lives() {
            assert!(began.elapsed() < Duration::from_secs(5), "process {pid} lives on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn wrong_usage_is_said_once_and_nothing_is_watched() {
    let course = Scratch::course("watch-usage");
    course.xtask(&["test", "--watch", "--day", "1"]).expect(2, "error: --day 1 needs its week too");
    course.xtask(&["test", "--watch", "--week", "9"]).expect(2, "error: there is no week 9");
}
