//! The table of token vectors, read in both directions.
//!
//! In: token ids (..), at the bottom of the model; out: their vectors (.., E). With a tied head the same table is used
//! again at the top: in: hidden states (.., E); out: one logit for every token (.., V).

use kit::Result;
use mlx_rs::Array;

/// One vector a token.
#[derive(Debug, Clone)]
pub struct Embedding {
    /// (V, E)
    pub weight: Array,
}

impl Embedding {
    /// Keeps the table `weight` (V, E).
    ///
    /// Errors: `Shape` for other axes; `Dtype` unless f32, f16 or bf16.
    pub fn new(weight: Array) -> Result<Self> {
        kit::stub!("1.5.1", weight)
    }

    /// The rows of the table: `ids` (..) → (.., E), dtype of the table.
    ///
    /// Errors: `Dtype` unless `ids` are integers; `InvalidArgument` about
    /// `ids` for the largest or smallest when it is outside 0..V.
    pub fn forward(&self, ids: &Array) -> Result<Array> {
        kit::stub!("1.5.1", self.weight, ids)
    }

    /// The table as a linear layer: `x` (.., E) → (.., V), dtype of `x`.
    ///
    /// Errors: as [`linear`](crate::basics::linear).
    pub fn as_linear(&self, x: &Array) -> Result<Array> {
        kit::stub!("1.5.1", self.weight, x)
    }
}
