//! The table of a benchmark: the trials of every engine in, medians, spreads, ratios and ceilings out.

use serde_json::{Value, json};

use super::{arguments::BenchArguments, contestant::Contestant};
use crate::{Error, Result};

/// What one engine reached.
pub(super) struct Row {
    who: String,
    prefill: Figure,
    decode: Figure,
    peak_bytes: Option<f64>,
    ceiling: Value,
    tokens: Vec<u64>,
}

/// Tokens a second: the median of the trials and how far their middle half reaches.
struct Figure {
    median: f64,
    spread: f64,
}

impl Figure {
    fn of(mut values: Vec<f64>) -> Result<Self> {
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

    fn text(&self) -> String {
        format!("{:.1} ± {:.1}", self.median, self.spread / 2.0)
    }

    fn json(&self) -> Value {
        json!({ "median": self.median, "interquartile_range": self.spread })
    }
}

impl Row {
    /// The figures of a contestant's trials. Errors: a trial without times; a program that has ended.
    pub(super) fn of(contestant: &mut Contestant) -> Result<Self> {
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
            ceiling,
            tokens: contestant.tokens.clone(),
        })
    }

    /// For the ledger.
    pub(super) fn json(&self) -> Value {
        json!({
            "who": self.who,
            "prefill_tokens_per_second": self.prefill.json(),
            "decode_tokens_per_second": self.decode.json(),
            "peak_resident_bytes": self.peak_bytes,
            "ceiling": self.ceiling,
        })
    }
}

/// A line an engine, what bounds them below.
pub(super) fn table(arguments: &BenchArguments, rows: &[Row], absent: &[(String, String)]) -> String {
    let BenchArguments { model, prompt_tokens, new_tokens, trials, .. } = arguments;
    let mut out = format!("{model}: prompt {prompt_tokens}, {new_tokens} new tokens, {trials} rounds, tokens/s\n");
    let mut line = |columns: [&str; 6]| {
        let [who, prefill, decode, ratio, memory, same] = columns;
        let text = format!("  {who:<5} {prefill:>15} {decode:>15} {ratio:>8} {memory:>9}  {same}");
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(["", "prompt", "decode", "decode", "memory", "answer"]);
    let first = rows.first();
    for row in rows {
        let ratio = first.map_or(f64::NAN, |first| row.decode.median / first.decode.median);
        let memory = row.peak_bytes.map_or("-".into(), |bytes| format!("{:.0} MB", bytes / 1e6));
        let same = first.map_or(String::new(), |first| agreement(&row.tokens, &first.tokens));
        line([&row.who, &row.prefill.text(), &row.decode.text(), &format!("{ratio:.2}x"), &memory, &same]);
    }
    for (who, why) in absent {
        out.push_str(&format!("  {who:<5} {why}\n"));
    }
    for row in rows {
        if let Some(text) = ceiling(row) {
            out.push_str(&format!("{text}\n"));
        }
    }
    out
}

/// How far an answer is the first engine's.
fn agreement(tokens: &[u64], first: &[u64]) -> String {
    let same = tokens.iter().zip(first).take_while(|(a, b)| a == b).count();
    if same == tokens.len() { "same".into() } else { format!("same for {same} of {}", tokens.len()) }
}

fn ceiling(row: &Row) -> Option<String> {
    let number = |name: &str| row.ceiling[name].as_f64();
    if let Some(missing) = row.ceiling["missing"].as_str() {
        return Some(format!("{}: no ceiling, {missing}", row.who));
    }
    let most = number("tokens_per_second")?;
    Some(format!(
        "{}: a token needs {:.1} MB; at {:.1} GB/s that is at most {most:.1} tokens/s ({} bound): {:.0}% reached",
        row.who,
        number("bytes_per_token")? / 1e6,
        number("read_bytes_per_second")? / 1e9,
        row.ceiling["bound"].as_str()?,
        100.0 * row.decode.median / most,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(who: &str, decode: &[f64], tokens: &[u64]) -> Row {
        Row {
            who: who.into(),
            prefill: Figure::of(vec![100.0; 5]).expect("figures"),
            decode: Figure::of(decode.to_vec()).expect("figures"),
            peak_bytes: Some(42e6),
            ceiling: Value::Null,
            tokens: tokens.to_vec(),
        }
    }

    #[test]
    fn the_middle_counts_and_the_first_engine_is_the_measure() {
        let arguments = BenchArguments {
            model: "tiny".into(),
            prompt_tokens: 8,
            new_tokens: 3,
            trials: 5,
            json: false,
            engines: Vec::new(),
            ledger: None,
            commit: None,
        };
        let mut fast = row("ref", &[20.0, 21.0, 400.0, 19.0, 20.5], &[1, 2, 4]);
        fast.ceiling = json!({ "tokens_per_second": 41.0, "bytes_per_token": 5e8, "read_bytes_per_second": 2.05e10, "bound": "memory" });
        let rows = [row("you", &[10.0, 11.0, 10.5, 9.0, 10.25], &[1, 2, 3]), fast];
        let text = table(&arguments, &rows, &[("mlx".into(), "it says nothing".into())]);
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines[2], "you 100.0 ± 0.0 10.2 ± 0.2 1.00x 42 MB same");
        assert_eq!(lines[3], "ref 100.0 ± 0.0 20.5 ± 0.5 2.00x 42 MB same for 2 of 3");
        assert_eq!(lines[4], "mlx it says nothing");
        let ceiling =
            "ref: a token needs 500.0 MB; at 20.5 GB/s that is at most 41.0 tokens/s (memory bound): 50% reached";
        assert_eq!(lines[5], ceiling);
    }

    #[test]
    fn a_time_that_is_no_number_is_refused() {
        assert!(Figure::of(vec![1.0, f64::NAN]).is_err() && Figure::of(Vec::new()).is_err());
    }
}
