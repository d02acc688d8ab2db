//! The ledger of benchmarks: lines of JSON in, the lines that the book keeps out.

use std::collections::BTreeSet;

use kit::{Error, Result};
use serde_json::Value;

use crate::tables;

/// The lines of a ledger. Errors: `Other` with the number of a line that is no JSON object.
pub fn parse(text: &str) -> Result<Vec<Value>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(index, line)| match serde_json::from_str(line) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(Error::Other(format!("line {} of the ledger is no JSON object", index + 1))),
        Err(e) => Err(Error::Other(format!("line {} of the ledger is not JSON: {e}", index + 1))),
    });
    parsed.collect()
}

/// The kept lines with `new` in the place of what was measured the same way before, else behind them.
///
/// The same way: of the same kind, on the same processor with as many threads, and for engines with the same model,
/// prompt, answer, workload, first engine and table. Kernels come behind the others, and a line goes whose kernels were
/// all measured again: their tables show the newest of each.
pub fn keep(kept: &mut Vec<Value>, new: Value) {
    if new["kind"] == "kernels" {
        let again = kernels_of(&new);
        kept.retain(|old| place(old) != place(&new) || !kernels_of(old).is_subset(&again));
        return kept.push(new);
    }
    match kept.iter_mut().find(|old| measured(old) == measured(&new)) {
        Some(old) => *old = new,
        None => kept.push(new),
    }
}

/// Of what kind a measurement is, of whose kernels, and where it was made.
pub(crate) fn place(line: &Value) -> [&Value; 4] {
    [&line["kind"], &line["who"], &line["machine"]["cpu"], &line["threads"]]
}

/// The names of the kernels of a line; none in one of engines.
pub(crate) fn kernels_of(line: &Value) -> BTreeSet<&str> {
    line["kernels"].as_array().into_iter().flatten().filter_map(|case| case["kernel"].as_str()).collect()
}

fn measured(line: &Value) -> ([&Value; 4], [&Value; 7], &'static str) {
    let first = &line["engines"][0]["figures"]["who"];
    let [model, prompt, answer] = [&line["model"], &line["prompt"], &line["new_tokens"]];
    let how = [model, &line["prompt_tokens"], prompt, answer, &line["requests"], &line["slots"], first];
    (place(line), how, tables::of_engines(line))
}

/// The text of a ledger.
pub fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_newer_line_takes_the_place_of_what_was_measured_the_same_way() {
        let line = |kind: &str, model: &str, commit: u64| json!({ "kind": kind, "model": model, "commit": commit });
        let mut kept = vec![line("engines", "tiny", 1), line("kernels", "tiny", 2)];
        keep(&mut kept, line("engines", "tiny", 3));
        keep(&mut kept, line("engines", "large", 4));
        assert_eq!(kept, [line("engines", "tiny", 3), line("kernels", "tiny", 2), line("engines", "large", 4)]);
        assert_eq!(parse(&text(&kept)).expect("it is a ledger"), kept);
    }

    #[test]
    fn engines_of_another_table_or_another_prompt_stay() {
        let line = |week: u8, prompt: &str, slots: Value| {
            let engine = json!({ "figures": { "who": "ref" }, "ready": { "week": week } });
            json!({ "kind": "engines", "prompt": prompt, "slots": slots, "engines": [engine] })
        };
        let lines =
            [line(2, "a", json!(null)), line(3, "a", json!(null)), line(3, "b", json!(null)), line(3, "a", json!(8))];
        let mut kept = Vec::new();
        lines.iter().chain(&lines[..2]).for_each(|line| keep(&mut kept, line.clone()));
        assert_eq!(kept, lines);
    }

    #[test]
    fn kernels_go_when_all_of_their_line_were_measured_again() {
        let line = |names: &[&str], commit: u64| {
            let cases: Vec<Value> = names.iter().map(|name| json!({ "kernel": name })).collect();
            json!({ "kind": "kernels", "kernels": cases, "commit": commit })
        };
        let mut kept = Vec::new();
        for new in [line(&["rope", "matvec"], 1), line(&["rope"], 2), line(&["tiled"], 3), line(&["rope", "rope"], 4)] {
            keep(&mut kept, new);
        }
        assert_eq!(kept, [line(&["rope", "matvec"], 1), line(&["tiled"], 3), line(&["rope", "rope"], 4)]);
        let elsewhere = json!({ "kind": "kernels", "kernels": [{ "kernel": "tiled" }], "threads": 8 });
        keep(&mut kept, elsewhere);
        assert_eq!(kept.len(), 4, "another machine says nothing of this one");
    }

    #[test]
    fn a_line_that_is_no_object_is_named() {
        assert_eq!(parse("{}\n\n3\n").expect_err("3").to_string(), "line 3 of the ledger is no JSON object");
        assert!(parse("{}\n{").expect_err("half").to_string().starts_with("line 2 of the ledger is not JSON"));
    }
}
