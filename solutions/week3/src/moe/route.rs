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
    // SOLUTION 3.6.2 logits, k, normalize
    use kit::{ANY, check_float, check_shape};
    use mlx_rs::{Dtype, ops};
    use week2::quantized_linear::rows;

    check_float("route_topk: logits", logits)?;
    check_shape("route_topk: logits", logits, "(N, X)", &[ANY, ANY])?;
    let experts = logits.dim(1);
    check_k(k, experts)?;
    rows("route_topk: logits", logits, experts)?;
    let shares = ops::softmax_axis(logits.as_dtype(Dtype::Float32)?, -1, true)?; // (N, X)
    let mut left = shares.clone();
    let never = Array::from_f32(-1.0);
    let numbers = Array::from_iter(0..experts, &[1, experts]);
    let mut ids = Vec::new();
    for _ in 0..k {
        // argmax gives the first of equals, and a share is never below 0.
        let best = ops::indexing::argmax_axis(&left, -1, true)?; // (N, 1)
        left = ops::select(numbers.eq(best.as_dtype(Dtype::Int32)?)?, &never, &left)?;
        ids.push(best);
    }
    let ids = ops::concatenate(&ids, -1)?; // (N, k)
    let mut weights = shares.take_along_axis(&ids, -1)?; // (N, k)
    if normalize {
        weights = weights.divide(weights.sum_axis(-1, true)?)?;
    }
    Ok(Routing { ids, weights })
    // END SOLUTION
}

/// Refuses a number of experts that a layer does not have.
pub fn check_k(k: i32, experts: i32) -> Result<()> {
    if (1..=experts).contains(&k) {
        return Ok(());
    }
    let must = format!("be from 1 to the experts, {experts}");
    Err(Error::InvalidArgument { name: "k".into(), value: k.to_string(), must })
}
