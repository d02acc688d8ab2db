//! Random checkpoints: valid, the same for the same seed, with weights of a size that a model can compute with.

use kit::{Checkpoint, Error, LinearWeights, models::random, testing::expect_invalid_argument, testing::values};
use std::{fs, path::Path};

fn made(seed: u64, folder: &Path) -> kit::Result<Vec<u8>> {
    let bytes = random::write("qwen3-tiny", seed, folder)?;
    let written = fs::read(folder.join("model.safetensors")).map_err(|e| Error::Other(e.to_string()))?;
    assert_eq!(written.len() as u64, bytes);
    Ok(written)
}

#[test]
fn the_same_seed_gives_the_same_checkpoint() -> kit::Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = made(7, folder.path())?;
    assert!(made(7, folder.path())? == first, "seed 7, twice");
    assert!(made(8, folder.path())? != first, "seeds 7 and 8");
    Ok(())
}

#[test]
fn it_opens_and_its_weights_have_the_variance_of_a_trained_layer() -> kit::Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    made(1, folder.path())?;
    let checkpoint = Checkpoint::open(folder.path())?;
    assert_eq!((checkpoint.config().num_hidden_layers, checkpoint.config().hidden_size), (8, 256));
    let layer = checkpoint.weights().at("model.layers.3");
    let LinearWeights::Quantized { scales, bits: 4, group_size: 128, .. } = layer.linear("mlp.down_proj")? else {
        panic!("the layer is packed in 4 bits and groups of 128");
    };
    let scales = values(&scales)?;
    assert!(scales.iter().any(|&scale| scale < 0.0) && scales.iter().any(|&scale| scale > 0.0), "signs of scales");
    for (name, inputs) in [("mlp.down_proj", 768.0_f32), ("self_attn.q_proj", 256.0)] {
        let weight = values(&layer.dense(name)?)?;
        let mean = weight.iter().sum::<f32>() / weight.len() as f32;
        let deviation = (weight.iter().map(|value| value * value).sum::<f32>() / weight.len() as f32).sqrt();
        assert!(mean.abs() < 0.1 / inputs.sqrt(), "{name}: mean {mean}");
        let ratio = deviation * inputs.sqrt();
        assert!((0.9..1.2).contains(&ratio), "{name}: {ratio} times 1/sqrt({inputs})");
    }
    Ok(())
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = expect_invalid_argument(random::write("qwen3-30b", 0, folder.path()), "the model");
    assert!(error.to_string().contains("qwen3-0.6b, qwen3-1.7b"), "{error}");
    let there = fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(there, 0, "nothing was written");
}
