//! The whole Qwen3.
//!
//! In: token ids (B, L). Out: logits (B, L, V): at every position one number a token, high for the tokens that the
//! model expects next. Embedding, a stack of equal layers, a last norm, and a head that may be the embedding again.

use crate::{block::TransformerBlock, embedding::Embedding, rms_norm::RMSNorm};
use kit::{CausalLm, Checkpoint, Result};
use mlx_rs::Array;

/// The model's modules, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct Qwen3Model {
    /// `model.embed_tokens`
    pub embed_tokens: Embedding,
    /// `model.layers`, in order
    pub layers: Vec<TransformerBlock>,
    /// `model.norm`, after the last layer
    pub norm: RMSNorm,
    /// `lm_head` (V, E); `None` when the head is tied to the embedding
    pub lm_head: Option<Array>,
    /// The longest text the model was made for.
    pub max_position_embeddings: i32,
}

impl Qwen3Model {
    /// Reads every tensor of `checkpoint`, packed ones unpacked.
    ///
    /// All layers share one pair of rotation tables. The head is the
    /// embedding when `tie_word_embeddings` says so, else `lm_head`.
    /// Errors: `Checkpoint` for a tensor that is missing; whatever the
    /// modules refuse.
    pub fn load(checkpoint: &Checkpoint) -> Result<Self> {
        kit::stub!("1.5.3", checkpoint)
    }
}

impl CausalLm for Qwen3Model {
    /// `tokens` (B, L), integers → logits (B, L, V); no position sees a
    /// later one.
    ///
    /// Errors: `Shape` for other axes or L = 0; `InvalidArgument` about
    /// `tokens` for more of them than `max_position_embeddings`; as
    /// [`Embedding::forward`].
    fn forward(&self, tokens: &Array) -> Result<Array> {
        kit::stub!("1.5.4", self, tokens)
    }
}
