//! One case of `verify`: an engine and the expected answers in, what agreed or the first difference out.

use mlx_rs::{Array, Dtype, ops::indexing::IndexOp};
use std::{ops::ControlFlow, sync::atomic::AtomicBool, sync::atomic::Ordering};

use super::golden_file::{Case, Logits};
use crate::{Engine, Request, Result, Sampling, Tokenizer, mlx, testing::values};

/// How far a logit may be from the golden one in f32.
const LOGIT_BOUND: f64 = 1e-3;

/// Runs a case. `Ok(Ok(_))` says what agreed, `Ok(Err(_))` what differs first; errors are the engine's own.
pub(super) fn judge(
    case: &Case,
    engine: &dyn Engine,
    tokenizer: &Tokenizer,
    eos: &[u32],
    stop: &AtomicBool,
) -> Result<std::result::Result<String, String>> {
    let prompt = match (&case.messages, &case.raw) {
        (Some(messages), _) => tokenizer.encode(&tokenizer.apply_chat_template(messages, false)?)?,
        (None, raw) => tokenizer.encode(raw.as_deref().unwrap_or_default())?,
    };
    if let Some(difference) = first_difference("prompt", &prompt, &case.prompt_ids) {
        return Ok(Err(difference));
    }
    let mut agreed = format!("{} prompt ids", prompt.len());
    if let Some(logits) = case.logits_float32.as_ref().filter(|_| !mlx::on_gpu()) {
        match compare_logits(logits, engine, &prompt)? {
            Ok(worst) => agreed += &format!(", logits within {worst:.1e}"),
            Err(difference) => return Ok(Err(difference)),
        }
    }
    let expected = if mlx::on_gpu() { &case.ids[..case.safe_tokens] } else { &case.ids_float32[..] };
    let request = Request { prompt, max_tokens: expected.len(), eos: eos.to_vec(), sampling: Sampling::GREEDY };
    let generation = engine.generate(&request, &mut |_| match stop.load(Ordering::SeqCst) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    Ok(match first_difference("generated", &generation.tokens, expected) {
        Some(difference) => Err(difference),
        None => Ok(format!("{agreed}, {} greedy ids", expected.len())),
    })
}

fn first_difference(what: &str, got: &[u32], expected: &[u32]) -> Option<String> {
    if let Some(at) = got.iter().zip(expected).position(|(got, expected)| got != expected) {
        return Some(format!("{what} id {at} is {}, expected {}", got[at], expected[at]));
    }
    (got.len() != expected.len()).then(|| format!("{} {what} ids, expected {}", got.len(), expected.len()))
}

/// The worst distance of a logit, or the first figure out of bounds.
fn compare_logits(golden: &Logits, engine: &dyn Engine, prompt: &[u32]) -> Result<std::result::Result<f64, String>> {
    let logits = engine.logits(&Array::from_slice(prompt, &[1, prompt.len() as i32]))?; // (1, L, V)
    if logits.ndim() != 3 || logits.dim(0) != 1 || logits.dim(1) != prompt.len() as i32 || logits.dim(2) == 0 {
        return Ok(Err(format!("logits have shape {:?}, expected (1, {}, V)", logits.shape(), prompt.len())));
    }
    let row = values(&logits.as_dtype(Dtype::Float32)?.index((0, -1)))?; // (V)
    let row: Vec<f64> = row.into_iter().map(f64::from).collect();
    let mut pairs = Vec::new();
    for (&id, &expected) in golden.top20.ids.iter().zip(&golden.top20.values) {
        let Some(&got) = row.get(id as usize) else {
            return Ok(Err(format!("the vocabulary is {}, but the file has id {id}", row.len())));
        };
        pairs.push((format!("logit of id {id}"), got, expected));
    }
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    let squares = row.iter().map(|value| value * value).sum::<f64>();
    let std = (row.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let min = row.iter().copied().fold(f64::INFINITY, f64::min);
    let stats = &golden.stats;
    pairs.push(("mean of the logits".into(), mean, stats.mean));
    pairs.push(("standard deviation of the logits".into(), std, stats.std));
    pairs.push(("largest logit".into(), max, stats.max));
    pairs.push(("smallest logit".into(), min, stats.min));
    // The root of a mean, so that the bound is the same as that of a single logit.
    pairs.push(("root mean square of the logits".into(), (squares / count).sqrt(), stats.l2 / count.sqrt()));
    let mut worst: f64 = 0.0;
    for (what, got, expected) in pairs {
        let off = (got - expected).abs();
        if off.is_nan() || off > LOGIT_BOUND {
            return Ok(Err(format!("{what} is {got:.6}, expected {expected:.6} within {LOGIT_BOUND}")));
        }
        worst = worst.max(off);
    }
    match row.iter().position(|&value| value == max) {
        Some(argmax) if argmax != stats.argmax as usize => {
            Ok(Err(format!("the largest logit is that of id {argmax}, expected {}", stats.argmax)))
        }
        _ => Ok(Ok(worst)),
    }
}
