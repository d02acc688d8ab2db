//! The temper-first law: one row of logits to the probabilities of the next token, in f64 on the host.
//!
//! In: logits (V,), checked settings, what the completion holds so far. Out: probabilities (V,). The pieces are given
//! by [`kit::law`]; what makes them a law is their order, which is yours to write.

pub use kit::law::{
    Chance, Distribution, History, SamplerConfig, SparseDistribution, Uniforms, apply_penalties, apply_top_p_top_k,
    deterministic_top_k_order, sample_from_distribution, softmax,
};

use kit::Result;

/// The law of the next token: penalties on the raw logits, softmax at the
/// temperature, both filters on the tempered law.
///
/// `logits` (V,); returns probabilities (V,), which sum to 1.
/// Errors: `NonFinite` for a row with NaN, +inf, or no finite entry;
/// `InvalidArgument` for an id of `history` outside the vocabulary.
pub fn distribution_from_logits(logits: &[f64], config: &SamplerConfig, history: &History) -> Result<Vec<f64>> {
    kit::stub!("1.7.5", logits, config, history)
}
