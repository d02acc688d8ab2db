//! Week 1's Qwen3, of which each process holds a part of every layer.
//!
//! Heads are independent of each other, and so are the features inside an MLP: process p of P gets the p-th share of
//! both, as rows of the projections that widen and as columns of the one that comes back. What comes back is then a part
//! of a sum: two sums over the processes a layer, and nothing else is ever sent (Shoeybi et al., "Megatron-LM").

use kit::{CausalLm, Checkpoint, Config, Error, Result};
use mlx_rs::{Array, ops::split_equal};
use week1::{block::TransformerBlock, mask::Mask, mlp::Qwen3Mlp, model::Qwen3Model, qwen3_attention::Qwen3Attention};

use crate::group::Group;

/// One process's part of a model.
pub struct ShardedModel {
    /// Embedding, norms and head are whole in every process; the projections of `layers` are this process's share.
    part: Qwen3Model,
    group: Group,
}

impl ShardedModel {
    /// Loads the model and keeps this process's share.
    ///
    /// Errors: as [`check_shares`]; as [`Qwen3Model::load`].
    pub fn load(checkpoint: &Checkpoint, group: Group) -> Result<Self> {
        check_shares(checkpoint.config(), group.size())?;
        let mut part = Qwen3Model::load(checkpoint)?;
        for layer in &mut part.layers {
            layer.self_attn = attention(&layer.self_attn, &group)?;
            layer.mlp = mlp(&layer.mlp, &group)?;
        }
        Ok(Self { part, group })
    }

    /// As [`TransformerBlock::forward`], with the two sums.
    fn layer(&self, layer: &TransformerBlock, x: &Array) -> Result<Array> {
        let attended = layer.self_attn.forward(&layer.input_layernorm.forward(x)?, Mask::Causal)?;
        let x = x.add(self.group.all_sum(&attended)?)?; // (B, L, E)
        let mixed = layer.mlp.forward(&layer.post_attention_layernorm.forward(&x)?)?;
        Ok(x.add(self.group.all_sum(&mixed)?)?)
    }
}

impl CausalLm for ShardedModel {
    /// `tokens` (B, L) → logits (B, L, V), the same in every process.
    ///
    /// Errors: as [`Qwen3Model`]'s, but for its limit on L; as [`Group::all_sum`].
    fn forward(&self, tokens: &Array) -> Result<Array> {
        let mut hidden = self.part.embed_tokens.forward(tokens)?; // (B, L, E)
        for layer in &self.part.layers {
            hidden = self.layer(layer, &hidden)?;
        }
        let hidden = self.part.norm.forward(&hidden)?;
        match &self.part.lm_head {
            Some(weight) => week1::basics::linear(&hidden, weight, None),
            None => self.part.embed_tokens.as_linear(&hidden),
        }
    }
}

/// Whether `processes` processes can share out the model.
///
/// Errors: `InvalidArgument` about `--processes` when its heads or features cannot be shared out evenly.
pub fn check_shares(config: &Config, processes: i32) -> Result<()> {
    let shares = [
        ("attention heads", config.num_attention_heads),
        ("heads of keys and values", config.num_key_value_heads),
        ("features of the MLP", config.intermediate_size),
    ];
    match shares.iter().find(|(_, count)| count % processes != 0) {
        None => Ok(()),
        Some((what, count)) => Err(Error::InvalidArgument {
            name: "--processes".into(),
            value: processes.to_string(),
            must: format!("divide the model's {count} {what}"),
        }),
    }
}

/// This process's share of `weight`, cut along `axis`.
fn share(weight: &Array, axis: i32, group: &Group) -> Result<Array> {
    let mut shares = split_equal(weight, group.size(), axis)?;
    let own = shares.swap_remove(group.rank() as usize).contiguous()?;
    // Now, so that nothing keeps the whole.
    own.eval()?;
    Ok(own)
}

/// Heads: rows of Q, K and V, columns of the projection back.
fn attention(whole: &Qwen3Attention, group: &Group) -> Result<Qwen3Attention> {
    let mut weights = whole.weights.clone();
    for rows in [&mut weights.q_proj, &mut weights.k_proj, &mut weights.v_proj] {
        *rows = share(rows, 0, group)?;
    }
    weights.o_proj = share(&weights.o_proj, 1, group)?;
    let (heads, kv_heads) = (whole.num_attention_heads / group.size(), whole.num_key_value_heads / group.size());
    Qwen3Attention::new(weights, heads, kv_heads, whole.rms_norm_eps, whole.rope.clone())
}

/// Features: rows of the two projections that widen, columns of the one back.
fn mlp(whole: &Qwen3Mlp, group: &Group) -> Result<Qwen3Mlp> {
    let (gate, up) = (share(&whole.gate_proj, 0, group)?, share(&whole.up_proj, 0, group)?);
    Qwen3Mlp::new(gate, up, share(&whole.down_proj, 1, group)?)
}
