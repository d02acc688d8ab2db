//! The cached model on MLX's operators: packed weights through MLX's quantised product, keys and values in a cache. What
//! mlx-lm does, without Python: the measure of Week 2.

use kit::{ANY, Checkpoint, Config, Error, LinearWeights, Result, Weights, check_shape};
use mlx_rs::{
    Array, Dtype,
    fast::{ScaledDotProductAttentionMask, rms_norm, rope, scaled_dot_product_attention},
    nn::silu,
    ops::{dequantize, indexing::TryIndexOp, quantized_matmul},
};
use solution_week2::{
    attention::check_offset,
    kv_cache::{BlockCache, KvCache},
    model::{CACHE_BLOCK, CachedLm, Caches, Rows},
};

/// A linear layer as the checkpoint stores it, scales in the activations' dtype.
struct Linear(LinearWeights);

impl Linear {
    fn load(weights: &Weights<'_>, name: &str) -> Result<Self> {
        let dtype = kit::activation_dtype();
        let stored = match weights.linear(name)? {
            LinearWeights::Dense { weight } => LinearWeights::Dense { weight: weight.as_dtype(dtype)? },
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => LinearWeights::Quantized {
                weight,
                scales: scales.as_dtype(dtype)?,
                biases: biases.as_dtype(dtype)?,
                group_size,
                bits,
            },
        };
        Ok(Self(stored))
    }

    /// `x` (.., I) → (.., O).
    fn forward(&self, x: &Array) -> Result<Array> {
        match &self.0 {
            LinearWeights::Dense { weight } => crate::linear(x, weight),
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => {
                Ok(quantized_matmul(x, weight, scales, Some(biases), Some(true), Some(*group_size), Some(*bits))?)
            }
        }
    }

    /// The rows of ids (B, L): (B, L, I).
    fn rows(&self, ids: &Array) -> Result<Array> {
        match &self.0 {
            LinearWeights::Dense { weight } => Ok(weight.take_axis(ids, 0)?),
            LinearWeights::Quantized { weight, scales, biases, group_size, bits } => {
                let row = |table: &Array| table.take_axis(ids, 0);
                Ok(dequantize(&row(weight)?, &row(scales)?, &row(biases)?, *group_size, *bits)?)
            }
        }
    }
}

struct Layer {
    input_layernorm: Array,          // (E,)
    post_attention_layernorm: Array, // (E,)
    q_norm: Array,                   // (D,)
    k_norm: Array,                   // (D,)
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    o_proj: Linear,
    gate_proj: Linear,
    up_proj: Linear,
    down_proj: Linear,
}

impl Layer {
    fn load(weights: &Weights<'_>) -> Result<Self> {
        let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
        Ok(Self {
            input_layernorm: weights.dense("input_layernorm")?,
            post_attention_layernorm: weights.dense("post_attention_layernorm")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
            q_proj: Linear::load(&attention, "q_proj")?,
            k_proj: Linear::load(&attention, "k_proj")?,
            v_proj: Linear::load(&attention, "v_proj")?,
            o_proj: Linear::load(&attention, "o_proj")?,
            gate_proj: Linear::load(&mlp, "gate_proj")?,
            up_proj: Linear::load(&mlp, "up_proj")?,
            down_proj: Linear::load(&mlp, "down_proj")?,
        })
    }

    fn forward(&self, x: &Array, config: &Config, offset: i32, cache: &mut dyn KvCache) -> Result<Array> {
        let eps = config.rms_norm_eps;
        let attended = self.attend(&rms_norm(x, Some(&self.input_layernorm), eps)?, config, offset, cache)?;
        let x = x.add(attended)?; // (B, L, E)
        let read = rms_norm(&x, Some(&self.post_attention_layernorm), eps)?;
        let gated = silu(self.gate_proj.forward(&read)?)?.multiply(self.up_proj.forward(&read)?)?; // (B, L, I)
        Ok(x.add(self.down_proj.forward(&gated)?)?)
    }

    fn attend(&self, x: &Array, config: &Config, offset: i32, cache: &mut dyn KvCache) -> Result<Array> {
        let (batch, length, width) = (x.dim(0), x.dim(1), config.head_dim); // B, L, D
        let heads = |projection: &Linear, count: i32| -> Result<Array> {
            Ok(projection.forward(x)?.reshape(&[batch, length, count, width])?) // (B, L, count, D)
        };
        let turned = |projected: Array, norm: &Array| -> Result<Array> {
            let normed = rms_norm(projected, Some(norm), config.rms_norm_eps)?.swap_axes(1, 2)?;
            Ok(rope(normed, width, false, config.rope_theta, 1.0, offset, None)?) // (B, count, L, D)
        };
        let queries = turned(heads(&self.q_proj, config.num_attention_heads)?, &self.q_norm)?;
        let keys = turned(heads(&self.k_proj, config.num_key_value_heads)?, &self.k_norm)?;
        let values = heads(&self.v_proj, config.num_key_value_heads)?.swap_axes(1, 2)?;
        let (keys, values) = cache.update_and_fetch(&keys, &values)?; // (B, H, S, D)
        let mask = (length > 1).then_some(ScaledDotProductAttentionMask::Causal);
        let attended = scaled_dot_product_attention(queries, keys, values, (width as f32).powf(-0.5), mask, None)?;
        let joined = attended.swap_axes(1, 2)?.reshape(&[batch, length, config.num_attention_heads * width])?;
        self.o_proj.forward(&joined) // (B, L, E)
    }
}

/// Qwen3 on fused operators, with caches.
pub struct CachedFusedModel {
    config: Config,
    embed_tokens: Linear,
    layers: Vec<Layer>,
    norm: Array, // (E,)
    lm_head: Option<Linear>,
}

impl CachedFusedModel {
    /// Reads every tensor as it is stored. Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(checkpoint: &Checkpoint) -> Result<Self> {
        let (config, weights) = (checkpoint.config().clone(), checkpoint.weights());
        let model = weights.at("model");
        Ok(Self {
            embed_tokens: Linear::load(&model, "embed_tokens")?,
            layers: (0..config.num_hidden_layers)
                .map(|layer| Layer::load(&model.at(&format!("layers.{layer}"))))
                .collect::<Result<_>>()?,
            norm: model.dense("norm")?,
            lm_head: if config.tie_word_embeddings { None } else { Some(Linear::load(&weights, "lm_head")?) },
            config,
        })
    }
}

impl CachedLm for CachedFusedModel {
    fn caches(&self) -> Result<Caches> {
        self.layers.iter().map(|_| Ok(Box::new(BlockCache::new(CACHE_BLOCK)?) as Box<dyn KvCache>)).collect()
    }

    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array> {
        check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let longest = self.config.max_position_embeddings;
        if tokens.dim(1) == 0 || tokens.dim(1) > longest - offset {
            let must = format!("hold at least 1 id and end before position {longest} (max_position_embeddings)");
            let value = format!("{} ids long at offset {offset}", tokens.dim(1));
            return Err(Error::InvalidArgument { name: "tokens".into(), value, must });
        }
        caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
        let mut hidden = self.embed_tokens.rows(&tokens.as_dtype(Dtype::Uint32)?)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches) {
            hidden = layer.forward(&hidden, &self.config, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
        }
        let hidden = rms_norm(hidden, Some(&self.norm), self.config.rms_norm_eps)?;
        self.lm_head.as_ref().unwrap_or(&self.embed_tokens).forward(&hidden)
    }
}
