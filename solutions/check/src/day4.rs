//! RMSNorm, silu, the MLP.

use kit::Result;
use mlx_rs::{Array, Dtype};

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.4.1", name: "RMSNorm::forward", case: norm, most: u32::MAX },
        Function { task: "1.4.2", name: "silu", case: silu, most: u32::MAX },
        Function { task: "1.4.3", name: "Qwen3Mlp::forward", case: mlp, most: u32::MAX },
    ]
}

fn norm(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let e = inputs.size(1, 24);
    let eps = if inputs.one_in(2) { 1e-6 } else { 1e-5 };
    let shape = inputs.shape(&[e]);
    let x = inputs.normal("x", &shape, dtype)?;
    let weight = inputs.normal("weight", &[e], dtype)?;
    Ok(Case::new(both!(week => Ok(vec![week::rms_norm::RMSNorm::new(weight.clone(), eps)?.forward(&x)?]))))
}

fn silu(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let last = inputs.size(1, 30);
    let shape = inputs.shape(&[last]);
    let x = inputs.normal("x", &shape, dtype)?.multiply(Array::from_f32(10.0).as_dtype(dtype)?)?;
    Ok(Case::new(both!(week => Ok(vec![week::mlp::silu(&x)?]))))
}

fn mlp(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (e, i) = (inputs.size(1, 12), inputs.size(1, 16));
    let shape = inputs.shape(&[e]);
    let x = inputs.normal("x", &shape, dtype)?;
    inputs.note(format!("inside {i}"));
    let mut weight = |shape: &[i32]| inputs.weight(shape, dtype);
    let (gate, up, down) = (weight(&[i, e])?, weight(&[i, e])?, weight(&[e, i])?);
    let case = Case::new(both!(week => {
        let mlp = week::mlp::Qwen3Mlp::new(gate.clone(), up.clone(), down.clone())?;
        Ok(vec![mlp.forward(&x)?])
    }));
    Ok(if dtype == Dtype::Float32 { case } else { case.within(5e-2, 5e-2) })
}
