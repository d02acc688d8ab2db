//! A linear layer with a weight for each expert.

use kit::{LinearWeights, Result, Weights, check_shape};
use mlx_rs::Array;

/// The weights of all experts, without bias.
#[derive(Debug, Clone)]
pub enum ExpertLinear {
    /// (X, O, I), unpacked.
    Dense(Array),
    /// Packed, as they are stored.
    Quantized {
        /// (X, O, I/8) u32
        weight: Array,
        /// (X, O, I/group_size)
        scales: Array,
        /// (X, O, I/group_size)
        biases: Array,
        /// Values of a row that share a scale and a bias.
        group_size: i32,
        /// Bits of a code.
        bits: i32,
    },
}

impl ExpertLinear {
    /// Reads the module `name`. Packed as the kernel does not read them, weights are unpacked.
    ///
    /// Errors: `Checkpoint` where it is missing.
    pub fn load(weights: &Weights<'_>, name: &str) -> Result<Self> {
        Ok(match weights.linear(name)? {
            LinearWeights::Quantized { weight, scales, biases, group_size, bits }
                if bits == 4 && [64, 128].contains(&group_size) =>
            {
                Self::Quantized { weight, scales, biases, group_size, bits }
            }
            _ => Self::Dense(weights.dense(name)?),
        })
    }

    /// How many experts there are.
    pub fn experts(&self) -> i32 {
        match self {
            Self::Dense(weight) | Self::Quantized { weight, .. } => weight.dim(0),
        }
    }

    /// Row `i` of `x` (M, I) times the weight of expert `ids[i]`, `ids` (M,) u32 → (M, O).
    ///
    /// Errors: `Shape`; as `grouped_quantized_matmul`. Ids must be those of experts.
    pub fn forward(&self, x: &Array, ids: &Array) -> Result<Array> {
        match self {
            Self::Quantized { weight, scales, biases, group_size, bits } => {
                extensions::week3::grouped_quantized_matmul(x, weight, scales, biases, ids, *group_size, *bits)
            }
            Self::Dense(weight) => {
                let (rows, inputs) = (x.dim(0), weight.dim(2));
                check_shape("expert linear: x", x, "(M, I)", &[rows, inputs])?;
                // One (I, O) matrix a row: for small models.
                let of_rows = weight.take_axis(ids, 0)?.swap_axes(1, 2)?; // (M, I, O)
                Ok(x.reshape(&[rows, 1, inputs])?.matmul(of_rows)?.squeeze_axes(&[1])?) // (M, O)
            }
        }
    }
}
