//! Who may look at whom.
//!
//! In: the number L of queries and S of keys. Out: an array (L, S) to add to the scores, 0 for "look" and
//! -inf for "never".

use kit::Result;
use mlx_rs::{Array, Dtype};

/// What grouped attention adds to its scores.
#[derive(Debug, Clone, Copy)]
pub enum Mask<'a> {
    /// Every query sees every key.
    None,
    /// A query sees its own position and what comes before it.
    Causal,
    /// Added to the scores; broadcasts to (.., H_q, L, S).
    Array(&'a Array),
}

/// The mask under which no query sees a later key.
///
/// The L queries are the last L of the S positions. Returns (`l`, `s`) of
/// `dtype`: row i has 0 in the columns 0 to i + s - l, else -inf.
/// Errors: `InvalidArgument` about `l` when negative or above `s`, where
/// the first rows would see nothing; `Dtype` unless f32, f16 or bf16.
pub fn causal_mask(l: i32, s: i32, dtype: Dtype) -> Result<Array> {
    kit::stub!("1.3.1", l, s, dtype)
}
