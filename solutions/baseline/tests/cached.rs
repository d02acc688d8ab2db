//! The cached model on MLX's operators says what the uncached one says, in any pieces.

use kit::testing::{Random, Tolerance, assert_close_within, golden, tiny_model};
use kit::{CausalLm, Checkpoint, Result};
use mlx_rs::ops::indexing::IndexOp;
use solution_baseline::{CachedFusedModel, FusedModel};
use solution_week2::model::{CachedLm, Rows};

fn compare(checkpoint: &Checkpoint, what: &str) -> Result<()> {
    let (cached, whole) = (CachedFusedModel::load(checkpoint)?, FusedModel::load(checkpoint)?);
    let tokens = Random::new(5).ids(checkpoint.config().vocab_size as u32, &[2, 9]);
    let expected = whole.forward(&tokens)?; // (2, 9, V)
    let mut caches = cached.caches()?;
    for (from, to) in [(0, 4), (4, 5), (5, 9)] {
        let logits = cached.forward(&tokens.index((.., from..to)), from, &mut caches, Rows::All)?;
        let bound = Tolerance { abs: 1e-3, rel: 0.0 };
        assert_close_within(&format!("{what}, {from} to {to}"), &logits, &expected.index((.., from..to, ..)), bound)?;
    }
    let last = cached.forward(&tokens, 0, &mut cached.caches()?, Rows::Last)?;
    assert_eq!(last.shape(), [2, 1, checkpoint.config().vocab_size]);
    Ok(())
}

#[test]
fn the_embedded_model() -> Result<()> {
    compare(tiny_model()?, "tiny")
}

#[test]
fn random_models() -> Result<()> {
    for name in ["untied_mqa", "packed_tied"] {
        compare(&Checkpoint::open(golden(&format!("week1/{name}")))?, name)?;
    }
    Ok(())
}
