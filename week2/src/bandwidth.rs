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
    kit::stub!("2.2.3", words, threads)
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
    kit::stub!("2.2.3", bytes, threads, trials, now)
}

/// A clock for [`read_bandwidth`]: the seconds since it was made.
pub fn clock() -> impl FnMut() -> f64 {
    let start = std::time::Instant::now();
    move || start.elapsed().as_secs_f64()
}
