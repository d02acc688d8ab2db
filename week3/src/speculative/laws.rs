//! A row of logits as a law, by the name that the request gives.
//!
//! The loop compares laws, so both samplers of the course are needed as probabilities and not as draws.

use kit::law::{History, softmax};
use kit::{Result, SamplingLaw};
use mlx_rs::Array;
use week1::generate::next_logprobs;
use week1::law::distribution_from_logits;
use week1::sampler::{top_k, top_p};

/// The law of the next token: `logits` (V,) to probabilities (V,).
///
/// Filter-first: Week 1's filters on log probabilities in f32, then the softmax at the temperature in f64, with no
/// penalties. Temper-first: `distribution_from_logits`, with those of `history`.
/// Errors: `NonFinite` for a row that no token can be drawn from; as the filters.
pub fn law_of(logits: &[f64], law: &SamplingLaw, history: &History) -> Result<Vec<f64>> {
    let (temperature, count, mass) = match law {
        SamplingLaw::TemperFirst(config) => return distribution_from_logits(logits, config, history),
        SamplingLaw::FilterFirst { temperature, top_k, top_p } => (f64::from(*temperature), *top_k, *top_p),
    };
    let (count, mass) = (count.filter(|&k| k > 0), mass.filter(|&p| p > 0.0 && p < 1.0));
    if temperature == 0.0 || (count.is_none() && mass.is_none()) {
        return softmax(logits, temperature);
    }
    let row: Vec<f32> = logits.iter().map(|&logit| logit as f32).collect();
    let mut row = next_logprobs(&Array::from_slice(&row, &[1, 1, row.len() as i32]))?; // (1, V)
    if let Some(k) = count {
        row = top_k(&row, k as usize)?;
    }
    if let Some(p) = mass {
        row = top_p(&row, p)?;
    }
    let kept: Vec<f64> = kit::testing::values(&row)?.into_iter().map(f64::from).collect();
    softmax(&kept, temperature)
}
