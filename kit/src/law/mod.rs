//! The temper-first law, in f64 on the host: what a row of logits says about the next token.
//!
//! In: logits (V,), settings, and what the completion holds so far. Out: probabilities (V,), or a draw. The order is
//! penalties, softmax at a temperature, nucleus and top-k on the tempered law, one renormalisation; a week's crate puts
//! these pieces together in `distribution_from_logits`. Nothing here knows MLX: this is the specification that a device
//! is compared with, so every sum is a plain left-to-right f64 sum.
//!
//! Settings are refused where they enter ([`SamplerConfig`], [`History`]), rows where they are read: no function here
//! gives a probability for a row with NaN, with +inf or without a finite entry, at no temperature.

mod config;
mod distribution;
mod draw;
mod enumeration;
mod filters;
mod history;
mod order;
mod penalties;
mod softmax;
mod sparse;

pub use config::{SamplerConfig, SamplerConfigBuilder};
pub use distribution::{Distribution, check_weight};
pub use draw::{Chance, Uniforms, sample_from_distribution};
pub use enumeration::{every_outcome, total_variation};
pub use filters::apply_top_p_top_k;
pub use history::History;
pub use order::deterministic_top_k_order;
pub use penalties::apply_penalties;
pub use softmax::softmax;
pub use sparse::SparseDistribution;
