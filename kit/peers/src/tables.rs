//! Tables for the book: lines of the ledger in, Markdown out. Every number of a table is one of the ledger's, rounded.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    drafts, engines, kernels,
    ledger::{kernels_of, place},
    workload,
};

/// What stands above every table, so that nobody edits it.
const ORIGIN: &str = "Written by `cargo xtask book figures` from `book/ledger.jsonl`.";

/// The files that are there before anything was measured: engines up to Week 2, those of Week 3 beside others, a small
/// model that guesses, workloads of many requests, all kernels and those of Week 3.
const ALWAYS: [&str; 10] = [
    "engines.md",
    "engines-serving.md",
    "drafts.md",
    "batch.md",
    "kernels.md",
    "kernel-paged_cache_update.md",
    "kernel-quantized_embedding.md",
    "kernel-paged_attention.md",
    "kernel-flash_attention.md",
    "kernel-grouped_quantized_matmul.md",
];

/// The files of the book and their text: [`ALWAYS`], and one for each kernel.
pub fn files(lines: &[Value]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from(ALWAYS.map(|name| (name.to_string(), String::new())));
    let mut add = |file: String, table: &str| files.entry(file).or_default().push_str(table);
    for (index, line) in lines.iter().enumerate() {
        if line["kind"] != "kernels" {
            let file = of_engines(line);
            let table = match file {
                "batch.md" => workload::table(line),
                "drafts.md" => drafts::table(line),
                _ => engines::table(line),
            };
            add(file.into(), &table);
            continue;
        }
        let newer = |kernel: &str| {
            lines[index + 1..].iter().any(|new| place(new) == place(line) && kernels_of(new).contains(kernel))
        };
        for (kernel, table) in kernels::tables(line).iter().filter(|(kernel, _)| !newer(kernel)) {
            add(format!("kernel-{kernel}.md"), table);
            add("kernels.md".into(), table);
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

/// The file for a line about engines.
pub(crate) fn of_engines(line: &Value) -> &'static str {
    let engines = || line["engines"].as_array().into_iter().flatten();
    let guesses = |engine: &Value| engine["trials"].as_array().into_iter().flatten().any(|t| t["drafts"].is_string());
    if line["kind"] == "batch" {
        "batch.md"
    } else if engines().any(guesses) {
        "drafts.md"
    } else if engines().any(|engine| engine["ready"]["week"] == 3) {
        "engines-serving.md"
    } else {
        "engines.md"
    }
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
    fn a_kernel_has_a_file_with_its_newest_measurement() {
        let line = |names: [&str; 2], size: &str| {
            let case = |name: &str| json!({ "kernel": name, "size": size, "steps": [] });
            let mut line = machine_of("kernels");
            line["kernels"] = json!(names.map(case));
            line
        };
        let mut elsewhere = line(["rope", "rope"], "third");
        elsewhere["threads"] = 8.into();
        let files = files(&[line(["matvec", "rope"], "first"), line(["rope", "tiled"], "second"), elsewhere]);
        for (file, sizes) in [
            ("kernel-matvec.md", ["first"].as_slice()),
            ("kernel-rope.md", &["second", "third", "third"]),
            ("kernel-tiled.md", &["second"]),
            ("kernels.md", &["first", "second", "second", "third", "third"]),
        ] {
            let seen: Vec<&str> = files[file].split("**").skip(1).step_by(2).collect();
            assert_eq!(seen, sizes, "{file}");
        }
    }
}
