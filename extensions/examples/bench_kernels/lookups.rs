//! Packed weights of which a few rows or matrices are read: the rows of tokens, the matrices of experts.

use std::collections::BTreeSet;

use extensions::{week2::quantized_embedding, week3::grouped_quantized_matmul};
use kit::Result;
use kit::testing::Random;
use mlx_rs::{Array, ops, transforms::eval};

use crate::measure::Case;

/// Weights that share a scale and a bias.
const GROUP: i32 = 64;

/// What is done with a case.
type Sink<'s> = &'s mut dyn FnMut(&Case<'_>) -> Result<()>;

/// Packed rows, with scales and biases in f32.
fn packed(random: &mut Random, shape: &[i32], inputs: i32) -> Result<[Array; 3]> {
    let of = |last: i32| [shape, &[last]].concat();
    let scales = random.uniform(0.01, 0.03, &of(inputs / GROUP));
    let biases = scales.multiply(Array::from_f32(-7.5))?;
    let packed = [random.ids(u32::MAX, &of(inputs / 8)), scales, biases];
    eval(&packed)?;
    Ok(packed)
}

/// Bytes of a packed row.
fn row_bytes(inputs: i32) -> usize {
    (inputs / 2 + inputs / GROUP * 8) as usize
}

/// Rows of the table of a Qwen3-0.6B: the tokens of a step, and of a prompt.
pub fn embeddings(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    let (tokens, inputs) = (151_936, 1024);
    let [weight, scales, biases] = &packed(random, &[tokens], inputs)?;
    for rows in [8, 512] {
        // Other tokens in each call.
        let calls: Vec<Array> = (0..512 / rows).map(|_| random.ids(tokens as u32, &[rows])).collect();
        let calls = &calls;
        let row = move |ids: &Array| -> Result<Array> {
            let of = |array: &Array| array.take_axis(ids, 0);
            Ok(ops::dequantize(of(weight)?, of(scales)?, &of(biases)?, GROUP, 4)?)
        };
        let kernel = move |ids: &Array| quantized_embedding(ids, weight, scales, biases, GROUP, 4);
        sink(&Case {
            kernel: "quantized_embedding",
            size: format!("{rows} of {tokens} rows of {inputs}, group {GROUP}"),
            bytes: rows as usize * (row_bytes(inputs) + 4 * inputs as usize),
            flops: (2 * rows * inputs) as usize,
            source: include_str!("../../src/loops/quantized_embedding.cpp"),
            mlx: Box::new(move || calls.iter().map(row).collect()),
            kernel_run: Box::new(move || calls.iter().map(kernel).collect()),
            every_step: true,
        })?;
    }
    Ok(())
}

/// A matrix an expert, in the sizes of a Qwen3-30B-A3B: each token takes eight of them.
pub fn experts(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    let (experts, outputs, inputs) = (128, 768, 2048);
    let [weight, scales, biases] = &packed(random, &[experts, outputs], inputs)?;
    // A token's experts in layer after layer, which no cache has; eight from any place on for each token of a prompt.
    let layers = (0..16).map(|layer| (0..8).map(|next| layer + 16 * next).collect()).collect();
    let mut from = |_| random.int(0..experts) as u32;
    let prompt = (0..32).map(&mut from).flat_map(|first| (0..8).map(move |next| (first + 3 * next) % 128)).collect();
    let sizes: [(usize, Vec<Vec<u32>>); 2] = [(1, layers), (32, vec![prompt])];
    for (tokens, calls) in sizes {
        let rows = 8 * tokens as i32;
        let x = &random.normal(&[rows, inputs]);
        let read = calls[0].iter().collect::<BTreeSet<_>>().len() * outputs as usize * row_bytes(inputs);
        let calls: Vec<Array> = calls.iter().map(|ids| Array::from_slice(ids, &[rows])).collect();
        let calls = &calls;
        let product = move |ids: &Array| -> Result<Array> {
            let each = x.expand_dims(1)?;
            let product = ops::gather_qmm(&each, weight, scales, biases, None, ids, true, GROUP, 4, false)?;
            Ok(product.squeeze_axes(&[1])?)
        };
        let kernel = move |ids: &Array| grouped_quantized_matmul(x, weight, scales, biases, ids, GROUP, 4);
        sink(&Case {
            kernel: "grouped_quantized_matmul",
            size: format!("{tokens} tokens, 8 of {experts} experts each, {inputs} by {outputs}, group {GROUP}"),
            bytes: read + rows as usize * (inputs + outputs) as usize * 4,
            flops: 2 * rows as usize * outputs as usize * inputs as usize,
            source: include_str!("../../src/loops/grouped_quantized_matmul.cpp"),
            mlx: Box::new(move || calls.iter().map(product).collect()),
            kernel_run: Box::new(move || calls.iter().map(kernel).collect()),
            every_step: true,
        })?;
    }
    Ok(())
}
