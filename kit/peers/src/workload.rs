//! The table of a workload of many requests: a line of the ledger in, Markdown out.

use serde_json::Value;

use crate::tables::{machine, number, short, with_spread, word};

/// The engines of one run, the first of them the measure of the others.
pub(crate) fn table(line: &Value) -> String {
    let empty = Vec::new();
    let engines = line["engines"].as_array().unwrap_or(&empty);
    let first = engines.first().map_or(f64::NAN, |engine| output(engine).0);
    let mut table = format!(
        "`{}`, {} requests of up to {} and {} tokens, {} at a time, median of {} rounds ± half the middle half; {}:\n\n",
        word(&line["model"]),
        line["requests"],
        line["prompt_tokens"],
        line["new_tokens"],
        line["slots"],
        line["rounds"],
        machine(line),
    );
    table.push_str(
        "| engine | output tokens/s | | last first token | longest gap | cache |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for engine in engines {
        let figures = &engine["figures"];
        let (median, spread) = output(engine);
        let seconds = |name: &str| number(&figures[name]["median"]);
        let cache =
            figures["peak_cache_bytes"].as_f64().map_or("".into(), |bytes| format!("{} MB", short(bytes / 1e6)));
        table.push_str(&format!(
            "| `{}` | {} | {}x | {} s | {} ms | {cache} |\n",
            word(&figures["who"]),
            with_spread(median, spread / 2.0),
            short(median / first),
            short(seconds("latest_first_token_seconds")),
            short(1e3 * seconds("longest_gap_seconds")),
        ));
    }
    for engine in line["absent"].as_array().unwrap_or(&empty) {
        table.push_str(&format!("| `{}` | {} | | | | |\n", word(&engine["who"]), word(&engine["why"])));
    }
    table.push('\n');
    table
}

/// Tokens a second, and the spread.
fn output(engine: &Value) -> (f64, f64) {
    let figure = &engine["figures"]["output_tokens_per_second"];
    (number(&figure["median"]), number(&figure["interquartile_range"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn engines_stand_beside_the_first() {
        let engine = |who: &str, output: f64, cache: Value| {
            let figure = |median: f64| json!({ "median": median, "interquartile_range": 2.0 });
            json!({ "figures": { "who": who, "output_tokens_per_second": figure(output),
                "latest_first_token_seconds": figure(3.5), "longest_gap_seconds": figure(0.125),
                "peak_cache_bytes": cache } })
        };
        let line = json!({ "kind": "batch", "model": "tiny", "requests": 16, "slots": 8, "prompt_tokens": 64,
            "new_tokens": 32, "rounds": 7, "threads": 2, "commit": "abc1234",
            "machine": { "os": "linux", "arch": "x86_64", "cpu": "A CPU", "features": ["avx2"] },
            "engines": [engine("ref", 30.0, Value::Null), engine("ref@slots", 105.0, json!(2.5e6))],
            "absent": [{ "who": "you", "why": "a|b" }] });
        let text = table(&line);
        assert!(
            text.starts_with("`tiny`, 16 requests of up to 64 and 32 tokens, 8 at a time, median of 7 rounds"),
            "{text}"
        );
        for row in [
            "| `ref` | 30.0 ± 1.0 | 1.00x | 3.50 s | 125 ms |  |",
            "| `ref@slots` | 105 ± 1 | 3.50x | 3.50 s | 125 ms | 2.50 MB |",
            "| `you` | a/b | | | | |",
        ] {
            assert!(text.lines().any(|line| line == row), "no line {row}\n{text}");
        }
    }
}
