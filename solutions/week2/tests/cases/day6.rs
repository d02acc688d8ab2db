//! Day 6: the model whose prompts go through tiles answers as before. The kernel's own tests are those of the extensions.

use kit::Result;
use kit::testing::{Random, Tolerance, assert_close_within, golden_tensors, tiny_model};
use mlx_rs::ops::indexing::IndexOp;
use solution_week1::generate::greedy;
use std::ops::ControlFlow;
use week2::{
    generate::generate,
    model::{CachedLm, Qwen3Model, Rows},
    rung::Rung,
};

/// Logits of the embedded model, in f32.
const LOGITS: Tolerance = Tolerance { abs: 1e-3, rel: 0.0 };

/// The pieces of a text that mlx-lm has seen, each after the ones before it: the last row of logits after each.
fn as_mlx_lm(rung: Rung) -> Result<()> {
    let golden = golden_tensors("week2/day1.safetensors")?;
    let model = Qwen3Model::load(tiny_model()?, rung)?;
    let (mut caches, mut offset) = (model.caches()?, 0);
    for number in 0..5 {
        let tokens = &golden[&format!("model.{number}.ids")];
        let last = model.forward(tokens, offset, &mut caches, Rows::Last)?.index((0, 0));
        offset += tokens.dim(1);
        let what = format!("{rung:?}, piece {number}");
        assert_close_within(&what, &last, &golden[&format!("model.{number}.last")], LOGITS)?;
    }
    Ok(())
}

/// Logits of two texts at once and the greedy tokens after a prompt, on a rung and on the one below.
fn as_the_rung_below(rung: Rung, below: Rung) -> Result<()> {
    let (model, lower) = (Qwen3Model::load(tiny_model()?, rung)?, Qwen3Model::load(tiny_model()?, below)?);
    let tokens = Random::new(60).ids(4000, &[2, 43]);
    let (mut caches, mut lower_caches) = (model.caches()?, lower.caches()?);
    for (from, to) in [(0, 36), (36, 37), (37, 38), (38, 43)] {
        let piece = tokens.index((.., from..to));
        let got = model.forward(&piece, from, &mut caches, Rows::All)?;
        let expected = lower.forward(&piece, from, &mut lower_caches, Rows::All)?;
        assert_close_within(&format!("{rung:?} and {below:?}, tokens {from} to {to}"), &got, &expected, LOGITS)?;
    }
    let prompt = tiny_model()?.tokenizer()?.encode("What is a KV cache, and why does it make a model faster?")?;
    let on = |_| ControlFlow::Continue(());
    let got = generate(&model, &mut model.caches()?, &prompt, 12, &[4095], greedy, on)?;
    let expected = generate(&lower, &mut lower.caches()?, &prompt, 12, &[4095], greedy, on)?;
    assert_eq!(got, expected, "greedy tokens on {rung:?} and on {below:?}");
    Ok(())
}

#[test]
fn end_the_model_with_tiles_answers_as_without() -> Result<()> {
    as_the_rung_below(Rung::TiledMatmul, Rung::DecodeAttention)
}

#[test]
fn end_the_model_with_tiles_answers_as_mlx_lm() -> Result<()> {
    as_mlx_lm(Rung::TiledMatmul)
}
