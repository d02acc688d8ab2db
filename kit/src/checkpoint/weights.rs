//! The arrays of a checked checkpoint, by path: `weights.at("model.layers.0").at("self_attn").dense("q_proj")`.

use mlx_rs::{Array, Dtype, ops::dequantize};
use std::{
    fs::File,
    io::{Seek, SeekFrom},
};

use super::{Checkpoint, Quantization, layout};
use crate::{Error, Result, mlx};

/// A path inside a checkpoint. Cheap to make; arrays are read when asked for, one at a time.
#[derive(Clone)]
pub struct Weights<'a> {
    checkpoint: &'a Checkpoint,
    path: String,
}

/// A linear layer or an embedding as it is stored.
#[derive(Debug, Clone)]
pub enum LinearWeights {
    /// Unpacked.
    Dense {
        /// (O, I) f32, f16 or bf16.
        weight: Array,
    },
    /// MLX's affine packing: value = scale * q + bias.
    Quantized {
        /// (O, I * bits / 32) u32.
        weight: Array,
        /// (O, I / group_size) f32, f16 or bf16.
        scales: Array,
        /// Like `scales`.
        biases: Array,
        /// Values that share a scale.
        group_size: i32,
        /// Bits of a value.
        bits: i32,
    },
}

impl<'a> Weights<'a> {
    pub(super) fn new(checkpoint: &'a Checkpoint) -> Self {
        Self { checkpoint, path: String::new() }
    }

    /// The path `name` under this one.
    pub fn at(&self, name: &str) -> Weights<'a> {
        Self { checkpoint: self.checkpoint, path: self.full(name) }
    }

    /// Whether the tensor `name` is stored under this path.
    pub fn has(&self, name: &str) -> bool {
        self.checkpoint.tensors.contains_key(&self.full(name))
    }

    /// The tensor `name` as it is stored, for example `x.weight`. Errors: `Checkpoint` where it is missing or its file
    /// has changed since the check.
    pub fn tensor(&self, name: &str) -> Result<Array> {
        let name = self.full(name);
        let Some(stored) = self.checkpoint.tensors.get(&name) else {
            return Err(Error::checkpoint(&self.checkpoint.folder, format!("the tensor {name} is missing")));
        };
        let dtype = match stored.dtype {
            safetensors::Dtype::F32 => Dtype::Float32,
            safetensors::Dtype::F16 => Dtype::Float16,
            safetensors::Dtype::BF16 => Dtype::Bfloat16,
            safetensors::Dtype::U32 => Dtype::Uint32,
            other => return Err(Error::checkpoint(&stored.file, format!("the tensor {name} has dtype {other}"))),
        };
        let shape: Vec<i32> = stored.shape.iter().map(|&length| length as i32).collect();
        let read = || {
            let mut file = File::open(&stored.file)?;
            file.seek(SeekFrom::Start(stored.offset))?;
            mlx::read_array(&mut file, &shape, dtype)
        };
        read().map_err(|e| {
            Error::checkpoint(
                &stored.file,
                format!("the tensor {name} cannot be read any more, the file has changed: {e}"),
            )
        })
    }

    /// The `.weight` of the module `name`, unpacked in f32 and cast to [`crate::activation_dtype`]: (O, I) of a linear
    /// layer or an embedding, (D) of a norm.
    pub fn dense(&self, name: &str) -> Result<Array> {
        let dense = match self.linear(name)? {
            LinearWeights::Dense { weight } => weight,
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => {
                let (scales, biases) = (scales.as_dtype(Dtype::Float32)?, biases.as_dtype(Dtype::Float32)?);
                dequantize(&weight, &scales, &biases, group_size, bits)?
            }
        };
        let dense = dense.as_dtype(mlx::activation_dtype())?;
        // Evaluated here, so that the packed arrays are freed before the next module is read.
        dense.eval()?;
        Ok(dense)
    }

    /// How the module `name` is packed; `None` where it is stored unpacked. Reads nothing.
    pub fn quantization_of(&self, name: &str) -> Option<Quantization> {
        layout::packing(&self.checkpoint.config, &self.checkpoint.tensors, &self.full(name))
    }

    /// The module `name` as it is stored.
    pub fn linear(&self, name: &str) -> Result<LinearWeights> {
        let module = self.at(name);
        let weight = module.tensor("weight")?;
        match self.quantization_of(name) {
            None => Ok(LinearWeights::Dense { weight }),
            Some(packing) => Ok(LinearWeights::Quantized {
                weight,
                scales: module.tensor("scales")?,
                biases: module.tensor("biases")?,
                group_size: packing.group_size,
                bits: packing.bits,
            }),
        }
    }

    fn full(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) }
    }
}
