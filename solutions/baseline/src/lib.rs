//! The same Qwen3 on MLX's own fused operators: what a learner's engine is compared with.
//!
//! A checkpoint flows in, a [`kit::Engine`] flows out. Norm, rotation and attention are one call of MLX each, the linear
//! layers are its matrix product on unpacked weights. Generation, sampling and detokenising are those of Week 1's
//! reference, so that a difference between two engines is a difference of their models.

mod attention;
mod model;

pub use model::FusedModel;

use kit::{Checkpoint, Engine, Result};
use mlx_rs::Array;
use solution_week1::engine::ModelEngine;

/// Loads the model of `checkpoint` into an engine. Errors: as [`FusedModel::load`].
pub fn load(checkpoint: &Checkpoint) -> Result<Box<dyn Engine>> {
    Ok(Box::new(ModelEngine { model: FusedModel::load(checkpoint)? }))
}

/// `x` (.., I) times the transpose of `weight` (O, I): (.., O).
fn linear(x: &Array, weight: &Array) -> Result<Array> {
    Ok(x.matmul(weight.transpose()?)?)
}
