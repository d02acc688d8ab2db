//! Small random checkpoints on disk, sound ones and damaged ones.

use half::{bf16, f16};
use kit::testing::{Random, values};
use mlx_rs::{Array, ops::quantize};
use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path, sync::OnceLock};

/// A tensor as a file holds it.
#[derive(Clone)]
pub struct Tensor {
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

/// A checkpoint before it is written.
#[derive(Clone)]
pub struct Forge {
    pub config: Value,
    pub tensors: BTreeMap<String, Tensor>,
}

/// What varies between checkpoints.
#[derive(Clone, Copy)]
pub struct Kind {
    pub dtype: Dtype,
    /// Bits and group size.
    pub packing: Option<(i32, i32)>,
    pub tied: bool,
    pub heads: i32,
    pub kv_heads: i32,
    pub head_dim: i32,
}

pub const SOUND: Kind =
    Kind { dtype: Dtype::BF16, packing: Some((4, 64)), tied: true, heads: 2, kv_heads: 1, head_dim: 64 };

pub const HIDDEN: i32 = 128;
pub const INNER: i32 = 128;
pub const VOCABULARY: i32 = 96;
pub const LAYERS: i32 = 2;

impl Forge {
    /// A copy of the sound checkpoint, which is computed once.
    pub fn sound() -> Self {
        static SOUND_FORGE: OnceLock<Forge> = OnceLock::new();
        SOUND_FORGE.get_or_init(|| Self::new(SOUND)).clone()
    }

    pub fn new(kind: Kind) -> Self {
        let mut forge = Self {
            config: json!({
                "model_type": "qwen3", "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
                "num_attention_heads": kind.heads, "num_key_value_heads": kind.kv_heads, "head_dim": kind.head_dim,
                "intermediate_size": INNER, "vocab_size": VOCABULARY, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
                "max_position_embeddings": 512, "tie_word_embeddings": kind.tied, "hidden_act": "silu",
                "rope_scaling": null, "sliding_window": null, "use_sliding_window": false,
            }),
            tensors: BTreeMap::new(),
        };
        if let Some((bits, group_size)) = kind.packing {
            forge.config["quantization"] = json!({ "bits": bits, "group_size": group_size });
        }
        let mut random = Random::new(3);
        let (queries, keys) = (kind.heads * kind.head_dim, kind.kv_heads * kind.head_dim);
        forge.matrix("model.embed_tokens", &random.normal(&[VOCABULARY, HIDDEN]), kind);
        for layer in 0..LAYERS {
            for (name, rows, columns) in [
                ("self_attn.q_proj", queries, HIDDEN),
                ("self_attn.k_proj", keys, HIDDEN),
                ("self_attn.v_proj", keys, HIDDEN),
                ("self_attn.o_proj", HIDDEN, queries),
                ("mlp.gate_proj", INNER, HIDDEN),
                ("mlp.up_proj", INNER, HIDDEN),
                ("mlp.down_proj", HIDDEN, INNER),
            ] {
                forge.matrix(&format!("model.layers.{layer}.{name}"), &random.normal(&[rows, columns]), kind);
            }
            for (name, length) in [
                ("input_layernorm", HIDDEN),
                ("post_attention_layernorm", HIDDEN),
                ("self_attn.q_norm", kind.head_dim),
                ("self_attn.k_norm", kind.head_dim),
            ] {
                forge.floats(&format!("model.layers.{layer}.{name}.weight"), &random.normal(&[length]), kind.dtype);
            }
        }
        forge.floats("model.norm.weight", &random.normal(&[HIDDEN]), kind.dtype);
        if !kind.tied {
            forge.matrix("lm_head", &random.normal(&[VOCABULARY, HIDDEN]), kind);
        }
        forge
    }

    /// The dense matrix, or its packed form.
    fn matrix(&mut self, path: &str, dense: &Array, kind: Kind) {
        let Some((bits, group_size)) = kind.packing else {
            return self.floats(&format!("{path}.weight"), dense, kind.dtype);
        };
        let (weight, scales, biases) = quantize(dense, group_size, bits).expect("a packed matrix");
        let words = weight.to_vec_exact::<u32>().expect("words");
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.tensors.insert(format!("{path}.weight"), Tensor { dtype: Dtype::U32, shape: shape(&weight), bytes });
        self.floats(&format!("{path}.scales"), &scales, kind.dtype);
        self.floats(&format!("{path}.biases"), &biases, kind.dtype);
    }

    pub fn floats(&mut self, name: &str, array: &Array, dtype: Dtype) {
        let values = values(array).expect("floats");
        let bytes = match dtype {
            Dtype::F32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Dtype::F16 => values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect(),
            Dtype::BF16 => values.iter().flat_map(|&value| bf16::from_f32(value).to_le_bytes()).collect(),
            other => panic!("{other} is not a dtype of floats here"),
        };
        self.tensors.insert(name.into(), Tensor { dtype, shape: shape(array), bytes });
    }

    /// Writes one file.
    pub fn write(&self, folder: &Path) {
        self.write_config(folder);
        write_tensors(&folder.join("model.safetensors"), self.tensors.iter());
    }

    /// Writes `count` shards and their index.
    pub fn write_shards(&self, folder: &Path, count: usize) {
        self.write_config(folder);
        let mut weight_map = serde_json::Map::new();
        for shard in 0..count {
            let file = format!("model-{:05}-of-{count:05}.safetensors", shard + 1);
            let part: Vec<_> = self.tensors.iter().skip(shard).step_by(count).collect();
            weight_map.extend(part.iter().map(|(name, _)| (name.to_string(), json!(file))));
            write_tensors(&folder.join(file), part.into_iter());
        }
        let index = json!({ "metadata": {}, "weight_map": weight_map });
        std::fs::write(folder.join("model.safetensors.index.json"), index.to_string()).expect("an index");
    }

    fn write_config(&self, folder: &Path) {
        std::fs::write(folder.join("config.json"), self.config.to_string()).expect("a configuration");
    }
}

fn write_tensors<'a>(file: &Path, tensors: impl Iterator<Item = (&'a String, &'a Tensor)>) {
    let views = tensors.map(|(name, tensor)| {
        (name, TensorView::new(tensor.dtype, tensor.shape.clone(), &tensor.bytes).expect("a sound tensor"))
    });
    safetensors::serialize_to_file(views, None, file).expect("a file");
}

fn shape(array: &Array) -> Vec<usize> {
    array.shape().iter().map(|&length| length as usize).collect()
}
