//! Grouped-query attention: the mask, the groups, a layer of Qwen3.

use kit::Result;
use mlx_rs::{Array, Dtype};

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.3.1", name: "causal_mask", case: mask, most: u32::MAX },
        Function { task: "1.3.2", name: "scaled_dot_product_attention_grouped", case: grouped, most: u32::MAX },
        Function { task: "1.3.3", name: "Qwen3Attention::forward", case: layer, most: u32::MAX },
    ]
}

fn mask(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let s = inputs.size(0, 12);
    let l = inputs.size(0, s);
    inputs.note(format!("l {l}, s {s}"));
    Ok(Case::new(both!(week => Ok(vec![week::mask::causal_mask(l, s, dtype)?]))))
}

fn grouped(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (h, g, d) = (inputs.size(1, 3), inputs.size(1, 4), inputs.size(1, 8));
    let s = inputs.size(1, 7);
    let l = inputs.size(1, s);
    let front = inputs.shape(&[]);
    let of = |heads: i32, length: i32| [&front[..], &[heads, length, d]].concat();
    let query = inputs.normal("query", &of(h * g, l), dtype)?;
    let (key, value) = (inputs.normal("key", &of(h, s), dtype)?, inputs.normal("value", &of(h, s), dtype)?);
    let scale = if inputs.one_in(3) { Some(inputs.real(0.1, 1.0)?) } else { None };
    let kind = inputs.size(0, 2);
    let added = added_mask(inputs, kind, l, s, dtype)?;
    Ok(Case::new(both!(week => {
        use week::mask::Mask;
        let mask = match kind {
            0 => Mask::None,
            1 => Mask::Causal,
            _ => Mask::Array(&added),
        };
        let attend = week::grouped_attention::scaled_dot_product_attention_grouped;
        Ok(vec![attend(&query, &key, &value, scale, mask)?])
    })))
}

/// A mask (L, S) of finite values; only used where `kind` says so.
fn added_mask(inputs: &mut Inputs, kind: i32, l: i32, s: i32, dtype: Dtype) -> Result<Array> {
    match kind {
        0 => inputs.note("no mask"),
        1 => inputs.note("causal"),
        _ => return inputs.normal("mask", &[l, s], dtype),
    }
    Ok(Array::from_f32(0.0))
}

fn layer(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (h, g, d) = (inputs.size(1, 3), inputs.size(1, 3), 2 * inputs.size(1, 4));
    let (b, l, e) = (inputs.size(1, 2), inputs.size(1, 6), inputs.size(2, 12));
    inputs.note(format!("{h} groups of {g} heads of {d}"));
    let x = inputs.normal("x", &[b, l, e], dtype)?;
    let kind = inputs.size(0, 2);
    let added = added_mask(inputs, kind, l, l, dtype)?;
    let mut weight = |shape: &[i32]| inputs.weight(shape, dtype);
    let (q_proj, o_proj) = (weight(&[h * g * d, e])?, weight(&[e, h * g * d])?);
    let (k_proj, v_proj) = (weight(&[h * d, e])?, weight(&[h * d, e])?);
    let (q_norm, k_norm) = (weight(&[d])?, weight(&[d])?);
    let case = Case::new(both!(week => {
        use week::{mask::Mask, qwen3_attention::{Qwen3Attention, Qwen3AttentionWeights}, rope::RoPE};
        let weights = Qwen3AttentionWeights {
            q_proj: q_proj.clone(),
            k_proj: k_proj.clone(),
            v_proj: v_proj.clone(),
            o_proj: o_proj.clone(),
            q_norm: q_norm.clone(),
            k_norm: k_norm.clone(),
        };
        let layer = Qwen3Attention::new(weights, h * g, h, 1e-6, RoPE::new(d, 10_000.0, false)?)?;
        let mask = match kind {
            0 => Mask::None,
            1 => Mask::Causal,
            _ => Mask::Array(&added),
        };
        Ok(vec![layer.forward(&x, mask)?])
    }));
    // In half precision each step rounds, and the steps may come in another order.
    Ok(if dtype == Dtype::Float32 { case.within(1e-4, 1e-4) } else { case.within(5e-2, 5e-2) })
}
