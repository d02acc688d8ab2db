//! From one row of log probabilities to one token id.
//!
//! In: log probabilities (B, V), one row for each text. Out: ids (B,), u32. Two filters decide who may be drawn,
//! a temperature decides how boldly, an explicit random key decides which. Rows never look at each other.
//! The order of Week 1 is filter first: top-k, top-p, division by the temperature, one draw.

use kit::Result;
use mlx_rs::Array;

/// Refuses rows that no token can be drawn from.
///
/// `logprobs` (B, V), f32, f16 or bf16. Every row needs a finite entry;
/// -inf is allowed beside it and means "never".
/// Errors: `Shape` unless (B, V), both at least 1; `Dtype`; `NonFinite`
/// with the first row that holds NaN or +inf, or nothing but -inf.
pub fn check_rows(logprobs: &Array) -> Result<()> {
    kit::stub!("1.7.1", logprobs)
}

/// Draws one token per row from `softmax(logprobs / temp)`.
/// `temp` 0 takes the most likely token.
///
/// `logprobs` (B, V), f32, f16 or bf16. Returns ids (B,), u32.
/// Errors: `InvalidArgument` for a negative or non-finite `temp`;
/// `NonFinite` for a row with NaN, +inf, or no finite entry.
pub fn draw(logprobs: &Array, temp: f32, key: &Array) -> Result<Array> {
    kit::stub!("1.7.1", logprobs, temp, key)
}

/// Keeps the `k` most likely tokens of every row and sets the rest to -inf.
///
/// `logprobs` (B, V); 1 <= k <= V. Ties at the cut go to the lowest id.
/// Errors: `InvalidArgument` for k outside 1..=V; `NonFinite` as `draw`.
pub fn top_k(logprobs: &Array, k: usize) -> Result<Array> {
    kit::stub!("1.7.2", logprobs, k)
}

/// Keeps the fewest most likely tokens of every row whose mass reaches `p`,
/// the crossing token included, and sets the rest to -inf.
///
/// `logprobs` (B, V), not rescaled after `top_k`; 0 < p <= 1.
/// Errors: `InvalidArgument` for p outside (0, 1]; `NonFinite` as `draw`.
pub fn top_p(logprobs: &Array, p: f32) -> Result<Array> {
    kit::stub!("1.7.3", logprobs, p)
}

/// Checked settings and a random key of its own.
pub struct Sampler {
    temp: f32,
    top_k: Option<usize>,
    top_p: Option<f32>,
    key: Array,
}

/// A sampler with a random key of its own.
///
/// `sampler.sample(&logprobs)` takes (B, V) and gives ids (B,), u32.
/// `None` and values <= 0 switch a filter off, and so does `top_p` >= 1.
/// Errors: `InvalidArgument` for NaN and for a negative or infinite `temp`.
pub fn make_sampler(temp: f32, top_k: Option<i32>, top_p: Option<f32>, seed: u64) -> Result<Sampler> {
    kit::stub!("1.7.4", temp, top_k, top_p, seed)
}

impl Sampler {
    /// One token per row: top-k, then top-p, then a draw at `temp`.
    ///
    /// `logprobs` (B, V), left unchanged. Returns ids (B,), u32.
    /// Every draw spends a fresh half of the key.
    /// Errors: `InvalidArgument` for k > V, also at `temp` 0; `NonFinite`.
    pub fn sample(&mut self, logprobs: &Array) -> Result<Array> {
        kit::stub!("1.7.4", self.temp, self.top_k, self.top_p, self.key, logprobs)
    }
}
