//! `batch` around an engine that needs no model: the lines of a file, answers as they end, and what Ctrl-C and errors leave.

use kit::{
    BatchEvent, BatchSettings, Checkpoint, Detokenizer, Engine, Error, Generation, Request, Result,
    front_end::{Console, Load, Program, run},
};
use mlx_rs::Array;
use pretty_assertions::assert_eq;
use std::{
    cell::RefCell,
    io::Write,
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

thread_local! {
    /// The seeds of the last batch.
    static SEEDS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// The text in slot n has 2n + 1 tokens, x, y, z and so on; nobody follows it into the slot. In step 4 it fails.
struct Chorus;

impl Engine for Chorus {
    fn logits(&self, _: &Array) -> Result<Array> {
        Err(Error::Mlx("no logits here".into()))
    }
    fn generate(&self, _: &Request, _: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Result<Generation> {
        Err(Error::Mlx("no single voice here".into()))
    }
    fn detokenizer<'a>(&self, _: &'a dyn Fn(u32) -> Result<Vec<u8>>) -> Result<Box<dyn Detokenizer + 'a>> {
        Err(Error::Mlx("no text here".into()))
    }
    fn batch(
        &self,
        requests: &[Request],
        settings: BatchSettings<'_>,
        _: &dyn Fn(u32) -> Result<Vec<u8>>,
        report: &mut dyn FnMut(BatchEvent) -> ControlFlow<()>,
    ) -> Result<()> {
        SEEDS.set(requests.iter().map(|request| request.sampling.seed).collect());
        let last = |request: &usize| 2 * request + 1;
        let seated: Vec<usize> = (0..requests.len().min(settings.slots)).collect();
        for step in 1..=seated.iter().map(last).max().unwrap_or(0) {
            if step == 4 {
                return Err(Error::Mlx("the roof has come down".into()));
            }
            for request in seated.iter().copied().filter(|request| last(request) >= step) {
                let text = ["x", "y", "z"][step - 1].to_string();
                let mut told = vec![BatchEvent::Token { request, text }];
                if last(&request) == step {
                    told.push(BatchEvent::Finished { request, reason: "it is over".into() });
                }
                if told.into_iter().any(|event| report(event).is_break()) {
                    return Ok(());
                }
            }
            let (running, waiting) = (seated.len(), requests.len() - seated.len());
            if report(BatchEvent::Step { running, waiting, held_bytes: 0, pages: None }).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn chorus(_: &Checkpoint) -> Result<Box<dyn Engine>> {
    Ok(Box::new(Chorus))
}

/// Takes what is written, and presses Ctrl-C when it is `enough`.
struct Listener<'a> {
    heard: Vec<u8>,
    enough: &'a str,
    stop: &'a AtomicBool,
}

impl Write for Listener<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.heard.extend(bytes);
        if !self.enough.is_empty() && String::from_utf8_lossy(&self.heard).contains(self.enough) {
            self.stop.store(true, Ordering::SeqCst);
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Exit code, stdout and stderr of `batch` on a file of these bytes. Ctrl-C comes once `enough` is on stdout.
fn batch(prompts: &[u8], flags: &[&str], enough: &str) -> (u8, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("prompts.txt");
    std::fs::write(&file, prompts).expect("a file");
    batch_of(&file, flags, enough)
}

fn batch_of(file: &Path, flags: &[&str], enough: &str) -> (u8, String, String) {
    kit::mlx::use_cpu();
    let stop = AtomicBool::new(false);
    let (mut out, mut err) = (Listener { heard: Vec::new(), enough, stop: &stop }, Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, stop: &stop };
    let line = [&["program", "batch", file.to_str().expect("a path in UTF-8")], flags].concat();
    let program = Program { who: "you", week: 3, load: Load::Whole(chorus) };
    let code = run(line.into_iter().map(String::from), program, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(out.heard), text(err))
}

#[test]
fn answers_and_blank_lines_are_named_by_the_lines_of_the_file() {
    let (code, out, err) = batch(b"\xef\xbb\xbfOne\r\n\n \t\r\nTwo\n\n", &["--seed", "7"], "");
    assert_eq!((code, out.as_str()), (0, "1: x\n4: xyz\n"), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(
        lines[..2],
        ["[blank, and left out: lines 2, 3, 5]", "[1: it is over; 1 tokens, the first in step 1, the last in step 1]"]
    );
    assert_eq!(lines[4], "[4: it is over; 3 tokens, the first in step 1, the last in step 3]");
    assert!(
        lines[6].starts_with("[2 requests, 4 tokens in 3 steps; ") && lines[6].ends_with("; you, week 3]"),
        "{err}"
    );
    assert_eq!(SEEDS.take(), [7, 10]);
    let many = format!("{}One", "\n".repeat(20));
    let (_, out, err) = batch(many.as_bytes(), &[], "");
    assert_eq!(
        (out.as_str(), err.lines().next()),
        ("21: x\n", Some("[blank, and left out: lines 1, 2, 3, 4, 5, 6, 7, 8 and 12 more]"))
    );
    let (_, _, err) = batch(b"\nOne", &[], "");
    assert!(err.starts_with("[blank, and left out: line 1]\n"), "{err}");
}

#[test]
fn what_is_no_prompt_is_refused_by_its_line() {
    let refused = |prompts: &[u8], sentence: &str| {
        let (code, out, err) = batch(prompts, &[], "");
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(err.trim_end().ends_with(sentence), "{err}");
    };
    refused(b"One\nTwo\nDr\xfcben\n", "prompts.txt is not UTF-8 at its byte 3; save the file as UTF-8");
    assert!(batch(b"One\nTwo\nDr\xfcben\n", &[], "").2.starts_with("line 3 of "));
    // UTF-16, as some editors save it.
    refused(b"\xff\xfeO\0n\0e\0", "prompts.txt is not UTF-8 at its byte 1; save the file as UTF-8");
    refused(b"", "prompts.txt holds no prompt; write one into each line");
    refused(b"\n \n", "prompts.txt holds no prompt; write one into each line");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let refused = |flags: &[&str], sentence: &str| {
        assert_eq!(batch(b"One\n", flags, ""), (2, String::new(), format!("{sentence}\n")));
    };
    refused(&["--slots", "0"], "--slots is 0, but it must be from 1 to 1024");
    refused(&["--slots", "1025"], "--slots is 1025, but it must be from 1 to 1024");
    refused(
        &["--slots", &usize::MAX.to_string()],
        &format!("--slots is {}, but it must be from 1 to 1024", usize::MAX),
    );
    refused(&["--max-tokens", "0"], "--max-tokens is 0, but it must be at least 1");
    refused(&["--step-tokens", "0"], "--step-tokens is 0, but it must be at least 1");
    refused(&["--pages", "0"], "--pages is 0, but it must be at least 1");
    assert_eq!(batch(b"One\n", &["--slots", "1024"], "").0, 0);
}

#[test]
fn ctrl_c_keeps_what_is_finished_and_what_is_half_written() {
    // It comes in the middle of a step, of which everyone else still hears.
    let (code, out, err) = batch(b"One\n\nTwo\nThree\nFour\n", &["--slots", "2"], "1: x");
    assert_eq!((code, out.as_str()), (130, "1: x\n3: x\n"), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(
        lines[2..5],
        [
            "step 1: 2 run, 2 wait",
            "[3: cut off by Ctrl-C; 1 tokens, the first in step 1, the last in step 1]",
            "[without an answer: lines 4, 5]"
        ]
    );
    assert!(lines[5].starts_with("[1 of 4 requests, 2 tokens in 1 steps; "), "{err}");
}

#[test]
fn an_error_keeps_what_is_finished_and_what_is_half_written() {
    let (code, out, err) = batch(b"One\nTwo\nThree\nFour\n", &["--slots", "3"], "");
    assert_eq!((code, out.as_str()), (1, "1: x\n2: xyz\n3: xyz\n"), "{err}");
    let last: Vec<&str> = err.lines().rev().take(2).collect();
    assert_eq!(last[1], "[3: cut off by an error; 3 tokens, the first in step 1, the last in step 3]");
    assert!(last[0].contains("the roof has come down"), "{err}");
    // Who has not begun is not counted: the error says it all.
    assert!(!err.contains("without an answer"), "{err}");
}
