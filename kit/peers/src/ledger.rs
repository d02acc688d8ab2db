//! The ledger of benchmarks: lines of JSON in, the lines that the book keeps out.

use kit::{Error, Result};
use serde_json::Value;

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
/// prompt, answer and first engine.
pub fn keep(kept: &mut Vec<Value>, new: Value) {
    match kept.iter_mut().find(|old| measured(old) == measured(&new)) {
        Some(old) => *old = new,
        None => kept.push(new),
    }
}

fn measured(line: &Value) -> [&Value; 7] {
    let first = &line["engines"][0]["figures"]["who"];
    let machine = &line["machine"]["cpu"];
    [&line["kind"], machine, &line["threads"], &line["model"], &line["prompt_tokens"], &line["new_tokens"], first]
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
    fn a_line_that_is_no_object_is_named() {
        assert_eq!(parse("{}\n\n3\n").expect_err("3").to_string(), "line 3 of the ledger is no JSON object");
        assert!(parse("{}\n{").expect_err("half").to_string().starts_with("line 2 of the ledger is not JSON"));
    }
}
