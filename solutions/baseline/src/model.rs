//! The whole model: token ids (B, L) in, logits (B, L, V) out.

use kit::{ANY, CausalLm, Checkpoint, Config, Error, Result, Weights, check_shape};
use mlx_rs::{Array, fast::rms_norm, nn::silu};
use solution_week1::embedding::Embedding;

use crate::{attention::Attention, linear};

/// One layer.
struct Layer {
    input_layernorm: Array, // (E,)
    self_attn: Attention,
    post_attention_layernorm: Array, // (E,)
    gate_proj: Array,                // (I, E)
    up_proj: Array,                  // (I, E)
    down_proj: Array,                // (E, I)
    rms_norm_eps: f32,
}

impl Layer {
    fn load(weights: &Weights<'_>, config: &Config) -> Result<Self> {
        let mlp = weights.at("mlp");
        Ok(Self {
            input_layernorm: weights.dense("input_layernorm")?,
            self_attn: Attention::load(&weights.at("self_attn"), config)?,
            post_attention_layernorm: weights.dense("post_attention_layernorm")?,
            gate_proj: mlp.dense("gate_proj")?,
            up_proj: mlp.dense("up_proj")?,
            down_proj: mlp.dense("down_proj")?,
            rms_norm_eps: config.rms_norm_eps,
        })
    }

    fn forward(&self, x: &Array) -> Result<Array> {
        let read = rms_norm(x, Some(&self.input_layernorm), self.rms_norm_eps)?;
        let x = x.add(self.self_attn.forward(&read)?)?; // (B, L, E)
        let read = rms_norm(&x, Some(&self.post_attention_layernorm), self.rms_norm_eps)?;
        let gated = silu(linear(&read, &self.gate_proj)?)?.multiply(linear(&read, &self.up_proj)?)?; // (B, L, I)
        Ok(x.add(linear(&gated, &self.down_proj)?)?)
    }
}

/// Qwen3 on fused operators.
pub struct FusedModel {
    embed_tokens: Embedding,
    layers: Vec<Layer>,
    norm: Array,            // (E,)
    lm_head: Option<Array>, // (V, E); `None` when tied
    rms_norm_eps: f32,
    max_position_embeddings: i32,
}

impl FusedModel {
    /// Reads every tensor, packed ones unpacked. Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(checkpoint: &Checkpoint) -> Result<Self> {
        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let layer = |index| Layer::load(&model.at(&format!("layers.{index}")), config);
        Ok(Self {
            embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            norm: model.dense("norm")?,
            lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
            rms_norm_eps: config.rms_norm_eps,
            max_position_embeddings: config.max_position_embeddings,
        })
    }
}

impl CausalLm for FusedModel {
    fn forward(&self, tokens: &Array) -> Result<Array> {
        check_shape("model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
        if length == 0 {
            let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
            return Err(Error::Shape { op: "model: tokens".into(), expected, got });
        }
        if length > longest {
            let must = format!("hold at most {longest} ids in a row (max_position_embeddings)");
            return Err(Error::InvalidArgument { name: "tokens".into(), value: format!("{length} ids long"), must });
        }
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for layer in &self.layers {
            hidden = layer.forward(&hidden)?;
        }
        let hidden = rms_norm(hidden, Some(&self.norm), self.rms_norm_eps)?;
        linear(&hidden, self.lm_head.as_ref().unwrap_or(&self.embed_tokens.weight)) // (B, L, V)
    }
}
