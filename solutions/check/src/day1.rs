//! Attention: linear, softmax, scaled dot-product attention, heads.

use kit::Result;

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.1.1", name: "linear", case: linear, most: u32::MAX },
        Function { task: "1.1.2", name: "softmax", case: softmax, most: u32::MAX },
        Function { task: "1.1.3", name: "scaled_dot_product_attention", case: attention, most: u32::MAX },
        Function { task: "1.1.4", name: "SimpleMultiHeadAttention", case: heads, most: u32::MAX },
    ]
}

fn linear(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (width, out) = (inputs.size(1, 12), inputs.size(1, 12));
    let shape = inputs.shape(&[width]);
    let x = inputs.normal("x", &shape, dtype)?;
    let w = inputs.weight(&[out, width], dtype)?;
    let bias = if inputs.one_in(2) { Some(inputs.normal("bias", &[out], dtype)?) } else { None };
    Ok(Case::new(both!(week => Ok(vec![week::basics::linear(&x, &w, bias.as_ref())?]))))
}

fn softmax(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let last = inputs.size(1, 20);
    let shape = inputs.shape(&[last]);
    let axes = shape.len() as i32;
    let axis = inputs.size(-axes, axes - 1);
    inputs.note(format!("axis {axis}"));
    let x = inputs.normal("x", &shape, dtype)?.multiply(mlx_rs::Array::from_f32(8.0).as_dtype(dtype)?)?;
    Ok(Case::new(both!(week => Ok(vec![week::basics::softmax(&x, axis)?]))))
}

fn attention(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (l, s, d) = (inputs.size(1, 7), inputs.size(1, 7), inputs.size(1, 9));
    let front = inputs.shape(&[]);
    let of = |length: i32| [&front[..], &[length, d]].concat();
    let query = inputs.normal("query", &of(l), dtype)?;
    let (key, value) = (inputs.normal("key", &of(s), dtype)?, inputs.normal("value", &of(s), dtype)?);
    let scale = if inputs.one_in(3) { Some(inputs.real(0.1, 1.0)?) } else { None };
    let mask = if inputs.one_in(2) { Some(inputs.normal("mask", &[l, s], dtype)?) } else { None };
    Ok(Case::new(both!(week => {
        let attend = week::attention::scaled_dot_product_attention;
        Ok(vec![attend(&query, &key, &value, scale, mask.as_ref())?])
    })))
}

fn heads(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (h, d, l, s) = (inputs.size(1, 4), inputs.size(1, 6), inputs.size(1, 6), inputs.size(1, 6));
    let e = h * d;
    inputs.note(format!("{h} heads"));
    let front = inputs.shape(&[]);
    let of = |length: i32| [&front[..], &[length, e]].concat();
    let query = inputs.normal("query", &of(l), dtype)?;
    let (key, value) = (inputs.normal("key", &of(s), dtype)?, inputs.normal("value", &of(s), dtype)?);
    let mask = if inputs.one_in(2) { Some(inputs.normal("mask", &[l, s], dtype)?) } else { None };
    let mut weight = || inputs.weight(&[e, e], dtype);
    let (wq, wk, wv, wo) = (weight()?, weight()?, weight()?, weight()?);
    Ok(Case::new(both!(week => {
        let (wq, wk, wv, wo) = (wq.clone(), wk.clone(), wv.clone(), wo.clone());
        let layer = week::attention::SimpleMultiHeadAttention::new(e, h, wq, wk, wv, wo)?;
        Ok(vec![layer.forward(&query, &key, &value, mask.as_ref())?])
    })))
}
