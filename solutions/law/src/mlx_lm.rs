//! The sampling law of mlx-lm 0.32.2, to be compared with and nothing else: no engine of the course draws from it.
//!
//! In: log probabilities (V,) in f32, as that program holds them. Out: the row with -inf where a filter took a token
//! away, or the probabilities of the draw. Filters come before the temperature, as in the filter-first law, but in
//! another order (top-p, min-p, top-k), and a tie at the edge of top-p keeps all that are equal. Where mlx-lm draws from
//! a row or a setting that no token can be drawn from, this refuses.

use kit::{
    Error, Result,
    law::{deterministic_top_k_order, softmax},
};

/// The arguments of a draw. 0 and below switches a filter off, `top_p` at 1 and above too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Divides the log probabilities that the filters left; 0 is greedy.
    pub temperature: f64,
    /// The mass that has to be reached.
    pub top_p: f64,
    /// The least probability, as a part of the largest one.
    pub min_p: f64,
    /// The most tokens.
    pub top_k: i64,
}

/// The probabilities from which a token is drawn, (V,) in f64.
///
/// Errors: `InvalidArgument` for a negative or non-finite temperature, NaN, `min_p` above 1 and `top_k` above V;
/// `NonFinite` for a row with NaN, +inf, or no finite entry.
pub fn distribution(logprobs: &[f32], settings: &Settings) -> Result<Vec<f64>> {
    let Settings { temperature, top_p, min_p, top_k } = *settings;
    if !(temperature.is_finite() && temperature >= 0.0) {
        return refuse("temperature", temperature, "be 0 or a finite positive number");
    }
    for (name, value) in [("top_p", top_p), ("min_p", min_p)] {
        if value.is_nan() {
            return refuse(name, value, "be a number");
        }
    }
    check_row(logprobs)?;
    let row = |kept: &[f32]| kept.iter().map(|&z| f64::from(z)).collect::<Vec<f64>>();
    if temperature == 0.0 {
        return softmax(&row(logprobs), 0.0);
    }
    let mut kept = logprobs.to_vec();
    if top_p > 0.0 && top_p < 1.0 {
        kept = apply_top_p(&kept, top_p)?;
    }
    if min_p > 0.0 {
        kept = apply_min_p(&kept, min_p, 1)?;
    }
    if top_k > 0 && top_k != logprobs.len() as i64 {
        kept = apply_top_k(&kept, top_k)?;
    }
    let scale = (1.0 / temperature) as f32;
    // From the maximum, so that no small temperature overflows.
    let best = kept.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    softmax(&kept.iter().map(|&z| f64::from((z - best) * scale)).collect::<Vec<f64>>(), 1.0)
}

/// Keeps every token whose value is at least that of the token that makes the mass reach `p` of the row's mass.
///
/// Errors: `InvalidArgument` for `p` outside (0, 1], or so small that it is 0 in f32; `NonFinite` as [`distribution`].
pub fn apply_top_p(logprobs: &[f32], p: f64) -> Result<Vec<f32>> {
    check_row(logprobs)?;
    if !(p as f32 > 0.0 && p <= 1.0) {
        return refuse("top_p", p, "be above 0, in f32, and at most 1");
    }
    let masses: Vec<f32> = logprobs.iter().map(|z| z.exp()).collect();
    let total: f32 = masses.iter().sum();
    let mut before = 0.0;
    let mut threshold = f32::NEG_INFINITY;
    for id in ranked(logprobs, logprobs.len())? {
        if before >= p as f32 * total {
            break;
        }
        before += masses[id];
        threshold = logprobs[id];
    }
    Ok(keep(logprobs, |_, z| z >= threshold))
}

/// Keeps the `k` largest; 1 <= k < V. mlx-lm leaves it open which of equals stay: here the lowest ids.
///
/// Errors: `InvalidArgument` for `k` outside 1..V; `NonFinite` as [`distribution`].
pub fn apply_top_k(logprobs: &[f32], k: i64) -> Result<Vec<f32>> {
    check_row(logprobs)?;
    match usize::try_from(k) {
        Ok(count) if (1..logprobs.len()).contains(&count) => {
            let best = among(&ranked(logprobs, count)?, logprobs.len());
            Ok(keep(logprobs, |id, _| best[id]))
        }
        _ => refuse("top_k", k, &format!("be at least 1 and below the vocabulary, {}", logprobs.len())),
    }
}

/// Keeps the tokens whose probability is at least `min_p` of the largest one, and the `least` most likely ones anyway.
///
/// Errors: `InvalidArgument` for `min_p` outside (0, 1] and `least` outside 1..=V; `NonFinite` as [`distribution`].
pub fn apply_min_p(logprobs: &[f32], min_p: f64, least: i64) -> Result<Vec<f32>> {
    check_row(logprobs)?;
    if !(min_p > 0.0 && min_p <= 1.0) {
        return refuse("min_p", min_p, "be above 0 and at most 1");
    }
    let Some(least) = usize::try_from(least).ok().filter(|least| (1..=logprobs.len()).contains(least)) else {
        return refuse("min_tokens_to_keep", least, &format!("be from 1 to the vocabulary, {}", logprobs.len()));
    };
    let order = ranked(logprobs, least)?;
    let threshold = logprobs[order[0]] + (min_p as f32).ln();
    let best = among(&order, logprobs.len());
    Ok(keep(logprobs, |id, z| z >= threshold || best[id]))
}

/// What a penalty does to the logits of tokens in the recent text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Penalty {
    /// Positive logits are divided, negative ones multiplied, once for each token.
    Repetition,
    /// Subtracted once for each token.
    Presence,
    /// Subtracted once for each time.
    Frequency,
}

/// The logits after a penalty. The last `context` of `tokens`, prompt included, count; nothing limits the amount.
///
/// Errors: `InvalidArgument` for a token outside the vocabulary, and for a repetition penalty that is not positive.
pub fn penalise(logits: &[f32], tokens: &[usize], context: usize, kind: Penalty, amount: f64) -> Result<Vec<f32>> {
    if !amount.is_finite() || (kind == Penalty::Repetition && amount <= 0.0) {
        return refuse("penalty", amount, "be a finite number, and positive for repetition");
    }
    let mut counts = vec![0_u32; logits.len()];
    for &id in &tokens[tokens.len().saturating_sub(context)..] {
        match counts.get_mut(id) {
            Some(count) => *count += 1,
            None => return refuse("a token id", id, &format!("be below the vocabulary, {}", logits.len())),
        }
    }
    let amount = amount as f32;
    let changed = |(&z, &count): (&f32, &u32)| match kind {
        _ if count == 0 => z,
        Penalty::Repetition if z < 0.0 => z * amount,
        Penalty::Repetition => z / amount,
        Penalty::Presence => z - amount,
        Penalty::Frequency => z - amount * count as f32,
    };
    Ok(logits.iter().zip(&counts).map(changed).collect())
}

fn ranked(logprobs: &[f32], count: usize) -> Result<Vec<usize>> {
    let values: Vec<f64> = logprobs.iter().map(|&z| f64::from(z)).collect();
    deterministic_top_k_order(&values, count as i64)
}

/// For every id of the row, whether it is one of `ids`.
fn among(ids: &[usize], vocabulary: usize) -> Vec<bool> {
    let mut marked = vec![false; vocabulary];
    ids.iter().for_each(|&id| marked[id] = true);
    marked
}

fn keep(logprobs: &[f32], stays: impl Fn(usize, f32) -> bool) -> Vec<f32> {
    let row = logprobs.iter().enumerate();
    row.map(|(id, &z)| if stays(id, z) { z } else { f32::NEG_INFINITY }).collect()
}

fn check_row(logprobs: &[f32]) -> Result<()> {
    let row: Vec<f64> = logprobs.iter().map(|&z| f64::from(z)).collect();
    softmax(&row, 0.0).map(drop)
}

fn refuse<T>(name: &str, value: impl ToString, must: &str) -> Result<T> {
    Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
}
