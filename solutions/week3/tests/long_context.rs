//! Long texts on pages against the same model in f64: a seeded random checkpoint of the embedded model's shape with
//! 16,384 positions, read in pieces, then decoded.
//!
//! The reference here is MLX's array operations on doubles, with nothing of the course's kernels in it.

use kit::testing::{Random, doubles};
use kit::{Checkpoint, Result, Weights};
use mlx_rs::ops::indexing::IndexOp;
use mlx_rs::{Array, Dtype, ops};
use solution_week3::{
    batch_cache::BatchCache,
    batch_model::{BatchLm, BatchModel, Rows},
    paged_attention::Reading,
    paged_cache::PagedCache,
    stage::PAGE_SIZE,
};
use std::path::Path;

const POSITIONS: i32 = 16_384;
/// Tokens of a piece of a prompt.
const PIECE: i32 = 512;
/// Tokens that are decoded behind the prompt.
const DECODED: i32 = 4;

/// The checkpoint, written into `folder`.
fn checkpoint(folder: &Path) -> Result<Checkpoint> {
    kit::models::random::write("tiny", 34, folder)?;
    let file = folder.join("config.json");
    let text = std::fs::read_to_string(&file).expect("the configuration");
    let mut config: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    config["max_position_embeddings"] = POSITIONS.into();
    std::fs::write(&file, config.to_string()).expect("the configuration");
    Checkpoint::open(folder)
}

fn double(array: &Array) -> Result<Array> {
    Ok(array.as_dtype(Dtype::Float64)?)
}

/// The model in doubles.
struct InDoubles<'a> {
    checkpoint: &'a Checkpoint,
}

impl InDoubles<'_> {
    fn norm(&self, weights: &Weights<'_>, name: &str, x: &Array) -> Result<Array> {
        let mean = x.multiply(x)?.mean_axes(&[-1], true)?;
        let eps = Array::from_slice_f64(&[f64::from(self.checkpoint.config().rms_norm_eps)], &[1]);
        Ok(x.divide(mean.add(eps)?.sqrt()?)?.multiply(double(&weights.dense(name)?)?)?)
    }

    fn linear(weights: &Weights<'_>, name: &str, x: &Array) -> Result<Array> {
        Ok(x.matmul(double(&weights.dense(name)?)?.t())?)
    }

    /// `x` (H, S, D), each token turned by its position.
    fn turn(&self, x: &Array) -> Result<Array> {
        let (length, half) = (x.dim(1), x.dim(2) / 2);
        let base = f64::from(self.checkpoint.config().rope_theta);
        let angle = |place: i32| {
            let (position, pair) = (f64::from(place / half), f64::from(place % half));
            position * base.powf(-pair / f64::from(half))
        };
        let table = |of: fn(f64) -> f64| {
            let values: Vec<f64> = (0..length * half).map(|place| of(angle(place))).collect();
            Array::from_slice_f64(&values, &[length, half])
        };
        let (cos, sin) = (table(f64::cos), table(f64::sin));
        let (first, second) = (x.index((.., .., ..half)), x.index((.., .., half..)));
        let turned = [
            first.multiply(&cos)?.subtract(second.multiply(&sin)?)?,
            second.multiply(&cos)?.add(first.multiply(&sin)?)?,
        ];
        Ok(ops::concatenate(&turned, -1)?)
    }

    /// Causal attention of all queries (H_q, S, D) over (H, S, D) → (S, H_q · D), a piece of queries at a time.
    fn attend(query: &Array, keys: &Array, values: &Array) -> Result<Array> {
        let (heads, length, width) = (query.dim(0), query.dim(1), query.dim(2));
        let scale = Array::from_slice_f64(&[f64::from(width).sqrt().recip()], &[1]);
        let group = heads / keys.dim(0);
        let mut pieces = Vec::new();
        for first in (0..length).step_by(PIECE as usize) {
            let last = length.min(first + PIECE);
            let query = query.index((.., first..last, ..)).reshape(&[keys.dim(0), group * (last - first), width])?;
            let seen = keys.index((.., ..last, ..)).swap_axes(1, 2)?;
            let scores = query.matmul(seen)?.multiply(&scale)?.reshape(&[keys.dim(0), group, last - first, last])?;
            let places = ops::arange::<_, i32>(first, last, 1)?.expand_dims(1)?;
            let later = ops::arange::<_, i32>(0, last, 1)?.gt(places)?;
            let never = doubles(&[1]).subtract(Array::from_slice_f64(&[f64::INFINITY], &[1]))?;
            let scores = ops::select(&later, &never, &scores)?;
            let weights = scores.subtract(scores.max_axes(&[-1], true)?)?.exp()?;
            let weights = weights.divide(weights.sum_axes(&[-1], true)?)?;
            let weights = weights.reshape(&[keys.dim(0), group * (last - first), last])?;
            let sums = weights.matmul(values.index((.., ..last, ..)))?; // (H, G · L, D)
            let sums = sums.reshape(&[heads, last - first, width])?.swap_axes(0, 1)?;
            let sums = sums.reshape(&[last - first, heads * width])?;
            sums.eval()?;
            pieces.push(sums);
        }
        Ok(ops::concatenate(&pieces, 0)?)
    }

    /// The logits of the last `rows` tokens of `ids`, (rows, V).
    fn logits(&self, ids: &[u32], rows: i32) -> Result<Vec<f64>> {
        let config = self.checkpoint.config();
        let (weights, length) = (self.checkpoint.weights().at("model"), ids.len() as i32);
        let table = double(&weights.dense("embed_tokens")?)?;
        let mut x = table.take_axis(Array::from_slice(ids, &[length]), 0)?; // (S, E)
        for layer in 0..config.num_hidden_layers {
            let (layer, heads) = (weights.at(&format!("layers.{layer}")), [length, -1, config.head_dim]);
            let (attention, mlp) = (layer.at("self_attn"), layer.at("mlp"));
            let normed = self.norm(&layer, "input_layernorm", &x)?;
            let split = |name: &str| -> Result<Array> {
                Ok(Self::linear(&attention, name, &normed)?.reshape(&heads)?) // (S, H, D)
            };
            let query = self.norm(&attention, "q_norm", &split("q_proj")?)?.swap_axes(0, 1)?;
            let keys = self.norm(&attention, "k_norm", &split("k_proj")?)?.swap_axes(0, 1)?;
            let seen = Self::attend(&self.turn(&query)?, &self.turn(&keys)?, &split("v_proj")?.swap_axes(0, 1)?)?;
            x = x.add(Self::linear(&attention, "o_proj", &seen)?)?;
            let normed = self.norm(&layer, "post_attention_layernorm", &x)?;
            let gate = Self::linear(&mlp, "gate_proj", &normed)?;
            let one = Array::from_slice_f64(&[1.0], &[1]);
            let silu = gate.divide(gate.negative()?.exp()?.add(one)?)?;
            let gated = silu.multiply(Self::linear(&mlp, "up_proj", &normed)?)?;
            x = x.add(Self::linear(&mlp, "down_proj", &gated)?)?;
            x.eval()?;
        }
        let last = self.norm(&weights, "norm", &x.index((length - rows.., ..)))?;
        let logits = last.matmul(table.t())?.contiguous()?;
        logits.eval()?;
        Ok(logits.as_slice::<f64>().to_vec())
    }
}

/// The logits of the last prompt token and of [`DECODED`] more, by pages read in place.
fn on_pages(model: &BatchModel, ids: &[u32], prompt: i32) -> Result<(Vec<f32>, PagedCache)> {
    let pages = (ids.len() as i32 + PAGE_SIZE - 1) / PAGE_SIZE;
    let mut cache = PagedCache::new(model.layers(), 1, PAGE_SIZE, pages as usize)?;
    cache.reading = Reading::InTiles;
    cache.join(0)?;
    let mut logits = Vec::new();
    let mut first = 0;
    while first < ids.len() as i32 {
        let last = if first < prompt { prompt.min(first + PIECE) } else { first + 1 };
        let piece = Array::from_slice(&ids[first as usize..last as usize], &[1, last - first]);
        let row = model.forward(&piece, &[0], &mut cache, Rows::Last)?;
        if last >= prompt {
            logits.extend_from_slice(row.as_dtype(Dtype::Float32)?.contiguous()?.as_slice::<f32>());
        }
        first = last;
    }
    Ok((logits, cache))
}

/// How far f32 on pages is from doubles, and the largest logit.
fn off(checkpoint: &Checkpoint, prompt: i32) -> Result<(f64, f64)> {
    let model = BatchModel::load(checkpoint)?;
    let count = prompt + DECODED;
    let ids: Vec<u32> = {
        let mut random = Random::new(7);
        (0..count).map(|_| random.int(0..checkpoint.config().vocab_size) as u32).collect()
    };
    let (got, cache) = on_pages(&model, &ids, prompt)?;
    assert_eq!(cache.length(0), Some(count), "tokens in the cache");
    let expected = InDoubles { checkpoint }.logits(&ids, DECODED + 1)?;
    assert_eq!(got.len(), expected.len(), "logits");
    let largest = expected.iter().fold(0.0f64, |most, logit| most.max(logit.abs()));
    let worst = got.iter().zip(&expected).fold(0.0f64, |most, (got, expected)| {
        // What is no number is infinitely far.
        let off = (f64::from(*got) - expected).abs();
        if off.is_finite() { most.max(off) } else { f64::INFINITY }
    });
    println!("{prompt} tokens: {worst:.1e} off, the largest logit {largest:.1}");
    Ok((worst, largest))
}

/// Of logits whose largest is about 5.
const BOUND: f64 = 2e-4;

fn within_bounds(lengths: &[i32]) -> Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let checkpoint = checkpoint(folder.path())?;
    for &prompt in lengths {
        let (off, largest) = off(&checkpoint, prompt)?;
        assert!(off <= BOUND, "{prompt} tokens: {off:e} off, more than {BOUND:e}; the largest logit is {largest}");
    }
    Ok(())
}

#[test]
fn a_lone_token_is_near_doubles() -> Result<()> {
    within_bounds(&[1])
}

#[test]
fn a_block_of_keys_but_one_is_near_doubles() -> Result<()> {
    within_bounds(&[63])
}

#[test]
fn a_block_of_keys_is_near_doubles() -> Result<()> {
    within_bounds(&[64])
}

#[test]
fn a_block_of_keys_and_one_is_near_doubles() -> Result<()> {
    within_bounds(&[65])
}

#[test]
#[ignore = "takes minutes"]
fn long_texts_are_near_doubles() -> Result<()> {
    within_bounds(&[1000, 8192])
}
