//! Which experts a token goes to.

use kit::{Error, Result};
use mlx_rs::Array;

/// The experts of each row, the one with the largest weight first.
#[derive(Debug, Clone)]
pub struct Routing {
    /// (N, k) u32
    pub ids: Array,
    /// (N, k) f32
    pub weights: Array,
}

/// The `k` most likely experts of each row, by the softmax of `logits` (N, X),
/// computed in f32.
///
/// Of equals the lowest id comes first. `normalize`: the weights of a row are
/// divided by their sum, otherwise they stay what the softmax gave them.
/// Errors: `Shape` unless (N, X) with at least one row; `Dtype` unless a
/// float; `InvalidArgument` about `k` unless from 1 to X.
pub fn route_topk(logits: &Array, k: i32, normalize: bool) -> Result<Routing> {
    kit::stub!("3.6.2", logits, k, normalize)
}

/// Refuses a number of experts that a layer does not have.
pub fn check_k(k: i32, experts: i32) -> Result<()> {
    if (1..=experts).contains(&k) {
        return Ok(());
    }
    let must = format!("be from 1 to the experts, {experts}");
    Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must })
}
