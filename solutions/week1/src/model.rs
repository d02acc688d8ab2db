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
        // SOLUTION 1.5.3 checkpoint
        use crate::rope::RoPE;

        let (config, weights) = (checkpoint.config(), checkpoint.weights());
        let model = weights.at("model");
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| TransformerBlock::load(&model.at(&format!("layers.{layer}")), config, rope.clone()))
            .collect::<Result<_>>()?;
        Ok(Self {
            embed_tokens: Embedding::new(model.dense("embed_tokens")?)?,
            layers,
            norm: RMSNorm::new(model.dense("norm")?, config.rms_norm_eps)?,
            lm_head: if config.tie_word_embeddings { None } else { Some(weights.dense("lm_head")?) },
            max_position_embeddings: config.max_position_embeddings,
        })
        // END SOLUTION
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
        // SOLUTION 1.5.4 self, tokens
        use crate::{basics::linear, mask::Mask};
        use kit::{ANY, Error, check_shape};

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
            hidden = layer.forward(&hidden, Mask::Causal)?;
        }
        let hidden = self.norm.forward(&hidden)?;
        match &self.lm_head {
            Some(weight) => linear(&hidden, weight, None), // (B, L, V)
            None => self.embed_tokens.as_linear(&hidden),
        }
        // END SOLUTION
    }
}
