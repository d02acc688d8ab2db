//! The table of a workload of many requests: the trials of all engines in, text for a terminal and figures for the ledger
//! out.

use serde_json::{Value, json};

use super::{arguments::BenchArguments, bench_row::Figure, contestant::Contestant, workload::SLOTS};
use crate::Result;

/// A line an engine; ratios are to the first one. Errors: a trial without times.
pub(super) fn of(
    arguments: &BenchArguments,
    contestants: &[Contestant],
    absent: &[(String, String)],
) -> Result<(String, Vec<Value>)> {
    let rows = contestants
        .iter()
        .map(|contestant| Row::of(&contestant.who, &contestant.trials, &contestant.tokens))
        .collect::<Result<Vec<_>>>()?;
    Ok((table(arguments, &rows, absent), rows.iter().map(|row| row.json(&rows[0])).collect()))
}

/// What one engine reached.
struct Row {
    who: String,
    output: Figure,
    /// Seconds until the last of the requests had its first token.
    first: Figure,
    /// The longest time between two tokens of a request.
    gap: Figure,
    cache: Option<f64>,
    tokens: Vec<u64>,
}

impl Row {
    fn of(who: &str, trials: &[Value], tokens: &[u64]) -> Result<Self> {
        let each = |name: &'static str| trials.iter().map(move |trial| trial[name].as_f64().unwrap_or(f64::NAN));
        Ok(Self {
            who: who.into(),
            output: Figure::of(each("output_tokens").zip(each("seconds")).map(|(count, s)| count / s).collect())?,
            first: Figure::of(each("latest_first_token_seconds").collect())?,
            gap: Figure::of(each("longest_gap_seconds").collect())?,
            cache: trials.iter().filter_map(|trial| trial["peak_cache_bytes"].as_f64()).reduce(f64::max),
            tokens: tokens.to_vec(),
        })
    }

    /// How many tokens are those of the first engine.
    fn same(&self, first: &Self) -> usize {
        self.tokens.iter().zip(&first.tokens).filter(|(a, b)| a == b).count()
    }

    fn json(&self, first: &Self) -> Value {
        json!({
            "who": self.who,
            "output_tokens_per_second": self.output.json(),
            "latest_first_token_seconds": self.first.json(),
            "longest_gap_seconds": self.gap.json(),
            "peak_cache_bytes": self.cache,
            "output_tokens": self.tokens.len(),
            "same_as_first": self.same(first),
        })
    }
}

fn table(arguments: &BenchArguments, rows: &[Row], absent: &[(String, String)]) -> String {
    let BenchArguments { model, prompt_tokens, new_tokens, trials, .. } = arguments;
    let (requests, slots) = (arguments.requests.unwrap_or(1), arguments.slots.unwrap_or(SLOTS));
    let mut out = format!(
        "{model}: {requests} requests of up to {prompt_tokens} and {new_tokens} tokens, {slots} at a time, {trials} rounds\n"
    );
    let names = rows.iter().map(|row| &row.who).chain(absent.iter().map(|(who, _)| who));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).max(3);
    let mut line = |columns: [&str; 7]| {
        let [who, output, times, first, gap, cache, same] = columns;
        let text = format!("  {who:<width$} {output:>16} {times:>7} {first:>12} {gap:>12} {cache:>10}  {same}");
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(["", "tokens/s", "", "last first", "longest gap", "cache", "answers"]);
    for row in rows {
        let first = &rows[0];
        line([
            &row.who,
            &row.output.text(),
            &format!("{:.2}x", row.output.median / first.output.median),
            &format!("{:.2} s", row.first.median),
            &format!("{:.0} ms", 1e3 * row.gap.median),
            &row.cache.map_or("-".into(), |bytes| format!("{:.1} MB", bytes / 1e6)),
            &match (row.same(first), row.tokens.len()) {
                (same, all) if same == all => "same".to_string(),
                (same, all) => format!("same for {same} of {all} tokens"),
            },
        ]);
    }
    for (who, why) in absent {
        out.push_str(&format!("  {who:<width$} {why}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tokens_count_against_the_whole_time() {
        let trial = |seconds: f64, cache: Value| {
            json!({ "seconds": seconds, "output_tokens": 320, "latest_first_token_seconds": seconds / 2.0,
                "longest_gap_seconds": 0.25, "peak_cache_bytes": cache })
        };
        let slow = Row::of("ref", &[trial(8.0, Value::Null), trial(10.0, Value::Null)], &[1, 2]).expect("figures");
        let fast = Row::of("ref@slots", &[trial(2.0, json!(3e6)), trial(4.0, json!(2e6))], &[1, 3]).expect("figures");
        let figures = fast.json(&slow);
        assert_eq!(figures["output_tokens_per_second"]["median"], 120.0);
        assert_eq!((figures["peak_cache_bytes"].as_f64(), figures["same_as_first"].as_u64()), (Some(3e6), Some(1)));
        assert!(Row::of("ref", &[json!({})], &[]).is_err(), "a trial without times");
    }
}
