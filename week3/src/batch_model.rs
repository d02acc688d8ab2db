//! The whole Qwen3 for a batch of texts.
//!
//! In: the new tokens of some slots, (B, L), and the cache of all slots, which belongs to the caller. Out: logits for
//! each row. Weights are read once for all rows; everything else is a row's own.

use crate::{
    batch_attention::{BatchAttention, RUNG, load_linear},
    batch_cache::{BatchCache, Step},
};
use kit::{Checkpoint, Config, Result, Weights};
use mlx_rs::Array;
use week1::rms_norm::RMSNorm;
pub use week2::model::Rows;
use week2::{
    dispatch::PathRule,
    operators::{Embedding, Linear, rms_norm, swiglu},
};

/// A language model that goes on with many texts at once.
pub trait BatchLm {
    /// How many layers hand keys and values to a cache.
    fn layers(&self) -> usize;

    /// The most tokens that a text can have.
    fn positions(&self) -> usize;

    /// How many ids there are, from 0 on; a model that does not say refuses
    /// wrong ones itself.
    fn vocabulary(&self) -> usize {
        usize::MAX
    }

    /// `tokens` (B, L), the next ones of the texts in `slots` → logits
    /// (B, 1 or L, V), evaluated. After an error every text is as long as
    /// it was.
    fn forward(&self, tokens: &Array, slots: &[usize], cache: &mut dyn BatchCache, rows: Rows) -> Result<Array>;
}

/// The modules of one layer, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct BatchBlock {
    /// Before attention.
    pub input_layernorm: RMSNorm,
    /// Lets new tokens look at their own text.
    pub self_attn: BatchAttention,
    /// Before the MLP.
    pub post_attention_layernorm: RMSNorm,
    /// E → I
    pub gate_proj: Linear,
    /// E → I
    pub up_proj: Linear,
    /// I → E
    pub down_proj: Linear,
}

impl BatchBlock {
    /// Reads one layer; `weights` stands at `model.layers.N`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config) -> Result<Self> {
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        let mlp = weights.at("mlp");
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: BatchAttention::load(&weights.at("self_attn"), config)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            gate_proj: load_linear(&mlp, "gate_proj")?,
            up_proj: load_linear(&mlp, "up_proj")?,
            down_proj: load_linear(&mlp, "down_proj")?,
        })
    }

    /// `x` (B, L, E) → (B, L, E). Errors: as [`BatchAttention::forward`].
    pub fn forward(&self, x: &Array, layer: usize, step: &Step, cache: &mut dyn BatchCache) -> Result<Array> {
        let attended = self.self_attn.forward(&rms_norm(RUNG, &self.input_layernorm, x)?, layer, step, cache)?;
        let x = x.add(attended)?;
        let mixed = rms_norm(RUNG, &self.post_attention_layernorm, &x)?;
        let mixed = swiglu(RUNG, &self.gate_proj.forward(&mixed)?, &self.up_proj.forward(&mixed)?)?; // (B, L, I)
        Ok(x.add(self.down_proj.forward(&mixed)?)?)
    }
}

/// The model's modules, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct BatchModel {
    /// `model.embed_tokens`
    pub embed_tokens: Embedding,
    /// `model.layers`, in order
    pub layers: Vec<BatchBlock>,
    /// `model.norm`, after the last layer
    pub norm: RMSNorm,
    /// `lm_head`; `None` when the head is tied to the embedding
    pub lm_head: Option<Linear>,
    /// The longest text the model was made for.
    pub max_position_embeddings: i32,
    /// V
    pub vocab_size: i32,
}

impl BatchModel {
    /// Reads every tensor of `checkpoint`. Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(checkpoint: &Checkpoint) -> Result<Self> {
        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let layer = |number| BatchBlock::load(&model.at(&format!("layers.{number}")), config);
        let mut embed_tokens = Embedding::load(&model, "embed_tokens", RUNG)?;
        if let Embedding::Quantized(table) = &mut embed_tokens {
            table.rule = PathRule::Tiled;
        }
        Ok(Self {
            embed_tokens,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(load_linear(&weights, "lm_head")?) },
            max_position_embeddings: config.max_position_embeddings,
            vocab_size: config.vocab_size,
        })
    }

    /// The logits of hidden states: (.., E) → (.., V).
    pub fn head(&self, hidden: &Array) -> Result<Array> {
        match &self.lm_head {
            Some(head) => head.forward(hidden),
            None => self.embed_tokens.as_linear(hidden),
        }
    }
}

impl BatchLm for BatchModel {
    fn layers(&self) -> usize {
        self.layers.len()
    }

    fn positions(&self) -> usize {
        self.max_position_embeddings as usize
    }

    fn vocabulary(&self) -> usize {
        self.vocab_size as usize
    }

    /// Each row as if it were alone.
    ///
    /// Errors: `Shape` unless (B, L), B the number of `slots`; as
    /// [`BatchCache::begin`]; `InvalidArgument` about `tokens` where a text
    /// would outgrow `max_position_embeddings`.
    fn forward(&self, tokens: &Array, slots: &[usize], cache: &mut dyn BatchCache, rows: Rows) -> Result<Array> {
        kit::stub!("3.1.3", self, tokens, slots, cache, rows)
    }
}
