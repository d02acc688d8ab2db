//! One layer of Qwen3.
//!
//! In: the hidden states (B, L, E) of the layer below. Out: the same states plus what attention and then the MLP add to
//! them. Both read through a norm and add to the unnormed stream ("pre-norm"; Xiong et al., "On Layer Normalization in
//! the Transformer Architecture").

use crate::{mask::Mask, mlp::Qwen3Mlp, qwen3_attention::Qwen3Attention, rms_norm::RMSNorm, rope::RoPE};
use kit::{Config, Result, Weights};
use mlx_rs::Array;

/// The modules of one layer, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct TransformerBlock {
    /// Before attention.
    pub input_layernorm: RMSNorm,
    /// Lets positions look at each other.
    pub self_attn: Qwen3Attention,
    /// Before the MLP.
    pub post_attention_layernorm: RMSNorm,
    /// Works on every position by itself.
    pub mlp: Qwen3Mlp,
}

impl TransformerBlock {
    /// Reads one layer; `weights` stands at `model.layers.N`.
    ///
    /// `rope` is a clone of the model's, so that all layers share tables.
    /// Errors: `Checkpoint` for a tensor that is missing; whatever the
    /// modules refuse.
    pub fn load(weights: &Weights<'_>, config: &Config, rope: RoPE) -> Result<Self> {
        kit::stub!("1.5.3", weights, config, rope)
    }

    /// `x` (B, L, E) and a mask over (L, L) → (B, L, E), dtype of `x`.
    ///
    /// Errors: whatever the modules refuse.
    pub fn forward(&self, x: &Array, mask: Mask<'_>) -> Result<Array> {
        kit::stub!("1.5.2", self, x, mask)
    }
}
