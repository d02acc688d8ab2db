//! The whole Qwen3-MoE, with a cache a layer.
//!
//! In: the newest token ids (B, L), their offset, and the caches. Out: logits. All but the feed-forward layers is the
//! Qwen3 of Week 2.

use super::block::Moe;
use kit::{Checkpoint, Config, Result, Weights};
use mlx_rs::Array;
use week1::{rms_norm::RMSNorm, rope::RoPE};
use week2::{
    attention::Qwen3Attention,
    block::Qwen3Mlp,
    kv_cache::{BlockCache, KvCache},
    model::{CACHE_BLOCK, CachedLm, Caches, Rows},
    operators::{Embedding, Linear, rms_norm},
    rung::Rung,
};

/// What follows attention in a layer.
#[derive(Debug, Clone)]
pub enum FeedForward {
    /// One MLP for every token.
    Dense(Qwen3Mlp),
    /// Experts.
    Sparse(Moe),
}

impl FeedForward {
    /// Reads what layer `number` has; `weights` stands at `model.layers.N.mlp`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config, number: i32, rung: Rung) -> Result<Self> {
        // SOLUTION 3.6.4 weights, config, number, rung
        let linear = |name| Linear::load(weights, name, rung);
        Ok(match config.experts_of(number) {
            Some(experts) => Self::Sparse(Moe::load(weights, experts, rung)?),
            None => Self::Dense(Qwen3Mlp {
                gate_proj: linear("gate_proj")?,
                up_proj: linear("up_proj")?,
                down_proj: linear("down_proj")?,
                rung,
            }),
        })
        // END SOLUTION
    }

    /// `x` (.., E) → (.., E). Errors: whatever the layer refuses.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        match self {
            Self::Dense(mlp) => mlp.forward(x),
            Self::Sparse(moe) => moe.forward(x),
        }
    }
}

/// The modules of one layer, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct MoeLayer {
    /// Before attention.
    pub input_layernorm: RMSNorm,
    /// Lets the newest tokens look at all before them.
    pub self_attn: Qwen3Attention,
    /// Before the feed-forward layer.
    pub post_attention_layernorm: RMSNorm,
    /// Works on every position by itself.
    pub mlp: FeedForward,
    /// What the operators run on.
    pub rung: Rung,
}

impl MoeLayer {
    /// `x` (B, L, E) at positions from `offset` → (B, L, E).
    ///
    /// Errors: as `Qwen3Attention::forward` and [`FeedForward::forward`].
    pub fn forward(&self, x: &Array, offset: i32, cache: &mut dyn KvCache) -> Result<Array> {
        // SOLUTION 3.6.4 self, x, offset, cache
        let attended = self.self_attn.forward(&rms_norm(self.rung, &self.input_layernorm, x)?, offset, cache)?;
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&rms_norm(self.rung, &self.post_attention_layernorm, &x)?)?;
        Ok(x.add(mixed)?)
        // END SOLUTION
    }
}

/// The model's modules, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct Qwen3MoeModel {
    /// `model.embed_tokens`
    pub embed_tokens: Embedding,
    /// `model.layers`, in order
    pub layers: Vec<MoeLayer>,
    /// `model.norm`, after the last layer
    pub norm: RMSNorm,
    /// `lm_head`; `None` when the head is tied to the embedding
    pub lm_head: Option<Linear>,
    /// What the operators run on.
    pub rung: Rung,
}

impl Qwen3MoeModel {
    /// Reads every tensor of `checkpoint`; a model without experts is one, too.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(checkpoint: &Checkpoint, rung: Rung) -> Result<Self> {
        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let layer = |number: i32| -> Result<MoeLayer> {
            let weights = model.at(&format!("layers.{number}"));
            let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
            Ok(MoeLayer {
                input_layernorm: norm("input_layernorm")?,
                self_attn: Qwen3Attention::load(&weights.at("self_attn"), config, rope.clone(), rung)?,
                post_attention_layernorm: norm("post_attention_layernorm")?,
                mlp: FeedForward::load(&weights.at("mlp"), config, number, rung)?,
                rung,
            })
        };
        Ok(Self {
            embed_tokens: Embedding::load(&model, "embed_tokens", rung)?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(Linear::load(&weights, "lm_head", rung)?) },
            rung,
        })
    }
}

impl CachedLm for Qwen3MoeModel {
    fn caches(&self) -> Result<Caches> {
        self.layers.iter().map(|_| Ok(Box::new(BlockCache::new(CACHE_BLOCK)?) as Box<dyn KvCache>)).collect()
    }

    /// As that of Week 2's model. After an error the caches are of no more use.
    ///
    /// Errors: `InvalidArgument` about `caches` unless one a layer; as the layers.
    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array> {
        use mlx_rs::ops::indexing::TryIndexOp;

        if caches.len() != self.layers.len() {
            let (name, value) = ("caches".to_string(), format!("a list of {}", caches.len()));
            let must = format!("have one entry for each of the {} layers", self.layers.len());
            return Err(kit::Error::InvalidArgument { name, value, must });
        }
        let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
        for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
            hidden = layer.forward(&hidden, offset, &mut **cache)?;
        }
        if rows == Rows::Last {
            hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E)
        }
        let hidden = rms_norm(self.rung, &self.norm, &hidden)?;
        match &self.lm_head {
            Some(head) => head.forward(&hidden),
            None => self.embed_tokens.as_linear(&hidden),
        }
    }
}
