//! One test process with a choice of bodies: in come a program and the names of tests, out comes how they ended.

use std::io::{BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::package::TestProgram;
use super::switch::{CHOICE, metal_macro};
use crate::libtest::{self, Outcome, Test};

/// A test that says nothing for this long hangs.
const HANG: Duration = Duration::from_secs(10);

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every test passed.
    Passed,
    /// This test failed first, and this is how: `failed`, `hung`, `died`.
    Rejected { test: String, how: &'static str },
}

/// The names of all tests in a program, with their modules.
pub fn list(program: &TestProgram) -> anyhow::Result<Vec<String>> {
    let output = command(program, "").args(["--list", "--format", "terse"]).output();
    let output = output.with_context(|| format!("cannot run {}", program.path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_string).collect())
}

/// Runs the tests in turn until one does not pass.
pub fn until_failure(program: &TestProgram, tests: &[String], choice: &str) -> anyhow::Result<Ended> {
    let mut running = Running::start(program, tests, choice)?;
    let hung = loop {
        match running.pieces.recv_timeout(HANG) {
            Ok(piece) => running.output.push_str(&piece),
            Err(RecvTimeoutError::Timeout) => break true,
            Err(RecvTimeoutError::Disconnected) => break false,
        }
        // The verdict is the end of a line, but the last piece may end within it.
        if running.output.contains("... FAILED\n") {
            break false;
        }
    };
    let tests = running.stop()?;
    let first = tests.into_iter().find(|test| test.outcome != Outcome::Passed);
    Ok(first.map_or(Ended::Passed, |test| {
        let how = match test.outcome {
            Outcome::Failed(_) => "failed",
            _ if hung => "hung",
            _ => "died",
        };
        Ended::Rejected { test: test.name, how }
    }))
}

/// Runs the tests and keeps every report; a test that hangs or dies is `Outcome::Cut` and the last.
pub fn all(program: &TestProgram, tests: &[String], choice: &str) -> anyhow::Result<Vec<Test>> {
    let mut running = Running::start(program, tests, choice)?;
    while let Ok(piece) = running.pieces.recv_timeout(HANG) {
        running.output.push_str(&piece);
    }
    running.stop()
}

/// Runs every test in turn and says how long each took.
pub fn timed(program: &TestProgram, tests: &[String]) -> anyhow::Result<Vec<(String, Duration)>> {
    let mut running = Running::start(program, tests, "")?;
    let mut durations = Vec::new();
    let mut began = Instant::now();
    while let Ok(piece) = running.pieces.recv_timeout(HANG) {
        running.output.push_str(&piece);
        let complete = running.output.rfind('\n').map_or("", |end| &running.output[..end]);
        let ended = complete.lines().filter(|line| line.starts_with("test ") && line.contains(" ... ")).count();
        while durations.len() < ended {
            durations.push(began.elapsed());
            began = Instant::now();
        }
    }
    let names = running.stop()?.into_iter().map(|test| test.name);
    Ok(names.zip(durations).collect())
}

struct Running {
    child: Child,
    pieces: Receiver<String>,
    output: String,
}

impl Running {
    fn start(program: &TestProgram, tests: &[String], choice: &str) -> anyhow::Result<Self> {
        let mut command = command(program, choice);
        command.args(["--exact", "--format", "pretty", "--color", "never"]).args(tests);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("cannot run {}", program.path.display()))?;
        let mut stdout = BufReader::new(child.stdout.take().context("the test program has no output")?);
        let (sender, pieces) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = stdout.read(&mut bytes) {
                let piece = String::from_utf8_lossy(&bytes[..count]).into_owned();
                if count == 0 || sender.send(piece).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, pieces, output: String::new() })
    }

    /// Ends the process and reads what it said.
    fn stop(mut self) -> anyhow::Result<Vec<Test>> {
        if self.child.try_wait().context("cannot ask for the test program")?.is_none() {
            self.child.kill().context("cannot stop the test program")?;
        }
        self.child.wait().context("cannot wait for the test program")?;
        libtest::parse(&self.output).context("the test program ran no test")
    }
}

fn command(program: &TestProgram, choice: &str) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command.env(CHOICE, choice).env("RUST_BACKTRACE", "0").env("RUST_TEST_THREADS", "1");
    command.env("METAL_HOST_DEFINES", metal_defines(choice));
    command
}

/// The choice as the macros that Metal kernels are compiled with.
fn metal_defines(choice: &str) -> String {
    let pairs = choice.split(',').filter_map(|pair| pair.split_once('='));
    let macros = pairs.filter_map(|(region, body)| Some(format!("{}={body}", metal_macro(region.parse().ok()?))));
    macros.collect::<Vec<_>>().join(",")
}
