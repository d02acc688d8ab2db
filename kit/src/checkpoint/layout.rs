//! Which tensors a Qwen3 model of a configuration has, and the check that a checkpoint holds exactly those.
//!
//! A configuration and a table of stored tensors flow in; a sentence about the first tensor that is missing, has another
//! shape or dtype, or does not belong there flows out. Nothing is loaded.

use safetensors::Dtype;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use super::{
    config::{Config, Quantization},
    header::Stored,
};
use crate::{Error, Result};

const FLOATS: [Dtype; 3] = [Dtype::F32, Dtype::F16, Dtype::BF16];

/// How the module at `path` is stored: packed when the configuration says so and the file agrees.
pub(crate) fn packing(config: &Config, tensors: &HashMap<String, Stored>, path: &str) -> Option<Quantization> {
    config.quantization_of(path).filter(|_| {
        tensors.contains_key(&format!("{path}.scales"))
            || tensors.get(&format!("{path}.weight")).is_some_and(|stored| stored.dtype == Dtype::U32)
    })
}

/// Checks every tensor of the model, block by block, so that an absurd layer count ends at the first missing block.
pub(crate) fn check(list: &Path, config: &Config, tensors: &HashMap<String, Stored>) -> Result<()> {
    let mut layout = Layout { list, config, tensors, known: HashSet::new() };
    let Config { hidden_size: hidden, head_dim, intermediate_size: inner, .. } = *config;
    let (queries, keys) = (config.num_attention_heads * head_dim, config.num_key_value_heads * head_dim);
    layout.matrix("model.embed_tokens", config.vocab_size, hidden)?;
    for block in 0..config.num_hidden_layers {
        let path = format!("model.layers.{block}");
        layout.vector(&format!("{path}.input_layernorm"), hidden)?;
        layout.matrix(&format!("{path}.self_attn.q_proj"), queries, hidden)?;
        layout.matrix(&format!("{path}.self_attn.k_proj"), keys, hidden)?;
        layout.matrix(&format!("{path}.self_attn.v_proj"), keys, hidden)?;
        layout.matrix(&format!("{path}.self_attn.o_proj"), hidden, queries)?;
        layout.vector(&format!("{path}.self_attn.q_norm"), head_dim)?;
        layout.vector(&format!("{path}.self_attn.k_norm"), head_dim)?;
        layout.vector(&format!("{path}.post_attention_layernorm"), hidden)?;
        let Some(experts) = config.experts_of(block) else {
            layout.matrix(&format!("{path}.mlp.gate_proj"), inner, hidden)?;
            layout.matrix(&format!("{path}.mlp.up_proj"), inner, hidden)?;
            layout.matrix(&format!("{path}.mlp.down_proj"), hidden, inner)?;
            continue;
        };
        // One matrix an expert, in one tensor.
        let (front, inner) = ([experts.num_experts], experts.moe_intermediate_size);
        layout.matrix(&format!("{path}.mlp.gate"), experts.num_experts, hidden)?;
        layout.matrices(&format!("{path}.mlp.switch_mlp.gate_proj"), &front, inner, hidden)?;
        layout.matrices(&format!("{path}.mlp.switch_mlp.up_proj"), &front, inner, hidden)?;
        layout.matrices(&format!("{path}.mlp.switch_mlp.down_proj"), &front, hidden, inner)?;
    }
    layout.vector("model.norm", hidden)?;
    if !config.tie_word_embeddings {
        layout.matrix("lm_head", config.vocab_size, hidden)?;
    }
    layout.nothing_else()
}

struct Layout<'a> {
    /// The file that lists the tensors.
    list: &'a Path,
    config: &'a Config,
    tensors: &'a HashMap<String, Stored>,
    known: HashSet<String>,
}

impl Layout<'_> {
    /// A norm: one float for each of `length` features.
    fn vector(&mut self, path: &str, length: i32) -> Result<()> {
        self.tensor(format!("{path}.weight"), &[length], &FLOATS)
    }

    /// A linear layer or the embedding (`rows`, `columns`): dense, or packed with scales and biases.
    fn matrix(&mut self, path: &str, rows: i32, columns: i32) -> Result<()> {
        self.matrices(path, &[], rows, columns)
    }

    /// The same with more axes in front.
    fn matrices(&mut self, path: &str, front: &[i32], rows: i32, columns: i32) -> Result<()> {
        let shape = |columns: i32| [front, &[rows, columns]].concat();
        let weight = format!("{path}.weight");
        let Some(Quantization { group_size, bits }) = packing(self.config, self.tensors, path) else {
            if self.tensors.get(&weight).is_some_and(|stored| stored.dtype == Dtype::U32) {
                return self
                    .refused(format!("the tensor {weight} has dtype U32, but config.json has no quantization for it"));
            }
            return self.tensor(weight, &shape(columns), &FLOATS);
        };
        if columns % group_size != 0 {
            return self.refused(format!(
                "the tensor {weight} has rows of {columns} values, which do not divide into groups of {group_size}"
            ));
        }
        // A group is a multiple of 32 values, so its bits are whole words and the product fits: columns ≤ 2^24, bits ≤ 8.
        self.tensor(weight, &shape(columns / 32 * bits), &[Dtype::U32])?;
        for part in ["scales", "biases"] {
            self.tensor(format!("{path}.{part}"), &shape(columns / group_size), &FLOATS)?;
        }
        let dtype = |part: &str| self.tensors[&format!("{path}.{part}")].dtype;
        match (dtype("scales"), dtype("biases")) {
            (scales, biases) if scales == biases => Ok(()),
            (scales, biases) => self.refused(format!(
                "the tensor {path}.scales has dtype {scales} and {path}.biases {biases}, but they must be the same"
            )),
        }
    }

    fn tensor(&mut self, name: String, shape: &[i32], dtypes: &[Dtype]) -> Result<()> {
        let Some(stored) = self.tensors.get(&name) else {
            return self.refused(format!("the tensor {name} is missing; config.json asks for it with shape {shape:?}"));
        };
        let refused = |what: String| Err(Error::checkpoint(&stored.file, what));
        if !stored.shape.iter().copied().eq(shape.iter().map(|&length| length as u64)) {
            return refused(format!(
                "the tensor {name} has shape {:?}, but config.json asks for {shape:?}",
                stored.shape
            ));
        }
        if !dtypes.contains(&stored.dtype) {
            let wanted = dtypes.iter().map(Dtype::to_string).collect::<Vec<_>>().join(", ");
            return refused(format!("the tensor {name} has dtype {}, but it must be {wanted}", stored.dtype));
        }
        self.known.insert(name);
        Ok(())
    }

    /// Refuses a tensor that the model would ignore, unless ignoring it changes nothing.
    fn nothing_else(&self) -> Result<()> {
        let harmless = |name: &str| {
            name.ends_with(".rotary_emb.inv_freq") || (self.config.tie_word_embeddings && name.starts_with("lm_head."))
        };
        match self.tensors.iter().filter(|(name, _)| !self.known.contains(*name) && !harmless(name)).min_by_key(|t| t.0)
        {
            Some((name, stored)) => Err(Error::checkpoint(
                &stored.file,
                format!("the tensor {name} of shape {:?} is not part of the Qwen3 model of config.json", stored.shape),
            )),
            None => Ok(()),
        }
    }

    fn refused(&self, what: String) -> Result<()> {
        Err(Error::checkpoint(self.list, what))
    }
}
