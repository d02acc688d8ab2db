//! The layer of experts that stands where a dense model has its MLP.

use super::{experts::ExpertLinear, route::check_k};
use kit::{Experts, Result, Weights};
use mlx_rs::Array;
use week2::{operators::Linear, rung::Rung};

/// A router and the three layers of every expert.
#[derive(Debug, Clone)]
pub struct Moe {
    /// E → X, the logits of the experts.
    pub gate: Linear,
    /// E → I of each expert
    pub gate_proj: ExpertLinear,
    /// E → I of each expert
    pub up_proj: ExpertLinear,
    /// I → E of each expert
    pub down_proj: ExpertLinear,
    /// Experts of a token, k.
    pub experts_per_token: i32,
    /// Whether their weights sum to 1.
    pub normalize: bool,
    /// What the operators run on.
    pub rung: Rung,
}

impl Moe {
    /// Reads one layer; `weights` stands at `model.layers.N.mlp`.
    ///
    /// Errors: `Checkpoint` for a tensor that is missing; `InvalidArgument` about `k`.
    pub fn load(weights: &Weights<'_>, config: &Experts, rung: Rung) -> Result<Self> {
        check_k(config.num_experts_per_tok, config.num_experts)?;
        let switch = weights.at("switch_mlp");
        Ok(Self {
            gate: Linear::load(weights, "gate", rung)?,
            gate_proj: ExpertLinear::load(&switch, "gate_proj")?,
            up_proj: ExpertLinear::load(&switch, "up_proj")?,
            down_proj: ExpertLinear::load(&switch, "down_proj")?,
            experts_per_token: config.num_experts_per_tok,
            normalize: config.norm_topk_prob,
            rung,
        })
    }

    /// `x` (.., E) → (.., E), dtype of `x`: each token through its own k
    /// experts, `down(silu(gate(x)) · up(x))`, times their weights.
    ///
    /// Errors: whatever the router and the experts refuse.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        kit::stub!("3.6.3", self, x)
    }
}
