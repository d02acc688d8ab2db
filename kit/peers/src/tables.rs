//! Tables for the book: lines of the ledger in, Markdown out. Every number of a table is one of the ledger's, rounded.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workload;

/// What stands above every table, so that nobody edits it.
const ORIGIN: &str = "Written by `cargo xtask book figures` from `book/ledger.jsonl`.";

/// The files that are there before anything was measured: engines up to Week 2, those of Week 3 beside others, a small
/// model that guesses, workloads of many requests, all kernels.
const ALWAYS: [&str; 5] = ["engines.md", "engines-serving.md", "drafts.md", "batch.md", "kernels.md"];

/// The files of the book and their text: [`ALWAYS`], and one for each kernel.
pub fn files(lines: &[Value]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from(ALWAYS.map(|name| (name.to_string(), String::new())));
    for line in lines {
        let contestants = || line["engines"].as_array().into_iter().flatten();
        let guesses =
            |engine: &Value| engine["trials"].as_array().into_iter().flatten().any(|t| t["drafts"].is_string());
        match line["kind"].as_str() {
            Some("kernels") => {
                for (kernel, table) in kernels(line) {
                    files.entry(format!("kernel-{kernel}.md")).or_default().push_str(&table);
                    files.entry("kernels.md".into()).or_default().push_str(&table);
                }
            }
            Some("batch") => files.entry("batch.md".into()).or_default().push_str(&workload::table(line)),
            _ => {
                let file = match (contestants().any(guesses), contestants().any(|e| e["ready"]["week"] == 3)) {
                    (true, _) => "drafts.md",
                    (false, true) => "engines-serving.md",
                    (false, false) => "engines.md",
                };
                files.entry(file.into()).or_default().push_str(&engines(line));
            }
        }
    }
    for text in files.values_mut() {
        match text.is_empty() {
            true => *text = format!("No measurement is kept yet. {ORIGIN}\n"),
            false => text.push_str(&format!("{ORIGIN}\n")),
        }
    }
    files
}

/// The engines of one run, the first of them the measure of the others.
fn engines(line: &Value) -> String {
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

/// A table a kernel, in the order of the run.
fn kernels(line: &Value) -> Vec<(String, String)> {
    let mut tables: Vec<(String, String)> = Vec::new();
    for case in line["kernels"].as_array().into_iter().flatten() {
        let kernel = word(&case["kernel"]);
        if tables.last().is_none_or(|(last, _)| *last != kernel) {
            tables.push((kernel.clone(), heading(line, &kernel)));
        }
        let Some((_, table)) = tables.last_mut() else { continue };
        let memory = number(&case["read_bytes_per_second"]);
        let heading = format!("**{}**, memory reads {} GB/s", word(&case["size"]), short(memory / 1e9));
        table.push_str(&format!("| {heading} | | | | | |\n"));
        table.push_str(&form(case, "MLX's own operator", &case["mlx"]));
        for step in case["steps"].as_array().into_iter().flatten() {
            // The sources say `vectors: codes are taken where ..`; the first words are the step's name.
            let changed = word(&step["changed"]);
            let name = format!("{}, {}", step["step"], changed.split(':').next().unwrap_or(&changed));
            match step["open"].as_str() {
                Some(task) => table.push_str(&format!("| {name} | task {task} is open | | | | |\n")),
                None => table.push_str(&form(case, &name, &step["seconds"])),
            }
        }
    }
    tables.iter_mut().for_each(|(_, table)| table.push('\n'));
    tables
}

/// A row: what took `seconds` for the bytes and operations of `case`.
fn form(case: &Value, name: &str, seconds: &Value) -> String {
    let (median, range) = (number(&seconds["median"]), number(&seconds["range"]));
    let rate = number(&case["bytes"]) / median;
    format!(
        "| {name} | {} | {} | {:.0} % | {} | {}x |\n",
        with_spread(median * 1e3, range * 1e3 / 2.0),
        short(rate / 1e9),
        100.0 * rate / number(&case["read_bytes_per_second"]),
        short(number(&case["flops"]) / median / 1e9),
        short(number(&case["mlx"]["median"]) / median),
    )
}

fn heading(line: &Value, kernel: &str) -> String {
    format!(
        "`{kernel}`, median of {} rounds ± half the range; {}:\n\n\
         | form | ms | GB/s | of the bandwidth | GFLOP/s | times MLX |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        line["rounds"],
        machine(line),
    )
}

/// `AMD EPYC, 2 threads (avx2, fma), linux x86_64, commit 6db5538`.
pub(crate) fn machine(line: &Value) -> String {
    let machine = &line["machine"];
    let features: Vec<String> = machine["features"].as_array().into_iter().flatten().map(word).collect();
    let features = if features.is_empty() { String::new() } else { format!(" ({})", features.join(", ")) };
    format!(
        "{}, {} threads{features}, {} {}, commit {}",
        word(&machine["cpu"]),
        line["threads"],
        word(&machine["os"]),
        word(&machine["arch"]),
        word(&line["commit"]),
    )
}

/// Text without what Markdown would take for a column.
pub(crate) fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('|', "/"),
        Value::Null => "unknown".into(),
        other => other.to_string(),
    }
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// Three digits that count.
pub(crate) fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 99.95 => format!("{number:.0}"),
        size if size >= 9.995 => format!("{number:.1}"),
        size if size >= 0.0995 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// The spread to as many places as the number.
pub(crate) fn with_spread(number: f64, spread: f64) -> String {
    let text = short(number);
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    format!("{text} ± {spread:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn machine_of(kind: &str) -> Value {
        json!({
            "kind": kind, "commit": "abc1234", "threads": 2,
            "machine": { "os": "linux", "arch": "x86_64", "cpu": "A CPU", "features": ["avx2"] },
        })
    }

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
        let mut line = machine_of("engines");
        line["model"] = "qwen3-0.6b-random".into();
        line["prompt_tokens"] = 512.into();
        line["new_tokens"] = 32.into();
        line["rounds"] = 7.into();
        line["engines"] =
            json!([engine("ref", 40.0, Value::Null), engine("mlx-lm", 1.6, json!({ "mlx-lm": "0.32.2" }))]);
        line["absent"] = json!([{ "who": "candle-q4_0", "why": "is not here yet: a|b" }]);
        let files = files(&[line]);
        let text = &files["engines.md"];
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
        assert!(files["kernels.md"].starts_with("No measurement is kept yet."));
    }

    #[test]
    fn what_was_measured_says_which_file() {
        let line = |ready: Value, trials: Value| {
            let mut line = machine_of("engines");
            line["engines"] = json!([{ "figures": { "who": "ref" }, "ready": ready, "trials": trials }]);
            line
        };
        let lines = [
            line(json!({ "week": 2 }), json!([{ "drafts": null }])),
            line(json!({ "week": 3 }), json!([{ "drafts": null }])),
            line(json!({ "week": 3 }), json!([{ "drafts": "5 of 8 drafts kept" }])),
            machine_of("batch"),
        ];
        for (line, file) in lines.into_iter().zip(["engines.md", "engines-serving.md", "drafts.md", "batch.md"]) {
            let files = files(&[line]);
            let filled: Vec<_> = files.iter().filter(|(_, text)| !text.starts_with("No measurement")).collect();
            assert_eq!(filled.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), [file]);
        }
    }

    #[test]
    fn each_kernel_has_a_table_and_a_file() {
        // As `cargo xtask bench kernels --json` prints it.
        let case = |kernel: &str, size: &str| {
            json!({ "kernel": kernel, "size": size, "bytes": 3_000_000, "flops": 5_000_000,
                "read_bytes_per_second": 1.5e10, "read_bytes_per_second_four_streams": 2e10,
                "mlx": { "median": 3e-3, "range": 2e-4 },
                "steps": [
                    { "step": 1, "changed": "naive a|b: one after the other", "seconds": { "median": 2.5e-4, "range": 2e-5 },
                      "to_mlx": 12.0, "of_memory": 0.8 },
                    { "step": 2, "changed": "vectors", "open": "2.3.3" },
                ] })
        };
        let mut line = machine_of("kernels");
        line["rounds"] = 9.into();
        line["kernels"] = json!([case("matvec", "1x2"), case("matvec", "8x2"), case("rope", "4x4")]);
        let files = files(&[line]);
        let matvec = &files["kernel-matvec.md"];
        for row in [
            "`matvec`, median of 9 rounds ± half the range; A CPU, 2 threads (avx2), linux x86_64, commit abc1234:",
            "| **1x2**, memory reads 15.0 GB/s | | | | | |",
            "| **8x2**, memory reads 15.0 GB/s | | | | | |",
            "| MLX's own operator | 3.00 ± 0.10 | 1.00 | 7 % | 1.67 | 1.00x |",
            "| 1, naive a/b | 0.25 ± 0.01 | 12.0 | 80 % | 20.0 | 12.0x |",
            "| 2, vectors | task 2.3.3 is open | | | | |",
        ] {
            assert!(matvec.lines().any(|line| line == row), "no line {row}\n{matvec}");
        }
        assert!(files["kernel-rope.md"].contains("**4x4**") && files["kernels.md"].contains("`rope`"));
    }
}
