//! The golden files: every case agrees, a changed case does not, and what is no golden file is refused in a sentence.

use std::path::{Path, PathBuf};

use kit::Result;
use serde_json::{Value, json};
use solution_law::check::{Checked, Verdict, check, check_value};

const TEMPER_FIRST: &str = "sampling_mtplx.json";
const MLX_LM: &str = "sampling_mlx_lm.json";

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn content(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden(name)).expect("committed")).expect("JSON")
}

/// Ids with their verdicts, but for those that passed.
fn notable(report: &[Checked]) -> Vec<(String, Verdict)> {
    let cases = report.iter().flat_map(|section| section.cases.clone());
    cases.filter(|(_, verdict)| *verdict != Verdict::Passed).collect()
}

#[test]
fn every_case_of_the_temper_first_law_agrees() -> Result<()> {
    let report = check(&golden(TEMPER_FIRST))?;
    assert_eq!(report.iter().map(|section| section.cases.len()).sum::<usize>(), 306);
    let stricter = ["099", "103", "104", "107", "108"].map(|case| (format!("distribution-{case}"), Verdict::Stricter));
    let mut expected = stricter.to_vec();
    expected.push(("distribution-110".into(), Verdict::Wider));
    expected.push(("distribution-117".into(), Verdict::Wider));
    expected.push(("distribution-122".into(), Verdict::Stricter));
    expected.push(("penalties-011".into(), Verdict::Stricter));
    assert_eq!(notable(&report), expected);
    Ok(())
}

#[test]
fn every_case_of_mlx_lm_agrees() -> Result<()> {
    let report = check(&golden(MLX_LM))?;
    assert_eq!(report.iter().map(|section| section.cases.len()).sum::<usize>(), 91);
    assert_eq!(notable(&report), [("chain-009".to_string(), Verdict::Stricter)]);
    Ok(())
}

/// The verdict over one case after a change.
fn after(name: &str, section: &str, number: usize, change: impl Fn(&mut Value)) -> Verdict {
    let mut root = content(name);
    change(&mut root[section][number]);
    let report = check_value(name, &root).expect("still of the schema");
    let checked = report.iter().find(|checked| checked.section == section).expect("the section");
    checked.cases[number].1.clone()
}

#[test]
fn a_changed_answer_fails_in_every_section() {
    for name in [TEMPER_FIRST, MLX_LM] {
        for (section, cases) in content(name).as_object().expect("an object").iter().filter(|(key, _)| *key != "header")
        {
            let at = cases.as_array().expect("cases").iter().position(answers).expect("an answer");
            let verdict = after(name, section, at, |case| spoil(&mut case["expect"]));
            assert!(matches!(verdict, Verdict::Failed { .. }), "{section}: {verdict:?}");
        }
    }
}

/// Whether the case expects an answer with something in it.
fn answers(case: &Value) -> bool {
    let expect = &case["expect"];
    (expect.is_number() || expect.as_array().is_some_and(|list| !list.is_empty())) || expect.is_object()
}

/// Changes the last number by 1.
fn spoil(expect: &mut Value) {
    match expect {
        Value::Object(fields) => spoil(fields.values_mut().last().expect("a field")),
        Value::Array(list) => spoil(list.last_mut().expect("an entry")),
        Value::Bool(yes) => *yes = !*yes,
        other if other.is_u64() => *other = json!(other.as_u64().expect("whole").abs_diff(1)),
        other => *other = json!(other.as_f64().expect("a number") + 1.0),
    }
}

#[test]
fn a_probability_that_is_off_by_more_than_the_bound_fails_with_both_numbers() {
    let off = |by: f64| {
        after(TEMPER_FIRST, "distribution", 60, |case| {
            let prob = &mut case["expect"]["probs"][0];
            *prob = json!(prob.as_f64().expect("a number") + by);
        })
    };
    assert_eq!(off(5e-13), Verdict::Passed);
    let Verdict::Failed { got, expected } = off(2e-12) else { panic!("2e-12 passed") };
    assert!(got.starts_with("id 0: 0.3333333333333333"), "{got}");
    assert!(expected.starts_with("0.33333333333533") && expected.ends_with("within 1e-12"), "{expected}");
}

#[test]
fn a_refusal_or_an_answer_that_is_not_in_the_tables_fails() {
    // Another case of a number that is excused, and an excused input under another number.
    let renamed = |case: &mut Value| case["group"] = json!("random");
    assert!(matches!(after(TEMPER_FIRST, "distribution", 103, renamed), Verdict::Failed { .. }));
    assert!(matches!(after(TEMPER_FIRST, "distribution", 110, renamed), Verdict::Failed { .. }));
    let renumbered = |case: &mut Value| case["id"] = json!("distribution-900");
    let Verdict::Failed { got, expected } = after(TEMPER_FIRST, "distribution", 103, renumbered) else {
        panic!("excused");
    };
    assert_eq!((got.as_str(), expected.as_str()), ("the error \"row 0 contains NaN\"", "{2} 1.0"));
    // An error that is expected, but does not come.
    let mended = |case: &mut Value| case["logits"] = json!([1, 2]);
    let Verdict::Failed { expected, .. } = after(TEMPER_FIRST, "distribution", 98, mended) else { panic!("excused") };
    assert_eq!(expected, "an error");
}

#[test]
fn a_support_is_compared_exactly() {
    let verdict = after(TEMPER_FIRST, "distribution", 58, |case| case["expect"]["ids"] = json!([0, 2]));
    assert_eq!(verdict, Verdict::Failed { got: "{0, 1}".into(), expected: "{0, 2}".into() });
}

fn refusal(root: &Value) -> String {
    check_value("g.json", root).map(|_| ()).expect_err("a refusal").to_string()
}

#[test]
fn what_is_not_of_the_schema_is_refused_with_its_place() {
    let one = |case: Value| refusal(&json!({ "filter": [case] }));
    let place = "g.json: section filter, case \"a\": ";
    assert_eq!(refusal(&json!([])), "g.json: this is not a golden file: it is not an object");
    assert!(refusal(&json!({ "fliter": [] })).starts_with("g.json: there is no section \"fliter\"; the sections are "));
    assert_eq!(refusal(&json!({ "filter": {} })), "g.json: section filter is not a list of cases");
    let nothing = "g.json: the file has no cases, so nothing would be checked";
    assert_eq!(refusal(&json!({})), nothing);
    assert_eq!(refusal(&json!({ "header": {}, "filter": [] })), nothing);
    assert_eq!(one(json!(1)), "g.json: case 0 of section filter is not an object");
    assert_eq!(one(json!({ "id": 7 })), "g.json: case 0 of section filter has no id, or not as text");
    assert_eq!(one(json!({ "id": "a" })), format!("{place}probs is missing"));
    assert_eq!(one(json!({ "id": "a", "probs": 1 })), format!("{place}probs is not a list"));
    let word = "probs holds something that is no number, \"nan\", \"inf\" or \"-inf\"";
    assert_eq!(one(json!({ "id": "a", "probs": ["NaN"] })), format!("{place}{word}"));
    let case =
        |k: Value| json!({ "id": "a", "probs": [1], "top_p": 1, "top_k": k, "expect": { "ids": [0], "probs": [1] } });
    assert_eq!(one(case(json!(1e30))), format!("{place}top_k is not a whole number of 64 bits"));
    assert_eq!(one(case(json!(1.5))), format!("{place}top_k is not a whole number of 64 bits"));
    let mut both = case(json!(0));
    both["error"] = json!("ValueError");
    assert_eq!(one(both), format!("{place}it must have either expect or error"));
    let mut misspelt = case(json!(0));
    misspelt["temprature"] = json!(2);
    assert_eq!(one(misspelt), format!("{place}the field \"temprature\" is not known here"));
    let twice = refusal(&json!({ "filter": [case(json!(0)), case(json!(0))] }));
    assert_eq!(twice, format!("{place}the id is that of an earlier case"));
    let long = "x\n".repeat(500);
    let line = one(json!({ "id": long }));
    assert!(line.len() < 120 && line.lines().count() == 1, "{line}");
}

#[test]
fn files_that_cannot_be_read_are_one_sentence() {
    let folder = std::env::temp_dir().join(format!("law-golden-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let refused = |text: &[u8]| {
        let file = folder.join("golden.json");
        std::fs::write(&file, text).expect("a file");
        let line = check(&file).map(|_| ()).expect_err("a refusal").to_string();
        assert_eq!(line.lines().count(), 1, "{line}");
        line.split_once("golden.json: ").expect("the file's name").1.to_string()
    };
    assert!(refused(b"{\"filter\":[").starts_with("this is not a golden file: "));
    assert!(refused(b"{\"filter\":[{\"id\":\"a\",\"probs\":[1e999]}]}").contains("number out of range"));
    assert!(refused(b"{\"filter\":[{\"id\":\"a\",\"probs\":[NaN]}]}").contains("this is not a golden file"));
    assert!(refused(&[b"[".repeat(5000), b"]".repeat(5000)].concat()).contains("recursion limit"));
    assert!(refused(&[0xff, 0xfe, 0]).contains("this is not a golden file"));
    let line = check(&folder).map(|_| ()).expect_err("a refusal").to_string();
    assert!(line.ends_with("this is a folder, not a golden file"), "{line}");
    let line = check(&folder.join("none.json")).map(|_| ()).expect_err("a refusal").to_string();
    assert!(line.contains("none.json: the file cannot be read: "), "{line}");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
