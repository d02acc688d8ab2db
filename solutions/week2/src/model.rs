//! The whole Qwen3 with a cache a layer.
//!
//! In: the newest token ids (B, L), their offset, and the caches, which belong to the caller. Out: logits, of the last
//! position alone where nobody needs the others.

use crate::{
    block::TransformerBlock,
    kv_cache::{BlockCache, KvCache},
    operators::{Embedding, Linear},
    rung::Rung,
};
use kit::{Checkpoint, Result};
use mlx_rs::Array;
use week1::{rms_norm::RMSNorm, rope::RoPE};

/// Tokens of a block of the model's caches.
pub const CACHE_BLOCK: i32 = 64;

/// The caches of one text, one a layer.
pub type Caches = Vec<Box<dyn KvCache>>;

/// Which positions get logits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// The last one: (B, 1, V).
    Last,
    /// All new ones: (B, L, V).
    All,
}

/// A language model that goes on where its caches end.
pub trait CachedLm {
    /// Empty caches for a new text.
    fn caches(&self) -> Result<Caches>;

    /// `tokens` (B, L), at positions from `offset` → logits (B, 1 or L, V).
    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array>;
}

/// The model's modules, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct Qwen3Model {
    /// `model.embed_tokens`
    pub embed_tokens: Embedding,
    /// `model.layers`, in order
    pub layers: Vec<TransformerBlock>,
    /// `model.norm`, after the last layer
    pub norm: RMSNorm,
    /// `lm_head`; `None` when the head is tied to the embedding
    pub lm_head: Option<Linear>,
    /// The longest text the model was made for.
    pub max_position_embeddings: i32,
    /// What the operators run on.
    pub rung: Rung,
}

impl Qwen3Model {
    /// Reads every tensor of `checkpoint`. Packed weights stay packed from
    /// the rung on whose kernels read them.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(checkpoint: &Checkpoint, rung: Rung) -> Result<Self> {
        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let layer = |number| TransformerBlock::load(&model.at(&format!("layers.{number}")), config, rope.clone(), rung);
        Ok(Self {
            embed_tokens: Embedding::load(&model, "embed_tokens", rung)?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(Linear::load(&weights, "lm_head", rung)?) },
            max_position_embeddings: config.max_position_embeddings,
            rung,
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

impl CachedLm for Qwen3Model {
    fn caches(&self) -> Result<Caches> {
        self.layers.iter().map(|_| Ok(Box::new(BlockCache::new(CACHE_BLOCK)?) as Box<dyn KvCache>)).collect()
    }

    /// As Week 1's forward over the whole text, for its new positions.
    ///
    /// Errors: `InvalidArgument` about `caches` unless one a layer, about
    /// `offset` unless it is that of every cache, about `tokens` where the
    /// text would outgrow `max_position_embeddings`; `Shape` for other axes
    /// or L = 0; as `Embedding::forward`. After an error every cache is as
    /// long as it was.
    fn forward(&self, tokens: &Array, offset: i32, caches: &mut [Box<dyn KvCache>], rows: Rows) -> Result<Array> {
        // SOLUTION 2.1.4 self, tokens, offset, caches, rows
        use crate::{attention::check_offset, operators::rms_norm};
        use kit::{ANY, Error, check_shape};
        use mlx_rs::ops::indexing::TryIndexOp;

        check_shape("cached model: tokens", tokens, "(B, L)", &[ANY, ANY])?;
        let (length, longest) = (tokens.dim(1), self.max_position_embeddings);
        if length == 0 {
            let (expected, got) = ("(B, L) with L >= 1".into(), format!("{:?}", tokens.shape()));
            return Err(Error::Shape { op: "cached model: tokens".into(), expected, got });
        }
        let refused =
            |name: &str, value: String, must: String| Err(Error::InvalidArgument { name: name.into(), value, must });
        if caches.len() != self.layers.len() {
            let value = format!("a list of {}", caches.len());
            return refused("caches", value, format!("have one entry for each of the {} layers", self.layers.len()));
        }
        caches.iter().try_for_each(|cache| check_offset(offset, &**cache))?;
        if length > longest - offset {
            let value = format!("{length} ids at offset {offset}");
            return refused("tokens", value, format!("end before position {longest} (max_position_embeddings)"));
        }
        let mut through = || {
            let mut hidden = self.embed_tokens.forward(tokens)?; // (B, L, E)
            for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
                hidden = layer.forward(&hidden, offset, &mut **cache)?;
            }
            if rows == Rows::Last {
                hidden = hidden.try_index((.., -1.., ..))?; // (B, 1, E): the head is the largest product of all
            }
            self.head(&rms_norm(self.rung, &self.norm, &hidden)?)
        };
        let logits = through();
        if logits.is_err() {
            caches.iter_mut().try_for_each(|cache| cache.rewind(cache.offset() - offset))?;
        }
        logits
        // END SOLUTION
    }
}
