//! Which test is running: in comes the output of a test program so far, out comes the test that has not ended.

use std::io::Read;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;

/// After so long without a word, whoever waits is told what for.
const SILENCE: Duration = Duration::from_secs(60);

/// Reads all of `output`; `heard` gets each piece as it comes, and `silent` the name of a test that has run for a minute.
pub fn read(
    output: impl Read + Send + 'static,
    mut heard: impl FnMut(&[u8]),
    mut silent: impl FnMut(&str),
) -> anyhow::Result<String> {
    let (send, pieces) = channel();
    let reader = thread::spawn(move || read_pieces(output, &send));
    let (mut all, mut told) = (Vec::new(), String::new());
    loop {
        match pieces.recv_timeout(SILENCE) {
            Ok(piece) => {
                heard(&piece);
                all.extend(piece);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(test) = unfinished(&String::from_utf8_lossy(&all)).filter(|test| *test != told) {
                    silent(test);
                    told = test.to_string();
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    reader.join().map_err(|_| anyhow::anyhow!("reading the tests' output failed"))??;
    Ok(String::from_utf8_lossy(&all).into_owned())
}

fn read_pieces(mut output: impl Read, send: &Sender<Vec<u8>>) -> anyhow::Result<()> {
    let mut buffer = [0; 8192];
    loop {
        let read = output.read(&mut buffer).context("cannot read the tests' output")?;
        // Whoever listens goes on until the last piece.
        if read == 0 || send.send(buffer[..read].to_vec()).is_err() {
            return Ok(());
        }
    }
}

/// The test whose line has no verdict yet: `test cases::task_1_a ... `.
fn unfinished(output: &str) -> Option<&str> {
    let (name, verdict) = output.lines().last()?.strip_prefix("test ")?.split_once(" ...")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    verdict.trim().is_empty().then(|| name.rsplit_once("::").map_or(name, |(_, function)| function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_without_a_verdict_is_the_one_that_runs() {
        assert_eq!(
            unfinished("running 2 tests\ntest cases::task_1_a ... ok\ntest cases::task_1_b ... "),
            Some("task_1_b")
        );
        assert_eq!(unfinished("running 2 tests\ntest cases::task_1_a ... ok\n"), None);
        assert_eq!(unfinished(""), None);
    }

    #[test]
    fn all_of_an_output_is_read_and_heard() {
        let mut heard = Vec::new();
        let all = read("test a ... ok\n".as_bytes(), |piece| heard.extend_from_slice(piece), |_| panic!("silent"));
        assert_eq!((all.expect("text").as_str(), heard.as_slice()), ("test a ... ok\n", b"test a ... ok\n".as_slice()));
    }
}
