//! What one engine reached: its trials in, medians, spreads and how right its answer is out.

use serde_json::{Value, json};

use super::contestant::Contestant;
use crate::{Error, Result};

/// An engine's figures.
pub(super) struct Row {
    pub(super) who: String,
    pub(super) prefill: Figure,
    pub(super) decode: Figure,
    pub(super) peak_bytes: Option<f64>,
    /// Of the weights as they are stored and of keys and values in f32.
    pub(super) least_bytes: f64,
    pub(super) ceiling: Value,
    pub(super) tokens: Vec<u64>,
    /// What became of the drafts, where somebody guesses.
    pub(super) drafts: Option<String>,
    /// Who judged the answer, and what it found.
    pub(super) judged: Option<(String, Value)>,
}

/// Tokens a second: the median of the trials and how far their middle half reaches.
pub(super) struct Figure {
    pub(super) median: f64,
    spread: f64,
}

impl Figure {
    /// Errors: no value, or one that is no number.
    pub(super) fn of(mut values: Vec<f64>) -> Result<Self> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return Err(Error::Other("an engine gave no time, or one that is no number".into()));
        }
        values.sort_by(f64::total_cmp);
        let quantile = |p: f64| {
            let place = p * (values.len() - 1) as f64;
            let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Ok(Self { median: quantile(0.5), spread: quantile(0.75) - quantile(0.25) })
    }

    pub(super) fn text(&self) -> String {
        format!("{:.1} ± {:.1}", self.median, self.spread / 2.0)
    }

    pub(super) fn json(&self) -> Value {
        json!({ "median": self.median, "interquartile_range": self.spread })
    }
}

impl Row {
    /// The figures of a contestant's trials. Errors: a trial without times; a program that has ended.
    pub(super) fn of(contestant: &mut Contestant, least_bytes: u64) -> Result<Self> {
        let ceiling = contestant.ceiling()?;
        let tokens = contestant.tokens.len() as f64;
        let each =
            |name: &str| contestant.trials.iter().map(|trial| trial[name].as_f64().unwrap_or(f64::NAN)).collect();
        let speed = |count: f64, seconds: Vec<f64>| Figure::of(seconds.into_iter().map(|s| count / s).collect());
        let prompt = contestant.trials.first().and_then(|trial| trial["prompt_tokens"].as_f64()).unwrap_or(f64::NAN);
        let peaks: Vec<f64> =
            contestant.trials.iter().filter_map(|trial| trial["peak_resident_bytes"].as_f64()).collect();
        Ok(Self {
            who: contestant.who.clone(),
            prefill: speed(prompt, each("prefill_seconds"))?,
            decode: speed(tokens - 1.0, each("decode_seconds"))?,
            peak_bytes: peaks.into_iter().reduce(f64::max),
            least_bytes: least_bytes as f64,
            ceiling,
            tokens: contestant.tokens.clone(),
            drafts: contestant.trials.last().and_then(|trial| Some(trial["drafts"].as_str()?.to_string())),
            judged: None,
        })
    }

    /// Keeps a verdict.
    pub(super) fn judged_by(&mut self, who: &str, verdict: Value) {
        self.judged = Some((who.to_string(), verdict));
    }

    /// Peak memory over what weights and cache take at least.
    pub(super) fn memory_ratio(&self) -> Option<f64> {
        self.peak_bytes.map(|peak| peak / self.least_bytes)
    }

    /// How right the answer is, `first` being the one of the first engine.
    pub(super) fn verdict(&self, first: &[u64]) -> String {
        let same = self.tokens.iter().zip(first).take_while(|(a, b)| a == b).count();
        if same == self.tokens.len() {
            return "same".into();
        }
        let same = format!("same for {same} of {}", self.tokens.len());
        match self.judged.as_ref().and_then(|(who, verdict)| Some((who, verdict["worst_gap"].as_f64()?))) {
            Some((who, gap)) => format!("{same}, all within {gap:.2}σ of {who}'s best"),
            None => same,
        }
    }

    /// For the ledger.
    pub(super) fn json(&self) -> Value {
        json!({
            "who": self.who,
            "prefill_tokens_per_second": self.prefill.json(),
            "decode_tokens_per_second": self.decode.json(),
            "peak_resident_bytes": self.peak_bytes,
            "weights_and_cache_bytes": self.least_bytes,
            "memory_ratio": self.memory_ratio(),
            "ceiling": self.ceiling,
            "tokens": self.tokens,
            "judged": self.judged.as_ref().map(|(by, verdict)| json!({ "by": by, "verdict": verdict })),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_no_number_is_refused() {
        assert!(Figure::of(vec![1.0, f64::NAN]).is_err() && Figure::of(Vec::new()).is_err());
    }
}
