//! Attention for one token, on pages, and for a prompt, against plain loops in f64.
#![cfg(target_os = "linux")] // the host runs there

mod support;

use metal_host::{Arg, Grid, Result};
use support::attention::Shape;
use support::{BF16, F16, F32, Format, Random, close, library, run};

fn bytes(numbers: &[i32], scale: f32, more: &[i32]) -> Vec<u8> {
    let of = |n: &[i32]| n.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    [of(numbers), scale.to_le_bytes().to_vec(), of(more)].concat()
}

fn decode_in<T: Format>(kernel: &str, shape: Shape, tolerance: f64) -> Result<()> {
    let mut random = Random::new(shape.keys as u64);
    let (q, kv) = (shape.heads * shape.width, shape.groups * shape.keys * shape.width);
    let (q, k, v) = (random.normal(q), random.normal(kv), random.normal(kv));
    let (pq, pk, pv) = (T::pack(&q), T::pack(&k), T::pack(&v));
    let mut out = vec![T::Bits::default(); q.len()];
    let constants = bytes(&[shape.heads as i32, shape.groups as i32, shape.keys as i32], shape.scale(), &[]);
    let args = [Arg::input(&pq), Arg::input(&pk), Arg::input(&pv), Arg::output(&mut out), Arg::bytes(&constants)];
    run(&library("decode")?.kernel(kernel)?, Grid::groups(shape.heads), 256, &args)?;
    let want = shape.attend(&T::stored(&q), &T::stored(&k), &T::stored(&v));
    close(&format!("{kernel}, {} keys", shape.keys), &T::unpack(&out), &want, tolerance);
    Ok(())
}

#[test]
fn decode_attention_of_one_key_a_few_and_many() -> Result<()> {
    for keys in [1, 7, 200] {
        let shape = Shape { heads: 8, groups: 2, queries: 1, keys, width: 64, causal: false };
        decode_in::<F32>("attn_decode_f32_d64", shape, 1e-5)?;
    }
    let shape = Shape { heads: 8, groups: 2, queries: 1, keys: 300, width: 128, causal: false };
    decode_in::<BF16>("attn_decode_bf16_d128", shape, 6e-3)
}

#[test]
fn paged_attention_of_sequences_of_different_length() -> Result<()> {
    let (heads, groups, width, block, blocks, pages) = (4, 2, 64, 16, 5, 12);
    let lengths = [1i32, 33, 80];
    let table: [[i32; 5]; 3] = [[0, 9, 9, 9, 9], [1, 2, 3, 9, 9], [4, 5, 6, 7, 8]];
    let mut random = Random::new(5);
    let page = groups * block * width;
    let (q, k, v) = (random.normal(3 * heads * width), random.normal(pages * page), random.normal(pages * page));
    let (pq, pk, pv) = (F16::pack(&q), F16::pack(&k), F16::pack(&v));
    let mut out = vec![0u16; q.len()];
    let constants = bytes(&[heads as i32, groups as i32, block as i32, blocks], 0.125, &[]);
    let args = [
        Arg::input(&pq),
        Arg::input(&pk),
        Arg::input(&pv),
        Arg::input(&table),
        Arg::input(&lengths),
        Arg::output(&mut out),
        Arg::bytes(&constants),
        Arg::threadgroup_memory((4 * width + 8) * 4),
    ];
    run(&library("paged")?.kernel("attn_paged_f16_d64")?, Grid::groups((heads, 3)), 128, &args)?;
    let (q, k, v) = (F16::stored(&q), F16::stored(&k), F16::stored(&v));
    let mut want = Vec::new();
    for (n, &length) in lengths.iter().enumerate() {
        // The pages of a sequence one behind the other, head by head.
        let gathered = |x: &[f32]| -> Vec<f32> {
            let at = |g: usize, t: usize| (table[n][t / block] as usize * groups + g) * block + t % block;
            let rows = (0..groups).flat_map(|g| (0..length as usize).map(move |t| (g, t)));
            rows.flat_map(|(g, t)| x[at(g, t) * width..][..width].to_vec()).collect()
        };
        let shape = Shape { heads, groups, queries: 1, keys: length as usize, width, causal: false };
        want.extend(shape.attend(&q[n * heads * width..][..heads * width], &gathered(&k), &gathered(&v)));
    }
    close("paged attention", &F16::unpack(&out), &want, 2e-3);
    Ok(())
}

fn flash_in<T: Format>(kernel: &str, shape: Shape, tolerance: f64) -> Result<()> {
    let mut random = Random::new(shape.keys as u64 + 1);
    let (q, kv) = (shape.heads * shape.queries * shape.width, shape.groups * shape.keys * shape.width);
    let (q, k, v) = (random.normal(q), random.normal(kv), random.normal(kv));
    let (pq, pk, pv) = (T::pack(&q), T::pack(&k), T::pack(&v));
    let mut out = vec![T::Bits::default(); q.len()];
    let numbers = [shape.heads, shape.groups, shape.queries, shape.keys].map(|n| n as i32);
    let constants = bytes(&numbers, shape.scale(), &[i32::from(shape.causal)]);
    let args = [Arg::input(&pq), Arg::input(&pk), Arg::input(&pv), Arg::output(&mut out), Arg::bytes(&constants)];
    run(&library("flash")?.kernel(kernel)?, Grid::groups((shape.queries.div_ceil(32), shape.heads)), 128, &args)?;
    let want = shape.attend(&T::stored(&q), &T::stored(&k), &T::stored(&v));
    close(&format!("{kernel}, {} queries, {} keys", shape.queries, shape.keys), &T::unpack(&out), &want, tolerance);
    Ok(())
}

#[test]
fn flash_attention_with_tails_masks_and_shared_heads() -> Result<()> {
    for (queries, keys, causal) in [(45, 45, true), (32, 100, true), (64, 64, false)] {
        flash_in::<F32>("flash_f32_d64", Shape { heads: 4, groups: 2, queries, keys, width: 64, causal }, 3e-3)?;
    }
    Ok(())
}

/// 32 keys and values of 128 numbers in half are 16 KiB; with another 16 KiB of floats it would be too much.
#[test]
fn flash_attention_in_bfloat_of_wide_heads() -> Result<()> {
    flash_in::<BF16>(
        "flash_bf16_d128",
        Shape { heads: 2, groups: 1, queries: 40, keys: 40, width: 128, causal: true },
        8e-3,
    )
}
