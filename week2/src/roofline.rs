//! What a pass through the model has to cost, and how fast a machine can be at most.
//!
//! In: the sizes of a model, how its numbers are stored, and how many tokens are old and new. Out: the bytes that must
//! be read and written, the floating-point operations, and with a machine's two speeds a ceiling; the model of Williams,
//! Waterman and Patterson, "Roofline: an insightful visual performance model".

use kit::{Config, Result};

/// How the numbers of a model are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    /// Bits of an entry of a matrix: 2 to 8 where packed, else 16 or 32.
    pub weight_bits: u32,
    /// Entries of a row that share a scale and a bias; `None` where dense.
    pub group_size: Option<u32>,
    /// Bits of a scale, a bias, or an entry of a norm.
    pub scale_bits: u32,
    /// Bits of an entry of keys and values.
    pub cache_bits: u32,
}

impl Storage {
    /// Weights unpacked and a cache, all in f32: the first rung.
    pub const F32: Self = Self { weight_bits: 32, group_size: None, scale_bits: 32, cache_bits: 32 };

    /// `bits` bits a weight, in groups, with 16-bit scales; the cache in f32.
    pub fn packed(bits: u32, group_size: u32) -> Self {
        Self { weight_bits: bits, group_size: Some(group_size), scale_bits: 16, cache_bits: 32 }
    }
}

/// What a pass costs at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Matrices, norms, and the rows of the embedding that are looked up.
    pub weight_bytes: u64,
    /// Keys and values: all read once, the new ones written.
    pub cache_bytes: u64,
    /// A multiplication and an addition are two. Products only.
    pub flops: u64,
}

impl Cost {
    /// All bytes.
    pub fn bytes(&self) -> u64 {
        self.weight_bytes + self.cache_bytes
    }
}

/// The cost of a pass with `new` tokens after `cached` old ones, and logits
/// for the last one.
///
/// Every matrix is read once, whatever `new` is; of the embedding, a row a
/// new token, and all of it where it is the head as well. A layer reads the
/// keys and values of all cached + new tokens and writes the new ones. A
/// token looks at itself and all before it. The head works on one row.
/// Errors: `InvalidArgument` about `cached` when negative, about `new` when
/// below 1 or where the text outgrows `max_position_embeddings`.
pub fn cost(config: &Config, cached: i32, new: i32, storage: Storage) -> Result<Cost> {
    kit::stub!("2.2.2", config, cached, new, storage)
}

/// The two speeds of a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machine {
    /// Bytes a second from memory.
    pub bytes_per_second: f64,
    /// Operations a second on numbers that are there already.
    pub flops_per_second: f64,
}

/// Which of the two speeds decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The time to move the bytes.
    Memory,
    /// The time to compute.
    Compute,
}

/// How fast a pass can be at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// The longer of the two times.
    pub seconds: f64,
    /// What takes it; memory where they are equal.
    pub bound: Bound,
}

/// The least time of a pass on a machine that moves and computes at once.
///
/// Errors: `InvalidArgument` about `bytes_per_second` or `flops_per_second`
/// unless positive and finite.
pub fn ceiling(cost: &Cost, machine: &Machine) -> Result<Ceiling> {
    kit::stub!("2.2.2", cost, machine)
}
