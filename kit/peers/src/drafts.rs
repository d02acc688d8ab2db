//! The table of a small model that guesses: a line of the ledger in, Markdown out.

use serde_json::Value;

use crate::tables::{machine, number, short, with_spread, word};

/// The engines of one run, the first of them the measure of the others.
pub(crate) fn table(line: &Value) -> String {
    let empty = Vec::new();
    let engines = line["engines"].as_array().unwrap_or(&empty);
    let first = engines.first().map_or(f64::NAN, |engine| decode(engine).0);
    let prompt = line["prompt"].as_str().map_or("of other text".into(), |text| format!("\u{201c}{text}\u{201d}"));
    let mut table = format!(
        "`{}`, prompt {}, {} new tokens, median of {} rounds ± half the middle half; {}:\n\n",
        word(&line["model"]),
        word(&Value::from(prompt)),
        line["new_tokens"],
        line["rounds"],
        machine(line),
    );
    table.push_str("| engine | tokens/s | | what became of the drafts |\n| --- | ---: | ---: | --- |\n");
    for engine in engines {
        let (median, spread) = decode(engine);
        let drafts = engine["trials"].as_array().and_then(|trials| trials.last()?["drafts"].as_str());
        table.push_str(&format!(
            "| `{}` | {} | {}x | {} |\n",
            word(&engine["figures"]["who"]),
            with_spread(median, spread / 2.0),
            short(median / first),
            drafts.unwrap_or_default(),
        ));
    }
    for engine in line["absent"].as_array().unwrap_or(&empty) {
        table.push_str(&format!("| `{}` | {} | | |\n", word(&engine["who"]), word(&engine["why"])));
    }
    table.push('\n');
    table
}

/// Tokens a second behind the first one, and the spread.
fn decode(engine: &Value) -> (f64, f64) {
    let figure = &engine["figures"]["decode_tokens_per_second"];
    (number(&figure["median"]), number(&figure["interquartile_range"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn drafts_stand_beside_the_speed() {
        let engine = |who: &str, decode: f64, drafts: Value| {
            json!({ "figures": { "who": who, "decode_tokens_per_second": { "median": decode, "interquartile_range": 2.0 } },
                "trials": [{ "drafts": drafts }] })
        };
        let line = json!({ "model": "tiny", "prompt": "a|b?", "new_tokens": 64, "rounds": 7, "threads": 2,
            "commit": "abc1234",
            "machine": { "os": "linux", "arch": "x86_64", "cpu": "A CPU", "features": ["avx2"] },
            "engines": [engine("ref", 200.0, Value::Null), engine("ref@drafts-4", 300.0, json!("40 of 60 drafts kept"))],
            "absent": [{ "who": "you", "why": "a|b" }] });
        let text = table(&line);
        assert!(text.starts_with("`tiny`, prompt \u{201c}a/b?\u{201d}, 64 new tokens, median of 7 rounds"), "{text}");
        for row in [
            "| `ref` | 200 ± 1 | 1.00x |  |",
            "| `ref@drafts-4` | 300 ± 1 | 1.50x | 40 of 60 drafts kept |",
            "| `you` | a/b | | |",
        ] {
            assert!(text.lines().any(|line| line == row), "no line {row}\n{text}");
        }
    }
}
