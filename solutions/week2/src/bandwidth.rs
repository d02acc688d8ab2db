//! How fast this machine reads memory.
//!
//! In: a number of bytes, far more than the caches of the processor hold, and of threads. Out: bytes a second, one
//! sample a trial. A decoded token reads all weights once, so this speed bounds every engine.

use crate::samples::Samples;
use kit::Result;

/// The sum of all words, wrapping around, each read once by one of `threads`
/// threads.
///
/// The threads get neighbouring words each, as even as it goes; more threads
/// than words are no error.
/// Errors: `InvalidArgument` about `threads` when 0; `Other` where a thread
/// cannot be started.
pub fn sum_words(words: &[u64], threads: usize) -> Result<u64> {
    // SOLUTION 2.2.3 words, threads
    use kit::Error;
    use std::thread;

    if threads == 0 {
        let must = "be at least 1".into();
        return Err(Error::InvalidArgument { name: "threads".into(), value: threads.to_string(), must });
    }
    let share = words.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || sum_of(share));
        let started: Vec<_> = words.chunks(share).map(start).collect();
        started.into_iter().try_fold(0_u64, |sum, thread| {
            let thread = thread.map_err(|e| Error::Other(format!("a thread cannot be started: {e}")))?;
            let part = thread.join().map_err(|_| Error::Other("a thread has died".into()))?;
            Ok(sum.wrapping_add(part))
        })
    })
    // END SOLUTION
}

/// The sum of one thread's words. Eight sums at once, so that no addition
/// waits for the one before it.
pub fn sum_of(words: &[u64]) -> u64 {
    let mut sums = [0_u64; 8];
    let (eights, rest) = words.as_chunks::<8>();
    for eight in eights {
        for (sum, word) in sums.iter_mut().zip(eight) {
            *sum = sum.wrapping_add(*word);
        }
    }
    sums.iter().chain(rest).fold(0, |sum, word| sum.wrapping_add(*word))
}

/// Reads `bytes` bytes of memory with [`sum_words`], `trials` times.
///
/// `now` tells the time in seconds. It is asked twice a trial, right before
/// and right after the reading; making the memory and one reading to warm up
/// come before the first trial. Returns bytes a second.
/// Errors: `InvalidArgument` about `bytes` unless a positive multiple of 8,
/// about `trials` when 0; `Other` where no time has passed; as [`sum_words`].
pub fn read_bandwidth(bytes: usize, threads: usize, trials: usize, now: impl FnMut() -> f64) -> Result<Samples> {
    // SOLUTION 2.2.3 bytes, threads, trials, now
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
    // END SOLUTION
}

/// A clock for [`read_bandwidth`]: the seconds since it was made.
pub fn clock() -> impl FnMut() -> f64 {
    let start = std::time::Instant::now();
    move || start.elapsed().as_secs_f64()
}
