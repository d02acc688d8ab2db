//! Mixture of experts: many MLPs a layer, of which a token uses a few.
//!
//! In: hidden states of a layer. `route` gives each token its experts and their weights, `experts` multiplies each row
//! with the weight of its own expert, `block` is the layer that takes the MLP's place, `model` the whole Qwen3-MoE.

mod block;
mod experts;
mod model;
mod route;

pub use block::Moe;
pub use experts::ExpertLinear;
pub use model::{FeedForward, MoeLayer, Qwen3MoeModel};
pub use route::{Routing, route_topk};
// What these functions take from Week 2, yours or the reference's.
pub use week2::{
    model::{CachedLm, Rows},
    operators::Linear,
    rung::Rung,
};
