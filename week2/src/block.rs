//! One layer of Qwen3 that remembers.
//!
//! In: the hidden states (B, L, E) of the newest tokens and the layer's cache. Out: the same states plus what attention
//! and then the MLP add. The order is that of Week 1's block.

use crate::{
    attention::Qwen3Attention,
    kv_cache::KvCache,
    operators::{Linear, rms_norm, swiglu},
    rung::Rung,
};
use kit::{Config, Result, Weights};
use mlx_rs::Array;
use week1::{rms_norm::RMSNorm, rope::RoPE};

/// The gated feed-forward layer: `down_proj(silu(gate_proj(x)) · up_proj(x))`.
#[derive(Debug, Clone)]
pub struct Qwen3Mlp {
    /// E → I
    pub gate_proj: Linear,
    /// E → I
    pub up_proj: Linear,
    /// I → E
    pub down_proj: Linear,
    /// What the operators run on.
    pub rung: Rung,
}

impl Qwen3Mlp {
    /// `x` (.., E) → (.., E). Errors: whatever the operators refuse.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        self.down_proj.forward(&swiglu(self.rung, &self.gate_proj.forward(x)?, &self.up_proj.forward(x)?)?)
    }
}

/// The modules of one layer, named like the checkpoint's.
#[derive(Debug, Clone)]
pub struct TransformerBlock {
    /// Before attention.
    pub input_layernorm: RMSNorm,
    /// Lets the newest tokens look at all before them.
    pub self_attn: Qwen3Attention,
    /// Before the MLP.
    pub post_attention_layernorm: RMSNorm,
    /// Works on every position by itself.
    pub mlp: Qwen3Mlp,
    /// What the operators run on.
    pub rung: Rung,
}

impl TransformerBlock {
    /// Reads one layer; `weights` stands at `model.layers.N`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing.
    pub fn load(weights: &Weights<'_>, config: &Config, rope: RoPE, rung: Rung) -> Result<Self> {
        let norm = |name| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        let mlp = weights.at("mlp");
        let linear = |name| Linear::load(&mlp, name, rung);
        Ok(Self {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::load(&weights.at("self_attn"), config, rope, rung)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp {
                gate_proj: linear("gate_proj")?,
                up_proj: linear("up_proj")?,
                down_proj: linear("down_proj")?,
                rung,
            },
            rung,
        })
    }

    /// `x` (B, L, E) at positions from `offset` → (B, L, E).
    ///
    /// Errors: as [`Qwen3Attention::forward`].
    pub fn forward(&self, x: &Array, offset: i32, cache: &mut dyn KvCache) -> Result<Array> {
        let attended = self.self_attn.forward(&rms_norm(self.rung, &self.input_layernorm, x)?, offset, cache)?; // (B, L, E)
        let x = x.add(attended)?;
        let mixed = self.mlp.forward(&rms_norm(self.rung, &self.post_attention_layernorm, &x)?)?; // (B, L, E)
        let x = x.add(mixed)?;
        if x.dim(1) > 1 {
            // A prompt's states are large. Computed now, those inside this layer are gone before the next one's come.
            x.eval()?;
        }
        Ok(x)
    }
}
