//! What a GGUF file says about a Qwen3 model, and the names of its tensors there.

use kit::Config;

use crate::packing::Packing;

/// A value of the file's table.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Type 4.
    U32(u32),
    /// Type 6.
    F32(f32),
    /// Type 8.
    Text(String),
}

/// The table of a model without a tokenizer: ids go in and out.
pub fn entries(config: &Config, name: &str, packing: Packing) -> Vec<(String, Value)> {
    let text = |text: &str| Value::Text(text.into());
    let size = |size: i32| Value::U32(size.unsigned_abs());
    let model = [
        ("block_count", size(config.num_hidden_layers)),
        ("context_length", size(config.max_position_embeddings)),
        ("embedding_length", size(config.hidden_size)),
        ("feed_forward_length", size(config.intermediate_size)),
        ("attention.head_count", size(config.num_attention_heads)),
        ("attention.head_count_kv", size(config.num_key_value_heads)),
        ("attention.key_length", size(config.head_dim)),
        ("attention.value_length", size(config.head_dim)),
        ("attention.layer_norm_rms_epsilon", Value::F32(config.rms_norm_eps)),
        ("rope.freq_base", Value::F32(config.rope_theta)),
        ("vocab_size", size(config.vocab_size)),
    ];
    let mut entries = vec![
        ("general.architecture".to_string(), text("qwen3")),
        ("general.name".to_string(), text(name)),
        ("general.file_type".to_string(), Value::U32(packing.file_type())),
        ("general.quantization_version".to_string(), Value::U32(2)),
        // candle's dtype of rotations; its own default, f16, cannot tell positions beyond 2048 apart.
        ("general.dtype".to_string(), Value::U32(0)),
        ("tokenizer.ggml.model".to_string(), text("none")),
    ];
    entries.extend(model.map(|(name, value)| (format!("qwen3.{name}"), value)));
    entries
}

/// A tensor: where the checkpoint has it and what the file calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The module's path in the checkpoint.
    pub module: String,
    /// The name in the file.
    pub name: String,
    /// (rows, columns) of a matrix, (1, length) of a norm.
    pub shape: (usize, usize),
    /// Norms stay f32.
    pub packed: bool,
}

/// Every tensor of the model, in the order of the file.
pub fn tensors(config: &Config) -> Vec<Tensor> {
    let size = |size: i32| size.unsigned_abs() as usize;
    let (hidden, inner, head) = (size(config.hidden_size), size(config.intermediate_size), size(config.head_dim));
    let (queries, keys) = (size(config.num_attention_heads) * head, size(config.num_key_value_heads) * head);
    let vocabulary = size(config.vocab_size);
    let mut tensors = Vec::new();
    let mut add = |module: String, name: String, shape: (usize, usize), packed: bool| {
        tensors.push(Tensor { module, name: format!("{name}.weight"), shape, packed });
    };
    add("model.embed_tokens".into(), "token_embd".into(), (vocabulary, hidden), true);
    for layer in 0..config.num_hidden_layers {
        let mut part = |module: &str, name: &str, shape, packed| {
            add(format!("model.layers.{layer}.{module}"), format!("blk.{layer}.{name}"), shape, packed);
        };
        part("input_layernorm", "attn_norm", (1, hidden), false);
        part("self_attn.q_proj", "attn_q", (queries, hidden), true);
        part("self_attn.k_proj", "attn_k", (keys, hidden), true);
        part("self_attn.v_proj", "attn_v", (keys, hidden), true);
        part("self_attn.o_proj", "attn_output", (hidden, queries), true);
        part("self_attn.q_norm", "attn_q_norm", (1, head), false);
        part("self_attn.k_norm", "attn_k_norm", (1, head), false);
        part("post_attention_layernorm", "ffn_norm", (1, hidden), false);
        part("mlp.gate_proj", "ffn_gate", (inner, hidden), true);
        part("mlp.up_proj", "ffn_up", (inner, hidden), true);
        part("mlp.down_proj", "ffn_down", (hidden, inner), true);
    }
    add("model.norm".into(), "output_norm".into(), (1, hidden), false);
    if !config.tie_word_embeddings {
        add("lm_head".into(), "output".into(), (vocabulary, hidden), true);
    }
    tensors
}
