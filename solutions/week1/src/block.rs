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
        // SOLUTION 1.5.3 weights, config, rope
        use crate::qwen3_attention::Qwen3AttentionWeights;

        let (attention, mlp) = (weights.at("self_attn"), weights.at("mlp"));
        let tensors = Qwen3AttentionWeights {
            q_proj: attention.dense("q_proj")?,
            k_proj: attention.dense("k_proj")?,
            v_proj: attention.dense("v_proj")?,
            o_proj: attention.dense("o_proj")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
        };
        let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::new(tensors, heads, kv_heads, config.rms_norm_eps, rope)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
        })
        // END SOLUTION
    }

    /// `x` (B, L, E) and a mask over (L, L) → (B, L, E), dtype of `x`.
    ///
    /// Errors: whatever the modules refuse.
    pub fn forward(&self, x: &Array, mask: Mask<'_>) -> Result<Array> {
        // SOLUTION 1.5.2 self, x, mask
        let attended = self.self_attn.forward(&self.input_layernorm.forward(x)?, mask)?; // (B, L, E)
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&self.post_attention_layernorm.forward(&x)?)?; // (B, L, E)
        Ok(x.add(mixed)?)
        // END SOLUTION
    }
}
