//! Inputs whose elements do not lie in a row: every kernel gives what it gives for a copy of them.

use kit::Result;
use kit::testing::{Random, values};
use mlx_rs::{Array, ops};
use solution_extensions::week2::{Mask, Path, decode_attention, quantized_embedding, quantized_matmul};
use solution_extensions::week2::{rms_norm, rope, swiglu};
use solution_extensions::week3::{grouped_quantized_matmul, paged_attention, paged_cache_update};

/// Random inputs of each kernel.
const CASES: usize = 60;

/// The same values as a view: turned, every second of a wider array, or from the middle of a longer one.
fn view(random: &mut Random, array: &Array) -> Result<Array> {
    let axes = array.ndim() as i32;
    let view = match random.int(0..3) {
        0 => {
            let turned: Vec<i32> = (0..axes).rev().collect();
            array.transpose_axes(&turned)?.contiguous()?.transpose_axes(&turned)?
        }
        1 => {
            let pairs = ops::stack(&[array, &ops::zeros_like(array)?], -1)?;
            ops::split_at_indices(&pairs, &[1], -1)?.swap_remove(0).squeeze_axes(&[-1])?
        }
        _ => {
            let more = ops::concatenate(&[array, array, array], 0)?;
            let rows = array.shape()[0];
            ops::split_at_indices(&more, &[rows, 2 * rows], 0)?.swap_remove(1)
        }
    };
    view.eval()?;
    Ok(view)
}

/// `kernel` on the arrays and on views of them.
fn check(random: &mut Random, what: &str, inputs: &[Array], kernel: impl Fn(&[Array]) -> Result<Array>) -> Result<()> {
    let want = kernel(inputs)?;
    let views: Vec<Array> = inputs.iter().map(|input| view(random, input)).collect::<Result<_>>()?;
    let got = kernel(&views)?;
    let shapes: Vec<&[i32]> = inputs.iter().map(Array::shape).collect();
    assert_eq!(got.shape(), want.shape(), "{what} of {shapes:?}");
    assert_eq!(values(&got)?, values(&want)?, "{what} of {shapes:?}");
    Ok(())
}

#[test]
fn products_and_lookups() -> Result<()> {
    let mut random = Random::new(91);
    for case in 0..CASES {
        let (rows, outputs, groups) = (random.int(1..9), random.int(1..40), random.int(1..4));
        let inputs = 64 * groups;
        let arrays = [
            random.normal(&[rows, inputs]),
            random.ids(u32::MAX, &[outputs, inputs / 8]),
            random.normal(&[outputs, groups]),
            random.normal(&[outputs, groups]),
        ];
        let path = [Path::Vanilla, Path::Matvec, Path::Tiled, Path::SplitK(groups), Path::MatvecInt16][case % 5];
        check(&mut random, &format!("{path:?}"), &arrays, |a| {
            quantized_matmul(&a[0], &a[1], &a[2], &a[3], 64, 4, path)
        })?;
        let [_, weight, scales, biases] = arrays;
        let arrays = [random.ids(outputs as u32, &[rows, 2]), weight, scales, biases];
        check(&mut random, "lookup", &arrays, |a| quantized_embedding(&a[0], &a[1], &a[2], &a[3], 64, 4))?;
    }
    Ok(())
}

#[test]
fn operators_of_one_pass() -> Result<()> {
    let mut random = Random::new(92);
    for _ in 0..CASES {
        let (rows, width) = (random.int(1..9), random.int(1..70));
        let arrays = [random.normal(&[rows, width]), random.normal(&[rows, width])];
        check(&mut random, "swiglu", &arrays, |a| swiglu(&a[0], &a[1]))?;
        let arrays = [random.normal(&[rows, width]), random.normal(&[width])];
        check(&mut random, "rms_norm", &arrays, |a| rms_norm(&a[0], &a[1], 1e-6))?;
        let (length, heads) = (random.int(1..5), random.int(1..4));
        let dims = 2 * random.int(1..20);
        let offsets = Array::from_iter((0..rows).map(|row| 3 * row), &[rows]);
        let arrays = [random.normal(&[rows, length, heads, dims + 1]), offsets];
        check(&mut random, "rope", &arrays, |a| rope(&a[0], &a[1], dims, 1e4, false))?;
    }
    Ok(())
}

#[test]
fn attention() -> Result<()> {
    let mut random = Random::new(93);
    for case in 0..CASES {
        let (batch, heads, length, dims) = (random.int(1..3), random.int(1..4), random.int(1..4), random.int(1..40));
        let keys = length + random.int(0..60);
        let arrays = [
            random.normal(&[batch, 2 * heads, length, dims]),
            random.normal(&[batch, heads, keys, dims]),
            random.normal(&[batch, heads, keys, dims]),
            random.normal(&[length, keys]),
        ];
        check(&mut random, "decode_attention", &arrays, |a| {
            let mask = [Mask::None, Mask::Causal, Mask::Array(&a[3])][case % 3];
            decode_attention(&a[0], &a[1], &a[2], mask, 0.2)
        })?;
    }
    Ok(())
}

#[test]
fn pages() -> Result<()> {
    let mut random = Random::new(94);
    for _ in 0..CASES {
        let (heads, page, dims) = (random.int(1..4), random.int(1..9), random.int(1..40));
        // Three texts of two pages each, and a page that nobody uses.
        let table = Array::from_slice(&[3, 1, 0, 6, 5, 2], &[3, 2]);
        let keys = random.int(page + 1..2 * page + 1);
        let length = random.int(1..keys + 1);
        let arrays = [
            random.normal(&[3, 2 * heads, length, dims]),
            random.normal(&[7, heads, page, dims]),
            random.normal(&[7, heads, page, dims]),
            table,
            Array::from_slice(&[keys, 2 * page, keys], &[3]),
        ];
        check(&mut random, "paged_attention", &arrays, |a| {
            paged_attention(&a[0], &a[1], &a[2], &a[3], &a[4], 0.2, true)
        })?;
        let start = random.int(0..2 * page);
        let [_, pages, ..] = arrays;
        let tokens = random.int(0..2 * page - start + 1);
        let arrays = [pages, random.normal(&[1, heads, tokens, dims]), Array::from_slice(&[4, 0, -1], &[3])];
        check(&mut random, "paged_cache_update", &arrays, |a| paged_cache_update(&a[0], &a[1], &a[2], start))?;
    }
    Ok(())
}

#[test]
fn experts() -> Result<()> {
    let mut random = Random::new(95);
    for _ in 0..CASES {
        let (rows, outputs, groups) = (random.int(1..20), random.int(1..40), random.int(1..4));
        let arrays = [
            random.normal(&[rows, 64 * groups]),
            random.ids(u32::MAX, &[3, outputs, 8 * groups]),
            random.normal(&[3, outputs, groups]),
            random.normal(&[3, outputs, groups]),
            random.ids(3, &[rows]),
        ];
        check(&mut random, "grouped_quantized_matmul", &arrays, |a| {
            grouped_quantized_matmul(&a[0], &a[1], &a[2], &a[3], &a[4], 64, 4)
        })?;
    }
    Ok(())
}
