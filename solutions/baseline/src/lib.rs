//! The same Qwen3 on MLX's own fused operators: what a learner's engine is compared with.
//!
//! A checkpoint flows in, a [`kit::Engine`] flows out. Norm, rotation and attention are one call of MLX each, the linear
//! layers are its matrix product on unpacked weights. Generation, sampling and detokenising are those of Week 1's
//! reference, so that a difference between two engines is a difference of their models.

mod attention;
mod cached;
mod model;

pub use cached::CachedFusedModel;
pub use model::FusedModel;

use kit::{Checkpoint, Engine, Error, Result};
use mlx_rs::Array;
use solution_week1::engine::ModelEngine;
use solution_week2::engine::CachedEngine;

/// Loads the model of `checkpoint` into an engine: by default as in Week 1, whole texts on unpacked weights; the stage
/// `cached` keeps weights packed and has a cache, as in Week 2.
///
/// Errors: `InvalidArgument` for another stage; as [`FusedModel::load`] and [`CachedFusedModel::load`].
pub fn load(checkpoint: &Checkpoint, stage: Option<&str>) -> Result<Box<dyn Engine>> {
    match stage {
        None => Ok(Box::new(ModelEngine { model: FusedModel::load(checkpoint)? })),
        Some("cached") => {
            let model = CachedFusedModel::load(checkpoint)?;
            Ok(Box::new(CachedEngine { model, stored: None, note: None }))
        }
        Some(other) => {
            let (name, must) = ("--checkpoint".into(), "be cached, or left out for whole texts".into());
            Err(Error::InvalidArgument { name, value: other.into(), must })
        }
    }
}

/// `x` (.., I) times the transpose of `weight` (O, I): (.., O).
fn linear(x: &Array, weight: &Array) -> Result<Array> {
    Ok(x.matmul(weight.transpose()?)?)
}
