//! The fused model, Week 1's reference and mlx-lm's golden logits say the same.

use kit::testing::{Random, Tolerance, assert_close_within, expect_error, golden, golden_tensors, tiny_model};
use kit::{CausalLm, Checkpoint, Error, Result};
use mlx_rs::Array;
use solution_baseline::FusedModel;
use solution_week1::model::Qwen3Model;

const BOUND: Tolerance = Tolerance { abs: 1e-3, rel: 0.0 };

fn golden_logits(file: &str, name: &str, model: &FusedModel) -> Result<()> {
    let tensors = golden_tensors(file)?;
    let part = |what: &str| {
        let missing = || Error::Other(format!("{file} has no {name}.{what}"));
        tensors.get(&format!("{name}.{what}")).ok_or_else(missing)
    };
    assert_close_within(name, &model.forward(part("ids")?)?, part("logits")?, BOUND)
}

#[test]
fn the_embedded_model() -> Result<()> {
    let (fused, reference) = (FusedModel::load(tiny_model()?)?, Qwen3Model::load(tiny_model()?)?);
    golden_logits("week1/tiny_qwen3.safetensors", "question", &fused)?;
    let ids = Random::new(1).ids(4096, &[2, 40]);
    assert_close_within("40 random ids", &fused.forward(&ids)?, &reference.forward(&ids)?, BOUND)
}

#[test]
fn random_models() -> Result<()> {
    for name in ["untied_mqa", "packed_tied"] {
        let checkpoint = Checkpoint::open(golden(&format!("week1/{name}")))?;
        let (fused, reference) = (FusedModel::load(&checkpoint)?, Qwen3Model::load(&checkpoint)?);
        golden_logits("week1/random_models.safetensors", name, &fused)?;
        let vocabulary = checkpoint.config().vocab_size as u32;
        for (seed, shape) in [(2, [1, 1]), (3, [1, 64]), (4, [3, 17])] {
            let ids = Random::new(seed).ids(vocabulary, &shape);
            assert_close_within(name, &fused.forward(&ids)?, &reference.forward(&ids)?, BOUND)?;
        }
    }
    Ok(())
}

#[test]
fn refuses_what_the_reference_refuses() -> Result<()> {
    let checkpoint = Checkpoint::open(golden("week1/untied_mqa"))?;
    let (fused, reference) = (FusedModel::load(&checkpoint)?, Qwen3Model::load(&checkpoint)?);
    for tokens in [
        Array::zeros::<u32>(&[4])?,
        Array::zeros::<u32>(&[1, 0])?,
        Array::zeros::<u32>(&[1, 65])?,
        Array::zeros::<f32>(&[1, 4])?,
        Array::from_slice(&[97_u32], &[1, 1]),
    ] {
        let (got, expected) = (expect_error(fused.forward(&tokens)), expect_error(reference.forward(&tokens)));
        assert_eq!(got.to_string(), expected.to_string());
    }
    Ok(())
}
