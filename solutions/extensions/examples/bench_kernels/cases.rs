//! The kernels and their sizes: those of a Qwen3-0.6B, 4-bit, decoding one token or reading a prompt.

use extensions::week2::{Mask, Path, decode_attention, rms_norm, rope, swiglu};
use kit::Result;
use kit::testing::Random;
use mlx_rs::{Array, fast, ops};

use crate::measure::Case;
use crate::memory::COLD;
use crate::weights::Weights;
use crate::{lookups, pages, updates};

/// All kernels.
pub const NAMES: [&str; 14] = [
    "vanilla",
    "matvec",
    "tiled",
    "split_k",
    "int16_matvec",
    "rms_norm",
    "rope",
    "swiglu",
    "decode_attention",
    "paged_cache_update",
    "quantized_embedding",
    "paged_attention",
    "flash_attention",
    "grouped_quantized_matmul",
];

/// What is done with a case.
type Sink<'s> = &'s mut dyn FnMut(&Case<'_>) -> Result<()>;

/// Hands out the cases of the kernels whose name has the word.
pub fn each(word: &str, sink: Sink<'_>) -> Result<()> {
    let mut random = Random::new(0);
    for name in NAMES.into_iter().filter(|name| name.contains(word)) {
        match name {
            "rms_norm" => norms(&mut random, sink)?,
            "rope" => turns(&mut random, sink)?,
            "swiglu" => gates(&mut random, sink)?,
            "decode_attention" => attention(&mut random, sink)?,
            "paged_cache_update" => updates::each(&mut random, sink)?,
            "quantized_embedding" => lookups::embeddings(&mut random, sink)?,
            "grouped_quantized_matmul" => lookups::experts(&mut random, sink)?,
            "paged_attention" | "flash_attention" => pages::each(name, &mut random, sink)?,
            product => products(product, &mut random, sink)?,
        }
    }
    Ok(())
}

fn products(name: &'static str, random: &mut Random, sink: Sink<'_>) -> Result<()> {
    // Rows, outputs, inputs, group, and whether all steps are measured: where it takes seconds, the fastest alone.
    let sizes: &[(i32, i32, i32, i32, bool)] = match name {
        "vanilla" => &[(1, 1024, 1024, 64, true)],
        "matvec" => &[
            (1, 1024, 1024, 64, true),
            (1, 3072, 1024, 64, true),
            (1, 1024, 3072, 128, true),
            (1, 151_936, 1024, 64, true),
            (1, 151_936, 1024, 128, false),
            (8, 3072, 1024, 64, false),
        ],
        "int16_matvec" => &[(1, 3072, 1024, 64, true), (1, 151_936, 1024, 64, true), (8, 3072, 1024, 64, false)],
        "tiled" => &[(64, 3072, 1024, 64, true), (512, 3072, 1024, 64, false), (512, 1024, 3072, 64, false)],
        _ => &[(16, 16, 3072, 64, true), (16, 64, 3072, 64, true), (16, 1024, 3072, 64, true)],
    };
    for &(rows, outputs, inputs, group, every_step) in sizes {
        let x = random.normal(&[rows, inputs]);
        let weights = match name {
            "matvec" | "int16_matvec" => Weights::cold(random, outputs, inputs, group)?,
            _ => Weights::one(random, outputs, inputs, group)?,
        };
        let mut hand_out = |source, path| sink(&weights.case(name, source, &x, path, every_step));
        match name {
            "vanilla" => hand_out(include_str!("../../src/loops/quantized_matmul.cpp"), Path::Vanilla)?,
            "matvec" => hand_out(include_str!("../../src/loops/quantized_matvec.cpp"), Path::Matvec)?,
            "int16_matvec" => hand_out(include_str!("../../src/loops/int16_matvec.cpp"), Path::MatvecInt16)?,
            "tiled" => hand_out(include_str!("../../src/loops/tiled_matmul.cpp"), Path::Tiled)?,
            _ => {
                for parts in [1, 2, 4, 8] {
                    hand_out(include_str!("../../src/loops/split_k_matmul.cpp"), Path::SplitK(parts))?;
                }
            }
        }
    }
    Ok(())
}

/// How often a small operator is called in one graph: a call alone is over before a clock has turned.
fn calls(rows: i32) -> usize {
    if rows == 1 { 256 } else { 1 }
}

/// The results of `calls` calls.
fn repeat<E: Into<kit::Error>>(calls: usize, call: impl Fn() -> std::result::Result<Array, E>) -> Result<Vec<Array>> {
    (0..calls).map(|_| call().map_err(Into::into)).collect()
}

fn norms(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    for rows in [1, 512] {
        let (x, weight) = (&random.normal(&[rows, 1024]), &random.normal(&[1024]));
        sink(&Case {
            kernel: "rms_norm",
            size: format!("{rows}x1024"),
            bytes: x.nbytes() * 2,
            flops: x.size() * 4,
            source: include_str!("../../src/loops/rms_norm.cpp"),
            mlx: Box::new(move || repeat(calls(rows), || fast::rms_norm(x, Some(weight), 1e-6))),
            kernel_run: Box::new(move || repeat(calls(rows), || rms_norm(x, weight, 1e-6))),
            every_step: true,
        })?;
    }
    Ok(())
}

fn gates(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    for rows in [1, 512] {
        let (x, up) = (&random.normal(&[rows, 3072]), &random.normal(&[rows, 3072]));
        let mlx = move || ops::multiply(ops::multiply(x, ops::sigmoid(x)?)?, up);
        sink(&Case {
            kernel: "swiglu",
            size: format!("{rows}x3072"),
            bytes: x.nbytes() * 3,
            flops: x.size() * 4,
            source: include_str!("../../src/loops/swiglu.cpp"),
            mlx: Box::new(move || repeat(calls(rows), mlx)),
            kernel_run: Box::new(move || repeat(calls(rows), || swiglu(x, up))),
            every_step: true,
        })?;
    }
    Ok(())
}

fn turns(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    for length in [1, 512] {
        let heads = &random.normal(&[1, length, 16, 128]);
        // MLX turns (B, H, L, D).
        let first = &heads.transpose_axes(&[0, 2, 1, 3])?.contiguous()?;
        let offsets = &Array::from_slice(&[700i32], &[1]);
        let mlx = move || fast::rope(first, 128, false, 1e6, 1.0, 700, None)?.transpose_axes(&[0, 2, 1, 3]);
        sink(&Case {
            kernel: "rope",
            size: format!("{length}x16x128"),
            bytes: heads.nbytes() * 2,
            flops: heads.size() * 3,
            source: include_str!("../../src/loops/rope.cpp"),
            mlx: Box::new(move || repeat(calls(length), mlx)),
            kernel_run: Box::new(move || repeat(calls(length), || rope(heads, offsets, 128, 1e6, false))),
            every_step: true,
        })?;
    }
    Ok(())
}

fn attention(random: &mut Random, sink: Sink<'_>) -> Result<()> {
    for keys in [256, 1024, 4096] {
        let query = &random.normal(&[1, 16, 1, 128]);
        let one = [random.normal(&[1, 8, keys, 128]), random.normal(&[1, 8, keys, 128])];
        let bytes = one[0].nbytes() * 2;
        // Every layer has keys and values of its own.
        let layers = COLD.div_ceil(2 * bytes);
        let mut caches = Vec::new();
        for layer in 0..layers {
            let add = |array: &Array| ops::add(array, Array::from_f32(layer as f32 * 0.01));
            let cache = [add(&one[0])?, add(&one[1])?];
            mlx_rs::transforms::eval(&cache)?;
            caches.push(cache);
        }
        let caches = &caches;
        let mlx = move || {
            let of = |[key, value]: &[Array; 2]| {
                Ok(fast::scaled_dot_product_attention(query, key, value, 0.088, None, None)?)
            };
            caches.iter().map(of).collect()
        };
        let ours = move || {
            let of = |[key, value]: &[Array; 2]| decode_attention(query, key, value, Mask::None, 0.088);
            caches.iter().map(of).collect()
        };
        sink(&Case {
            kernel: "decode_attention",
            size: format!("16 heads over 8, {keys} keys of 128"),
            bytes,
            flops: 4 * one[0].size() * 2,
            source: include_str!("../../src/loops/decode_attention.cpp"),
            mlx: Box::new(mlx),
            kernel_run: Box::new(ours),
            every_step: true,
        })?;
    }
    Ok(())
}
