//! The experts in the `config.json` of a mixture-of-experts model.

use serde_json::Value;

use super::{config::MOST, fields::Fields};
use crate::Result;

/// The experts of a mixture-of-experts model, `model_type` `qwen3_moe`, named as in `config.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experts {
    /// Experts of a layer.
    pub num_experts: i32,
    /// How many of them a token goes to.
    pub num_experts_per_tok: i32,
    /// Width of an expert.
    pub moe_intermediate_size: i32,
    /// Whether the weights of a token's experts are made to sum to 1.
    pub norm_topk_prob: bool,
    /// Every so many layers one has experts.
    pub decoder_sparse_step: i32,
    /// Layers that have one MLP all the same.
    pub mlp_only_layers: Vec<i32>,
}

/// The experts of a `qwen3_moe`.
pub(super) fn experts(fields: &Fields<'_>) -> Result<Option<Experts>> {
    if fields.get("model_type").and_then(Value::as_str) != Some("qwen3_moe") {
        return Ok(None);
    }
    let num_experts = fields.integer("num_experts", 1, MOST)?;
    let layers = match fields.get("mlp_only_layers") {
        None => Vec::new(),
        Some(list) => list
            .as_array()
            .and_then(|list| list.iter().map(|layer| i32::try_from(layer.as_i64()?).ok()).collect())
            .ok_or_else(|| {
                fields.refused(format!("mlp_only_layers is {list}, but it must be a list of numbers of layers"))
            })?,
    };
    Ok(Some(Experts {
        num_experts,
        num_experts_per_tok: fields.integer("num_experts_per_tok", 1, num_experts)?,
        moe_intermediate_size: fields.integer("moe_intermediate_size", 1, MOST)?,
        norm_topk_prob: fields.flag("norm_topk_prob")?,
        decoder_sparse_step: match fields.get("decoder_sparse_step") {
            None => 1,
            Some(_) => fields.integer("decoder_sparse_step", 1, MOST)?,
        },
        mlp_only_layers: layers,
    }))
}
