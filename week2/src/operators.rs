//! The operators of the model, in one place: the layers call these, and the rung that a layer carries decides what they
//! run on.
//!
//! Arrays flow in and out as in Week 1. Below its own rung an operator is Week 1's, from there on it is a kernel: each
//! rung swaps one.

use crate::{
    dispatch::PathRule,
    quantized_linear::{QuantizedEmbedding, QuantizedLinear},
    roofline::Storage,
    rung::Rung,
};
use extensions::week2 as kernels;
use kit::{LinearWeights, Quantization, Result, Weights, activation_dtype};
use mlx_rs::Array;
use week1::{
    basics::linear,
    grouped_attention::scaled_dot_product_attention_grouped,
    mask::Mask,
    mlp::silu,
    rms_norm::RMSNorm,
    rope::{Offset, RoPE},
};

/// Whether the module `name` stays packed on a rung: from the first that has
/// kernels for packed weights, where they are packed as the kernels read them.
fn stays_packed(weights: &Weights<'_>, name: &str, rung: Rung) -> bool {
    rung >= Rung::QuantizedMatvec && weights.quantization_of(name).is_some_and(|packed| reads(&packed))
}

/// Whether kernels read weights that are packed like this.
pub fn reads(packed: &Quantization) -> bool {
    packed.bits == 4 && [64, 128].contains(&packed.group_size)
}

/// A linear layer without bias.
#[derive(Debug, Clone)]
pub enum Linear {
    /// (O, I), unpacked.
    Dense(Array),
    /// Packed, as it is stored.
    Quantized(QuantizedLinear),
}

impl Linear {
    /// Reads the module `name`. Errors: `Checkpoint` where it is missing.
    pub fn load(weights: &Weights<'_>, name: &str, rung: Rung) -> Result<Self> {
        if !stays_packed(weights, name, rung) {
            return Ok(Self::Dense(weights.dense(name)?));
        }
        Ok(match weights.linear(name)? {
            LinearWeights::Dense { weight } => Self::Dense(weight),
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => {
                let rule = PathRule::of(rung);
                Self::Quantized(QuantizedLinear { weight, scales, biases, group_size, bits, rule })
            }
        })
    }

    /// `x` (.., I) → (.., O). Errors: as Week 1's `linear`, and as
    /// [`QuantizedLinear::forward`].
    pub fn forward(&self, x: &Array) -> Result<Array> {
        match self {
            Self::Dense(weight) => linear(x, weight, None),
            Self::Quantized(layer) => layer.forward(x),
        }
    }

    /// O, the features that come out.
    pub fn outputs(&self) -> i32 {
        match self {
            Self::Dense(weight) => weight.dim(0),
            Self::Quantized(layer) => layer.outputs(),
        }
    }

    /// I, the features that go in.
    pub fn inputs(&self) -> i32 {
        match self {
            Self::Dense(weight) => weight.dim(1),
            Self::Quantized(layer) => layer.inputs(),
        }
    }
}

/// The table of token vectors, at the bottom of the model, and at its top
/// where the head is tied.
#[derive(Debug, Clone)]
pub enum Embedding {
    /// Week 1's.
    Dense(week1::embedding::Embedding),
    /// Packed, as it is stored.
    Quantized(QuantizedEmbedding),
}

impl Embedding {
    /// Reads the module `name`. Errors: `Checkpoint` where it is missing.
    pub fn load(weights: &Weights<'_>, name: &str, rung: Rung) -> Result<Self> {
        let dense = |weight| Ok(Self::Dense(week1::embedding::Embedding::new(weight)?));
        if !stays_packed(weights, name, rung) {
            return dense(weights.dense(name)?);
        }
        match weights.linear(name)? {
            LinearWeights::Dense { weight } => dense(weight),
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => {
                let (dtype, rule) = (activation_dtype(), PathRule::of(rung));
                Ok(Self::Quantized(QuantizedEmbedding { weight, scales, biases, group_size, bits, dtype, rule }))
            }
        }
    }

    /// `ids` (..) → their vectors (.., E). Errors: as Week 1's `Embedding`.
    pub fn forward(&self, ids: &Array) -> Result<Array> {
        match self {
            Self::Dense(table) => table.forward(ids),
            Self::Quantized(table) => table.forward(ids),
        }
    }

    /// The tied head: `x` (.., E) → (.., V). Errors: as [`Linear::forward`].
    pub fn as_linear(&self, x: &Array) -> Result<Array> {
        match self {
            Self::Dense(table) => table.as_linear(x),
            Self::Quantized(table) => table.as_linear(x),
        }
    }

    /// How the table's numbers are stored, and with them those of the model.
    pub fn storage(&self) -> Storage {
        match self {
            Self::Dense(_) => Storage::F32,
            Self::Quantized(table) => Storage::packed(table.bits as u32, table.group_size as u32),
        }
    }
}

/// `norm` over the last axis of `x`. Errors: as `RMSNorm::forward`.
pub fn rms_norm(rung: Rung, norm: &RMSNorm, x: &Array) -> Result<Array> {
    if rung < Rung::RmsNorm {
        return norm.forward(x);
    }
    kernels::rms_norm(x, &norm.weight, norm.eps)
}

/// Rotates `x` (B, L, H, D), whose first token stands at `offset`.
///
/// Errors: as `RoPE::forward`.
pub fn rotate(rung: Rung, rope: &RoPE, x: &Array, offset: i32) -> Result<Array> {
    if rung < Rung::Rope {
        return rope.forward(x, Offset::One(offset));
    }
    let rows = x.dim(0);
    let offsets = Array::from_slice(&vec![offset; rows as usize], &[rows]);
    kernels::rope(x, &offsets, rope.dims, rope.base, rope.traditional)
}

/// `silu(gate) · up`, both (.., I). Errors: as `silu`.
pub fn swiglu(rung: Rung, gate: &Array, up: &Array) -> Result<Array> {
    if rung < Rung::SwiGlu {
        return Ok(silu(gate)?.multiply(up)?);
    }
    kernels::swiglu(gate, up)
}

/// Causal attention of the last L of S tokens: `query` (B, H_q, L, D),
/// `keys` and `values` (B, H, S, D) → (B, H_q, L, D).
///
/// Errors: as Week 1's grouped attention.
pub fn causal_attention(rung: Rung, query: &Array, keys: &Array, values: &Array) -> Result<Array> {
    // A single query is the newest token and sees all; it needs no mask.
    let alone = query.dim(-2) == 1;
    if rung < Rung::DecodeAttention {
        let mask = if alone { Mask::None } else { Mask::Causal };
        return scaled_dot_product_attention_grouped(query, keys, values, None, mask);
    }
    let mask = if alone { kernels::Mask::None } else { kernels::Mask::Causal };
    kernels::decode_attention(query, keys, values, mask, 1.0 / (query.dim(-1) as f32).sqrt())
}
