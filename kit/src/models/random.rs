//! Random checkpoints of real shapes: what a speed needs, where a download is not to be had.
//!
//! A name and a seed flow in; a folder that `Checkpoint::open` accepts flows out. Tensors are drawn and written a block
//! at a time, so that no more than that is ever in memory. The model says nothing of use.

use half::bf16;
use serde_json::{Map, Value, json};
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// Bits of a weight.
const BITS: usize = 4;

/// The sizes of a model, as its `config.json` has them.
struct Shape {
    name: &'static str,
    hidden: usize,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    intermediate: usize,
    vocabulary: usize,
    tied: bool,
    group: usize,
}

const HEAD_DIM: usize = 128;

/// The dense Qwen3 models that the course knows, and one that a test can write.
const SHAPES: [Shape; 5] = [
    shape("qwen3-tiny", 256, 8, 4, 2, 768, 4096, true),
    shape("qwen3-0.6b", 1024, 28, 16, 8, 3072, 151_936, true),
    shape("qwen3-1.7b", 2048, 28, 16, 8, 6144, 151_936, true),
    shape("qwen3-4b", 2560, 36, 32, 8, 9728, 151_936, true),
    shape("qwen3-8b", 4096, 36, 32, 8, 12_288, 151_936, false),
];

#[allow(clippy::too_many_arguments)] // a table with a row a model
const fn shape(
    name: &'static str,
    hidden: usize,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    intermediate: usize,
    vocabulary: usize,
    tied: bool,
) -> Shape {
    Shape { name, hidden, layers, heads, kv_heads, intermediate, vocabulary, tied, group: 128 }
}

/// Where random checkpoints are, one folder a name: `target/models/qwen3-0.6b-random`.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target").join("models").join(format!("{name}-random"))
}

/// Writes the checkpoint of that name below `folder` and returns its bytes.
///
/// The same name and seed give the same bytes. Errors: `InvalidArgument` with the known names; `Checkpoint` for a file
/// that cannot be written.
pub fn write(name: &str, seed: u64, folder: &Path) -> Result<u64> {
    let lower = name.to_lowercase();
    let Some(shape) = SHAPES.iter().find(|shape| shape.name == lower || shape.name[6..] == lower) else {
        let names: Vec<_> = SHAPES.iter().map(|shape| shape.name).collect();
        let must = format!("be one of {}", names.join(", "));
        return Err(Error::InvalidArgument { name: "the model".into(), value: format!("{name:?}"), must });
    };
    let tensors = shape.tensors();
    // A reader asks for config.json first, so it comes last; a checkpoint of another seed stays whole until this one is.
    let file = folder.join("model.safetensors");
    let part = |file: &Path| file.with_extension("part");
    let unwritable = |e: std::io::Error| Error::checkpoint(&file, format!("this cannot be written: {e}"));
    fs::create_dir_all(folder).map_err(unwritable)?;
    let bytes = stream(&part(&file), &tensors, seed).map_err(unwritable)?;
    fs::rename(part(&file), &file).map_err(unwritable)?;
    let config = folder.join("config.json");
    fs::write(part(&config), format!("{:#}\n", shape.config())).map_err(unwritable)?;
    fs::rename(part(&config), &config).map_err(unwritable)?;
    Ok(bytes)
}

/// The name of a random checkpoint as `--model` takes it, where `name` is one: `qwen3-0.6b-random`.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    let base = name.strip_suffix("-random")?;
    SHAPES.iter().map(|shape| shape.name).find(|known| *known == base || known[6..] == *base)
}

/// A tensor to write: its name, shape and what its values are.
struct Tensor {
    name: String,
    shape: Vec<usize>,
    values: Values,
}

#[derive(Clone, Copy)]
enum Values {
    /// Packed codes, u32.
    Codes,
    /// Near 1.
    Norm,
    /// `value = scale · code + bias` has mean 0 and a standard deviation of 1/sqrt(this many inputs).
    Scales(usize),
    /// -7.5 times the scale of the same place.
    Biases(usize),
}

impl Shape {
    fn tensors(&self) -> Vec<Tensor> {
        let mut tensors = Vec::new();
        let mut matrix = |name: String, rows: usize, columns: usize| {
            let part = |part: &str, width: usize, values| Tensor {
                name: format!("{name}.{part}"),
                shape: vec![rows, width],
                values,
            };
            let groups = columns / self.group;
            tensors.push(part("weight", columns * BITS / 32, Values::Codes));
            tensors.push(part("scales", groups, Values::Scales(columns)));
            tensors.push(part("biases", groups, Values::Biases(columns)));
        };
        let (queries, keys) = (self.heads * HEAD_DIM, self.kv_heads * HEAD_DIM);
        matrix("model.embed_tokens".into(), self.vocabulary, self.hidden);
        for layer in 0..self.layers {
            let module = |name: &str| format!("model.layers.{layer}.{name}");
            matrix(module("self_attn.q_proj"), queries, self.hidden);
            matrix(module("self_attn.k_proj"), keys, self.hidden);
            matrix(module("self_attn.v_proj"), keys, self.hidden);
            matrix(module("self_attn.o_proj"), self.hidden, queries);
            matrix(module("mlp.gate_proj"), self.intermediate, self.hidden);
            matrix(module("mlp.up_proj"), self.intermediate, self.hidden);
            matrix(module("mlp.down_proj"), self.hidden, self.intermediate);
        }
        if !self.tied {
            matrix("lm_head".into(), self.vocabulary, self.hidden);
        }
        let norm =
            |name: String, length| Tensor { name: format!("{name}.weight"), shape: vec![length], values: Values::Norm };
        for layer in 0..self.layers {
            let module = |name: &str| format!("model.layers.{layer}.{name}");
            tensors.push(norm(module("input_layernorm"), self.hidden));
            tensors.push(norm(module("post_attention_layernorm"), self.hidden));
            tensors.push(norm(module("self_attn.q_norm"), HEAD_DIM));
            tensors.push(norm(module("self_attn.k_norm"), HEAD_DIM));
        }
        tensors.push(norm("model.norm".into(), self.hidden));
        tensors
    }

    fn config(&self) -> Value {
        json!({
            "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false, "hidden_size": self.hidden,
            "num_hidden_layers": self.layers, "num_attention_heads": self.heads, "num_key_value_heads": self.kv_heads,
            "head_dim": HEAD_DIM, "intermediate_size": self.intermediate, "vocab_size": self.vocabulary,
            "rms_norm_eps": 1e-6, "rope_theta": 1_000_000, "rope_scaling": null, "max_position_embeddings": 40_960,
            "tie_word_embeddings": self.tied, "quantization": { "group_size": self.group, "bits": BITS },
        })
    }
}

impl Tensor {
    fn bytes(&self) -> usize {
        let width = if matches!(self.values, Values::Codes) { 4 } else { 2 };
        self.shape.iter().product::<usize>() * width
    }
}

fn stream(file: &Path, tensors: &[Tensor], seed: u64) -> std::io::Result<u64> {
    let (mut header, mut end) = (Map::new(), 0);
    for tensor in tensors {
        let (start, dtype) = (end, if matches!(tensor.values, Values::Codes) { "U32" } else { "BF16" });
        end += tensor.bytes();
        let entry = json!({ "dtype": dtype, "shape": tensor.shape, "data_offsets": [start, end] });
        header.insert(tensor.name.clone(), entry);
    }
    let mut header = Value::from(header).to_string();
    // The values begin at a multiple of 8 bytes.
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    let mut out = BufWriter::with_capacity(1 << 20, File::create(file)?);
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for (tensor, place) in tensors.iter().zip(0_u64..) {
        // Scales and biases of a module, neighbours in the list, are drawn alike.
        let place = if matches!(tensor.values, Values::Biases(_)) { place - 1 } else { place };
        let mut random = SplitMix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place);
        match tensor.values {
            Values::Codes => (0..tensor.bytes() / 8).try_for_each(|_| out.write_all(&random.next().to_le_bytes()))?,
            values => (0..tensor.bytes() / 2)
                .try_for_each(|_| out.write_all(&bf16::from_f32(values.float(random.unit())).to_le_bytes()))?,
        }
    }
    out.flush()?;
    Ok((8 + header.len() + end) as u64)
}

impl Values {
    /// The value for a number of 0..1.
    fn float(self, unit: f32) -> f32 {
        // Codes of 0..=15 have the standard deviation 4.61. Every second scale or so is negative, as real ones are.
        let scale = |inputs: usize| {
            let size = 0.75 + 0.5 * (2.0 * unit).fract();
            (if unit < 0.5 { -size } else { size }) / (4.61 * (inputs as f32).sqrt())
        };
        match self {
            Self::Codes => 0.0,
            Self::Norm => 0.9 + 0.2 * unit,
            Self::Scales(inputs) => scale(inputs),
            Self::Biases(inputs) => -7.5 * bf16::from_f32(scale(inputs)).to_f32(),
        }
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// In 0..1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }
}
