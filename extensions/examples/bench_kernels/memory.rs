//! How fast this machine reads memory, measured between the kernels' rounds.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

/// Bytes that a round reads: more than a cache holds, as a model's weights are.
pub const COLD: usize = 128 << 20;

/// Memory to read, and the speeds seen.
pub struct Memory {
    words: Vec<u64>,
    /// Bytes a second as the probe of Day 2 reads: each thread one stretch from its beginning to its end.
    pub one_stream: Vec<f64>,
    /// The same where each thread reads four stretches at once: what memory gives at most.
    pub four_streams: Vec<f64>,
}

impl Memory {
    pub fn new() -> Self {
        // Ones, because untouched pages of zeros may all be one page.
        Self { words: vec![1; COLD / 8], one_stream: Vec::new(), four_streams: Vec::new() }
    }

    /// Takes a sample of both.
    pub fn sample(&mut self, threads: usize) {
        let one = self.read(threads, 1);
        let four = self.read(threads, 4);
        self.one_stream.push(one);
        self.four_streams.push(four);
    }

    fn read(&self, threads: usize, streams: usize) -> f64 {
        let start = Instant::now();
        thread::scope(|scope| {
            for part in self.words.chunks(self.words.len().div_ceil(threads)) {
                scope.spawn(move || black_box(sum(part, streams)));
            }
        });
        size_of_val(self.words.as_slice()) as f64 / start.elapsed().as_secs_f64()
    }
}

/// The sum of all words: lines of the cache in turns from `streams` stretches, eight sums that do not wait for each other.
fn sum(words: &[u64], streams: usize) -> u64 {
    let stretches: Vec<&[[u64; 8]]> =
        words.chunks(words.len().div_ceil(streams)).map(|s| s.as_chunks::<8>().0).collect();
    let mut sums = [0_u64; 8];
    for at in 0..stretches.iter().map(|stretch| stretch.len()).max().unwrap_or(0) {
        for line in stretches.iter().filter_map(|stretch| stretch.get(at)) {
            for (sum, word) in sums.iter_mut().zip(line) {
                *sum = sum.wrapping_add(*word);
            }
        }
    }
    sums.iter().fold(0, |sum, part| sum.wrapping_add(*part))
}
