//! Verdicts: in come jobs that judge something, out come their lines, in order, and the count of both kinds.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many jobs ended well and how many did not.
#[derive(Default)]
pub struct Tally {
    /// As it must be.
    pub passed: usize,
    /// Not so.
    pub failed: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        println!("  {}", verdict.line);
        match verdict.passed {
            true => self.passed += 1,
            false => self.failed += 1,
        }
    }
}

/// What a job found.
pub struct Verdict {
    /// As it must be.
    pub passed: bool,
    /// The line to print.
    pub line: String,
}

/// Something to find out.
pub type Job<'a> = Box<dyn Fn() -> anyhow::Result<Verdict> + Send + Sync + 'a>;

/// Works on the jobs with as many threads as there are processors, and prints each line as soon as those before it are out.
pub fn in_parallel(jobs: Vec<Job<'_>>, tally: &mut Tally) -> anyhow::Result<()> {
    let threads = thread::available_parallelism().map_or(2, |count| count.get().min(8));
    let next = AtomicUsize::new(0);
    let (sender, verdicts) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, jobs) = (sender.clone(), &next, &jobs);
            scope.spawn(move || {
                while let index = next.fetch_add(1, Ordering::SeqCst)
                    && let Some(job) = jobs.get(index)
                    && sender.send((index, job())).is_ok()
                {}
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut printed = 0;
        for (index, verdict) in verdicts {
            waiting.insert(index, verdict);
            while let Some(verdict) = waiting.remove(&printed) {
                tally.count(&verdict?);
                printed += 1;
            }
        }
        Ok(())
    })
}
