//! The model: embedding, a block, loading, the forward pass, on the embedded checkpoint.

use kit::testing::tiny_model;
use kit::{CausalLm, Result};
use mlx_rs::Dtype;

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.5.1", name: "Embedding::forward", case: lookup, most: u32::MAX },
        Function { task: "1.5.1", name: "Embedding::as_linear", case: as_linear, most: u32::MAX },
        Function { task: "1.5.2", name: "TransformerBlock::forward", case: block, most: u32::MAX },
        Function { task: "1.5.3", name: "Qwen3Model::load", case: load, most: 4 },
        Function { task: "1.5.4", name: "Qwen3Model::forward", case: forward, most: 8 },
    ]
}

fn lookup(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (v, e, length) = (inputs.size(1, 30), inputs.size(1, 8), inputs.size(1, 6));
    let table = inputs.normal("weight", &[v, e], dtype)?;
    let shape = inputs.shape(&[length]);
    let ids = inputs.ids(v, &shape);
    Ok(Case::new(both!(week => Ok(vec![week::embedding::Embedding::new(table.clone())?.forward(&ids)?])))
        .within(0.0, 0.0))
}

fn as_linear(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (v, e) = (inputs.size(1, 30), inputs.size(1, 8));
    let table = inputs.weight(&[v, e], dtype)?;
    let shape = inputs.shape(&[e]);
    let x = inputs.normal("x", &shape, dtype)?;
    Ok(Case::new(both!(week => Ok(vec![week::embedding::Embedding::new(table.clone())?.as_linear(&x)?]))))
}

/// A layer of the embedded model, put together by hand, so that `load` is not needed.
fn block(inputs: &mut Inputs) -> Result<Case> {
    let checkpoint = tiny_model()?;
    let config = checkpoint.config();
    let number = inputs.size(0, config.num_hidden_layers - 1);
    let (b, l) = (inputs.size(1, 2), inputs.size(1, 8));
    inputs.note(format!("layer {number}"));
    let x = inputs.normal("x", &[b, l, config.hidden_size], Dtype::Float32)?;
    let weights = checkpoint.weights().at(&format!("model.layers.{number}"));
    let case = Case::new(both!(week => {
        use week::{block::TransformerBlock, mask::Mask, mlp::Qwen3Mlp, rms_norm::RMSNorm, rope::RoPE};
        use week::qwen3_attention::{Qwen3Attention, Qwen3AttentionWeights};
        let (mlp, attention) = (weights.at("mlp"), weights.at("self_attn"));
        let (heads, groups) = (config.num_attention_heads, config.num_key_value_heads);
        let norm = |name: &str| RMSNorm::new(weights.dense(name)?, config.rms_norm_eps);
        let tensors = Qwen3AttentionWeights {
            q_proj: attention.dense("q_proj")?,
            k_proj: attention.dense("k_proj")?,
            v_proj: attention.dense("v_proj")?,
            o_proj: attention.dense("o_proj")?,
            q_norm: attention.dense("q_norm")?,
            k_norm: attention.dense("k_norm")?,
        };
        let rope = RoPE::new(config.head_dim, config.rope_theta, false)?;
        let block = TransformerBlock {
            input_layernorm: norm("input_layernorm")?,
            self_attn: Qwen3Attention::new(tensors, heads, groups, config.rms_norm_eps, rope)?,
            post_attention_layernorm: norm("post_attention_layernorm")?,
            mlp: Qwen3Mlp::new(mlp.dense("gate_proj")?, mlp.dense("up_proj")?, mlp.dense("down_proj")?)?,
        };
        Ok(vec![block.forward(&x, Mask::Causal)?])
    }));
    Ok(case.within(1e-3, 1e-3))
}

/// Every tensor of a layer drawn, and those of which there is one.
fn load(inputs: &mut Inputs) -> Result<Case> {
    let checkpoint = tiny_model()?;
    let number = inputs.size(0, checkpoint.config().num_hidden_layers - 1);
    inputs.note(format!("layer {number}"));
    let case = Case::new(both!(week => {
        let model = week::model::Qwen3Model::load(checkpoint)?;
        let missing = || kit::Error::Other(format!("the model has no layer {number}"));
        let layer = model.layers.get(number as usize).ok_or_else(missing)?;
        let attention = &layer.self_attn.weights;
        let mut tensors = vec![model.embed_tokens.weight.clone(), model.norm.weight.clone()];
        tensors.extend([&attention.q_proj, &attention.k_proj, &attention.v_proj, &attention.o_proj].map(Clone::clone));
        tensors.extend([&attention.q_norm, &attention.k_norm].map(Clone::clone));
        tensors.extend([&layer.input_layernorm.weight, &layer.post_attention_layernorm.weight].map(Clone::clone));
        tensors.extend([&layer.mlp.gate_proj, &layer.mlp.up_proj, &layer.mlp.down_proj].map(Clone::clone));
        Ok(tensors)
    }));
    Ok(case.within(0.0, 0.0))
}

fn forward(inputs: &mut Inputs) -> Result<Case> {
    let checkpoint = tiny_model()?;
    let (b, l) = (inputs.size(1, 2), inputs.size(1, 12));
    let tokens = inputs.ids(checkpoint.config().vocab_size, &[b, l]);
    let case = Case::new(both!(week => Ok(vec![week::model::Qwen3Model::load(checkpoint)?.forward(&tokens)?])));
    Ok(case.within(1e-3, 0.0))
}
