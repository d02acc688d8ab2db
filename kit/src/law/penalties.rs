//! Presence and frequency penalties, on raw logits.

use std::borrow::Cow;

use super::{History, config::refuse_nan};
use crate::{Error, Result};

/// Subtracts `frequency · count + presence · [count > 0]` from the logit of every counted token, then the loop guard's
/// amounts. Both penalties are read as the nearest value in [-2, 2].
///
/// `logits` (V,); returns (V,), borrowed where nothing changes. -inf stays -inf.
/// Errors: `InvalidArgument` for a NaN penalty and for an id of the history outside the vocabulary.
pub fn apply_penalties<'a>(
    logits: &'a [f64],
    history: &History,
    presence: f64,
    frequency: f64,
) -> Result<Cow<'a, [f64]>> {
    refuse_nan("presence_penalty", presence)?;
    refuse_nan("frequency_penalty", frequency)?;
    let (presence, frequency) = (presence.clamp(-2.0, 2.0), frequency.clamp(-2.0, 2.0));
    let ids = history.counts().map(|(id, _)| id).chain(history.guarded().map(|(id, _)| id));
    if let Some(outside) = ids.into_iter().find(|&id| id >= logits.len()) {
        let must = format!("be below the vocabulary, {}", logits.len());
        return Err(Error::InvalidArgument { name: "a token id".into(), value: outside.to_string(), must });
    }
    let no_penalty = presence == 0.0 && frequency == 0.0;
    if history.guarded().next().is_none() && (no_penalty || history.is_empty()) {
        return Ok(Cow::Borrowed(logits));
    }
    let mut penalised = logits.to_vec();
    for (id, count) in history.counts() {
        let once = if count > 0 { presence } else { 0.0 };
        penalised[id] -= frequency * count as f64 + once;
    }
    for (id, amount) in history.guarded() {
        penalised[id] -= amount;
    }
    Ok(Cow::Owned(penalised))
}
