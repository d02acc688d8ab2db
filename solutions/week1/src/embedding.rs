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
        // SOLUTION 1.5.1 weight
        use kit::{ANY, check_float, check_shape};

        check_shape("embedding: weight", &weight, "(V, E)", &[ANY, ANY])?;
        check_float("embedding: weight", &weight)?;
        Ok(Self { weight })
        // END SOLUTION
    }

    /// The rows of the table: `ids` (..) → (.., E), dtype of the table.
    ///
    /// Errors: `Dtype` unless `ids` are integers; `InvalidArgument` about
    /// `ids` for the largest or smallest when it is outside 0..V.
    pub fn forward(&self, ids: &Array) -> Result<Array> {
        // SOLUTION 1.5.1 self.weight, ids
        use kit::Error;
        use mlx_rs::{Dtype, transforms::eval};

        let dtype = ids.dtype();
        if dtype == Dtype::Bool || dtype.is_float() || dtype.is_complex() {
            let (expected, got) = ("integers, such as Uint32".into(), format!("{dtype:?}"));
            return Err(Error::Dtype { op: "embedding: ids".into(), expected, got });
        }
        if ids.size() > 0 {
            // MLX reads whatever lies beyond the table, so the two extremes are looked at first.
            let extremes = [ids.min(false)?.as_dtype(Dtype::Int64)?, ids.max(false)?.as_dtype(Dtype::Int64)?];
            eval(&extremes)?;
            for id in extremes.map(|id| id.item_exact::<i64>()) {
                if !(0..i64::from(self.weight.dim(0))).contains(&id) {
                    let must = format!("be below the vocabulary, {}, and not negative", self.weight.dim(0));
                    return Err(Error::InvalidArgument { name: "ids".into(), value: id.to_string(), must });
                }
            }
        }
        Ok(self.weight.take_axis(ids, 0)?) // (.., E)
        // END SOLUTION
    }

    /// The table as a linear layer: `x` (.., E) → (.., V), dtype of `x`.
    ///
    /// Errors: as [`linear`](crate::basics::linear).
    pub fn as_linear(&self, x: &Array) -> Result<Array> {
        // SOLUTION 1.5.1 self.weight, x
        crate::basics::linear(x, &self.weight, None)
        // END SOLUTION
    }
}
