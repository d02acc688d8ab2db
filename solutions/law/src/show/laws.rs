//! One row through each law.

use kit::{Error, Result, law::softmax};
use mlx_rs::Array;
use solution_law::{History, SamplerConfig, distribution_from_logits, mlx_lm};
use week1::sampler::{make_sampler, top_k, top_p};

use super::Question;

/// What every law is asked with; each reads it in its own way.
pub struct Settings {
    pub temperature: f64,
    pub top_p: f64,
    pub top_k: i64,
}

/// A law's answer.
pub struct Law {
    pub name: &'static str,
    /// What the law does, in its order.
    pub order: &'static str,
    /// The probabilities (V,), or why the law refuses.
    pub probs: Result<Vec<f64>>,
}

impl Law {
    /// The ids that may be drawn; none where the law refuses.
    pub fn kept(&self) -> Vec<usize> {
        let probs = self.probs.iter().flatten();
        probs.enumerate().filter(|(_, prob)| **prob > 0.0).map(|(id, _)| id).collect()
    }
}

/// Temper-first, filter-first, mlx-lm.
pub fn every_law(question: &Question) -> [Law; 3] {
    [
        Law {
            name: "temper-first",
            order: "temperature, then top-p and top-k on the tempered law",
            probs: temper_first(question),
        },
        Law { name: "filter-first", order: "top-k, top-p, then the temperature", probs: filter_first(question) },
        Law { name: "mlx-lm", order: "top-p with all that tie, top-k, then the temperature", probs: mlx_lm(question) },
    ]
}

fn temper_first(question: &Question) -> Result<Vec<f64>> {
    let Settings { temperature, top_p, top_k } = question.settings;
    let config = SamplerConfig::builder().temperature(temperature).top_p(top_p).top_k(top_k).build()?;
    distribution_from_logits(&question.logits, &config, &History::default())
}

/// The filters of Week 1 on a row of MLX, as the sampler calls them; the draw's softmax is taken in f64.
fn filter_first(question: &Question) -> Result<Vec<f64>> {
    let Settings { temperature, top_p: p, top_k: k } = question.settings;
    let count = i32::try_from(k).map_err(|_| {
        let must = format!("be at most the vocabulary, {}", question.probs.len());
        Error::InvalidArgument { name: "k".into(), value: k.to_string(), must }
    })?;
    // Refuses the settings that the sampler refuses.
    make_sampler(temperature as f32, Some(count), Some(p as f32), 0)?;
    let mut row = Array::from_slice(&logprobs(question), &[1, question.probs.len() as i32]); // (1, V)
    if count > 0 {
        row = top_k(&row, count as usize)?;
    }
    if p > 0.0 && p < 1.0 {
        row = top_p(&row, p as f32)?;
    }
    let kept: Vec<f64> = kit::testing::values(&row)?.into_iter().map(f64::from).collect();
    softmax(&kept, temperature)
}

fn mlx_lm(question: &Question) -> Result<Vec<f64>> {
    let Settings { temperature, top_p, top_k } = question.settings;
    mlx_lm::distribution(&logprobs(question), &mlx_lm::Settings { temperature, top_p, min_p: 0.0, top_k })
}

/// Normalised log probabilities in f32, which both of the other laws take.
fn logprobs(question: &Question) -> Vec<f32> {
    question.probs.iter().map(|prob| prob.ln() as f32).collect()
}
