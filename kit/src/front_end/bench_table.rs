//! The table of a benchmark: the rows of all engines in, text for a terminal out.

use super::{arguments::BenchArguments, bench_row::Row};

/// A line an engine, what bounds them below. Ratios are to the first engine.
pub(super) fn table(arguments: &BenchArguments, rows: &[Row], absent: &[(String, String)]) -> String {
    let BenchArguments { model, prompt_tokens, new_tokens, trials, .. } = arguments;
    let mut out = format!("{model}: prompt {prompt_tokens}, {new_tokens} new tokens, {trials} rounds, tokens/s\n");
    let names = rows.iter().map(|row| &row.who).chain(absent.iter().map(|(who, _)| who));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).max(3);
    let mut line = |columns: [&str; 8]| {
        let [who, prefill, times, decode, ratio, memory, share, same] = columns;
        let text =
            format!("  {who:<width$} {prefill:>14} {times:>7} {decode:>14} {ratio:>7} {memory:>8} {share:>6}  {same}");
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(["", "prompt", "", "decode", "", "memory", "", "answer"]);
    let first = rows.first();
    for row in rows {
        let ratio = |own: f64, of_first: fn(&Row) -> f64| {
            first.map_or(String::new(), |first| format!("{:.2}x", own / of_first(first)))
        };
        let memory = row.peak_bytes.map_or("-".into(), |bytes| format!("{:.0} MB", bytes / 1e6));
        line([
            &row.who,
            &row.prefill.text(),
            &ratio(row.prefill.median, |first| first.prefill.median),
            &row.decode.text(),
            &ratio(row.decode.median, |first| first.decode.median),
            &memory,
            &row.memory_ratio().map_or(String::new(), |ratio| format!("{ratio:.2}x")),
            &first.map_or(String::new(), |first| row.verdict(&first.tokens)),
        ]);
    }
    for (who, why) in absent {
        out.push_str(&format!("  {who:<width$} {why}\n"));
    }
    if let Some(first) = first {
        let least = first.least_bytes / 1e6;
        out.push_str(&format!("Memory: times the {least:.0} MB of packed weights and of keys and values in f32\n"));
    }
    for row in rows {
        if let Some(drafts) = &row.drafts {
            out.push_str(&format!("{}: {drafts}\n", row.who));
        }
        if let Some(text) = ceiling(row) {
            out.push_str(&format!("{text}\n"));
        }
    }
    out
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
    use crate::front_end::bench_row::Figure;
    use serde_json::{Value, json};

    fn row(who: &str, decode: &[f64], tokens: &[u64]) -> Row {
        Row {
            who: who.into(),
            prefill: Figure::of(vec![100.0; 5]).expect("figures"),
            decode: Figure::of(decode.to_vec()).expect("figures"),
            peak_bytes: Some(42e6),
            least_bytes: 40e6,
            ceiling: Value::Null,
            tokens: tokens.to_vec(),
            drafts: None,
            judged: None,
        }
    }

    #[test]
    fn the_middle_counts_and_the_first_engine_is_the_measure() {
        let arguments = BenchArguments {
            model: "tiny".into(),
            prompt_tokens: 8,
            prompt: None,
            new_tokens: 3,
            trials: 5,
            requests: None,
            slots: None,
            json: false,
            threads: None,
            engines: Vec::new(),
            absent: Vec::new(),
            ledger: None,
            commit: None,
        };
        let mut fast = row("ref@kv-cache", &[20.0, 21.0, 400.0, 19.0, 20.5], &[1, 2, 4]);
        fast.judged_by("you", json!({ "best_ids": 2, "worst_gap": 0.014 }));
        fast.drafts = Some("5 of 8 drafts kept".into());
        fast.ceiling = json!({ "tokens_per_second": 41.0, "bytes_per_token": 5e8, "read_bytes_per_second": 2.05e10, "bound": "memory" });
        let rows = [row("you", &[10.0, 11.0, 10.5, 9.0, 10.25], &[1, 2, 3]), fast];
        let text = table(&arguments, &rows, &[("mlx".into(), "it says nothing".into())]);
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines[2], "you 100.0 ± 0.0 1.00x 10.2 ± 0.2 1.00x 42 MB 1.05x same");
        assert_eq!(
            lines[3],
            "ref@kv-cache 100.0 ± 0.0 1.00x 20.5 ± 0.5 2.00x 42 MB 1.05x same for 2 of 3, all within 0.01σ of you's best"
        );
        assert_eq!(lines[4], "mlx it says nothing");
        assert_eq!(lines[5], "Memory: times the 40 MB of packed weights and of keys and values in f32");
        let ceiling = "ref@kv-cache: a token needs 500.0 MB; at 20.5 GB/s that is at most 41.0 tokens/s (memory bound): 50% reached";
        assert_eq!(lines[6], "ref@kv-cache: 5 of 8 drafts kept");
        assert_eq!(lines[7], ceiling);
    }
}
