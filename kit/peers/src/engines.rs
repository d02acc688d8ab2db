//! The table of engines that read a prompt and answer it: a line of the ledger in, Markdown out.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::tables::{machine, number, short, with_spread, word};

/// The engines of one run, the first of them the measure of the others.
pub(crate) fn table(line: &Value) -> String {
    let empty = Vec::new();
    let engines = line["engines"].as_array().unwrap_or(&empty);
    let first = engines.first().map(|engine| &engine["figures"]);
    let mut table = format!(
        "`{}`, prompt {}, {} new tokens, median of {} rounds ± half the middle half, tokens/s; {}:\n\n",
        word(&line["model"]),
        line["prompt_tokens"],
        line["new_tokens"],
        line["rounds"],
        machine(line),
    );
    table.push_str("| engine | prompt | | decode | | memory | |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for engine in engines {
        let figures = &engine["figures"];
        let speed = |name: &str| {
            let (median, spread) = (number(&figures[name]["median"]), number(&figures[name]["interquartile_range"]));
            let ratio = first.map_or(f64::NAN, |first| median / number(&first[name]["median"]));
            format!("{} | {}x", with_spread(median, spread / 2.0), short(ratio))
        };
        let memory = match figures["peak_resident_bytes"].as_f64() {
            Some(peak) => format!("{:.0} MB | {}x", peak / 1e6, short(number(&figures["memory_ratio"]))),
            None => "| ".to_string(),
        };
        table.push_str(&format!(
            "| `{}` | {} | {} | {memory} |\n",
            word(&figures["who"]),
            speed("prefill_tokens_per_second"),
            speed("decode_tokens_per_second")
        ));
    }
    for engine in line["absent"].as_array().unwrap_or(&empty) {
        table.push_str(&format!("| `{}` | {} | | | | | |\n", word(&engine["who"]), word(&engine["why"])));
    }
    table.push('\n');
    table.push_str(
        "Ratios of speeds are to the first row, of memory to the packed weights with keys and values in f32.",
    );
    table.push_str(&versions(engines));
    table.push_str("\n\n");
    table
}

/// A sentence with the versions of other engines; empty where there are none.
fn versions(engines: &[Value]) -> String {
    let mut all = BTreeMap::new();
    for engine in engines {
        for (name, version) in engine["ready"]["versions"].as_object().into_iter().flatten() {
            all.insert(name.as_str(), word(version));
        }
    }
    let list: Vec<String> = all.into_iter().map(|(name, version)| format!("{name} {version}")).collect();
    if list.is_empty() { String::new() } else { format!(" Versions: {}.", list.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn engines_stand_beside_the_first_and_absent_ones_say_why() {
        let engine = |who: &str, decode: f64, versions: Value| {
            let speed = |median: f64| json!({ "median": median, "interquartile_range": 0.4 });
            json!({
                "figures": { "who": who, "prefill_tokens_per_second": speed(80.0),
                    "decode_tokens_per_second": speed(decode), "peak_resident_bytes": 4.2e8, "memory_ratio": 1.125 },
                "ready": { "versions": versions },
            })
        };
        let mut line = json!({ "commit": "abc1234", "threads": 2,
            "machine": { "os": "linux", "arch": "x86_64", "cpu": "A CPU", "features": ["avx2"] } });
        line["model"] = "qwen3-0.6b-random".into();
        line["prompt_tokens"] = 512.into();
        line["new_tokens"] = 32.into();
        line["rounds"] = 7.into();
        line["engines"] =
            json!([engine("ref", 40.0, Value::Null), engine("mlx-lm", 1.6, json!({ "mlx-lm": "0.32.2" }))]);
        line["absent"] = json!([{ "who": "candle-q4_0", "why": "is not here yet: a|b" }]);
        let text = table(&line);
        assert!(text.starts_with("`qwen3-0.6b-random`, prompt 512, 32 new tokens, median of 7 rounds"), "{text}");
        assert!(text.contains("; A CPU, 2 threads (avx2), linux x86_64, commit abc1234:\n"), "{text}");
        for row in [
            "| `ref` | 80.0 ± 0.2 | 1.00x | 40.0 ± 0.2 | 1.00x | 420 MB | 1.12x |",
            "| `mlx-lm` | 80.0 ± 0.2 | 1.00x | 1.60 ± 0.20 | 0.040x | 420 MB | 1.12x |",
            "| `candle-q4_0` | is not here yet: a/b | | | | | |",
        ] {
            assert!(text.lines().any(|line| line == row), "no line {row}\n{text}");
        }
        assert!(text.contains(" Versions: mlx-lm 0.32.2.\n"), "{text}");
    }
}
