//! Rotary positions: tables, rotation in both layouts, offsets.

use kit::Result;
use mlx_rs::{Array, Dtype, ops::indexing::IndexOp};

use crate::inputs::Inputs;
use crate::parity::{Case, Function, both};

/// In the order of the tasks.
pub fn functions() -> Vec<Function> {
    vec![
        Function { task: "1.2.1", name: "RotationTables::up_to", case: tables, most: u32::MAX },
        Function { task: "1.2.2", name: "rotate", case: rotate, most: u32::MAX },
        Function { task: "1.2.3", name: "RoPE::forward", case: forward, most: u32::MAX },
    ]
}

fn tables(inputs: &mut Inputs) -> Result<Case> {
    let dims = 2 * inputs.size(1, 16);
    let base = if inputs.one_in(2) { 10_000.0 } else { 1_000_000.0 };
    let (first, second) = (inputs.size(1, 40), inputs.size(1, 200));
    inputs.note(format!("dims {dims}, base {base}, {first} positions, then {second}"));
    let longest = first.max(second);
    Ok(Case::new(both!(week => {
        let tables = week::rope::RotationTables::new(dims, base)?;
        tables.up_to(first)?;
        tables.up_to(longest)?;
        let (cos, sin) = tables.up_to(second)?;
        Ok(vec![cos.index(..second), sin.index(..second)])
    })))
}

fn rotate(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (length, half) = (inputs.size(1, 6), inputs.size(1, 8));
    let traditional = inputs.one_in(2);
    inputs.note(if traditional { "neighbours" } else { "half a head apart" });
    let shape = inputs.shape(&[length, 2 * half]);
    let x = inputs.normal("x", &shape, dtype)?;
    let angle = inputs.normal("angles", &[length, half], Dtype::Float32)?;
    let (cos, sin) = (angle.cos()?, angle.sin()?);
    Ok(Case::new(both!(week => Ok(vec![week::rope::rotate(&x, &cos, &sin, traditional)?]))))
}

fn forward(inputs: &mut Inputs) -> Result<Case> {
    let dtype = inputs.dtype();
    let (b, l, h) = (inputs.size(1, 3), inputs.size(1, 6), inputs.size(1, 3));
    let dims = 2 * inputs.size(1, 8);
    let width = dims + if inputs.one_in(3) { inputs.size(1, 3) } else { 0 };
    let traditional = inputs.one_in(2);
    let start = inputs.size(0, 300);
    let rows: Vec<i32> = (0..b).map(|_| inputs.size(0, 300)).collect();
    let kind = inputs.size(0, 2);
    inputs.note(match kind {
        0 => "no offset".to_string(),
        1 => format!("offset {start}"),
        _ => format!("offsets {rows:?}"),
    });
    let x: Array = inputs.normal("x", &[b, l, h, width], dtype)?;
    Ok(Case::new(both!(week => {
        use week::rope::{Offset, RoPE};
        let offset = match kind {
            0 => Offset::None,
            1 => Offset::One(start),
            _ => Offset::PerRow(&rows),
        };
        Ok(vec![RoPE::new(dims, 10_000.0, traditional)?.forward(&x, offset)?])
    })))
}
