//! The sections that ask for mlx-lm's filters, chains and penalties.

use kit::{Result, law::deterministic_top_k_order};

use super::{Answer, Case, Outcome, SINGLE};
use crate::mlx_lm::{Penalty, Settings, apply_min_p, apply_top_k, apply_top_p, distribution, penalise};

/// `apply_top_p`
pub fn top_p(case: &Case) -> Result<Outcome> {
    let p = case.number("top_p")?;
    filtered(case, |row| apply_top_p(row, p), kept)
}

/// `apply_top_k`; with a tie at the cut only the kept values are compared, because which of equals stay is open there.
pub fn top_k(case: &Case) -> Result<Outcome> {
    let k = case.integer("top_k")?;
    let open = case.has("tie_at_k") && case.value("tie_at_k")?.as_bool() == Some(true);
    filtered(case, |row| apply_top_k(row, k), if open { kept_values } else { kept })
}

/// `apply_min_p`
pub fn min_p(case: &Case) -> Result<Outcome> {
    let (p, least) = (case.number("min_p")?, case.integer("min_tokens_to_keep")?);
    filtered(case, |row| apply_min_p(row, p, least), kept)
}

/// `chain`: the filters, the temperature, the law of the draw.
pub fn chain(case: &Case) -> Result<Outcome> {
    let settings = Settings {
        temperature: case.number("temp")?,
        top_p: case.number("top_p")?,
        min_p: case.number("min_p")?,
        top_k: case.integer("top_k")?,
    };
    let law = distribution(&singles(&case.numbers("logprobs")?), &settings);
    let expected = Some(Answer::expected_law(case)?);
    Ok(Outcome { got: law.map(|law| Answer::law(&law)), expected, within: SINGLE })
}

/// `processor`: logits after one penalty.
pub fn processor(case: &Case) -> Result<Outcome> {
    let kind = match case.text("group")? {
        "repetition" => Penalty::Repetition,
        "presence" => Penalty::Presence,
        "frequency" => Penalty::Frequency,
        _ => return case.wrong("group must be repetition, presence or frequency"),
    };
    let (logits, tokens) = (singles(&case.numbers("logits")?), case.indices("tokens")?);
    let (context, amount) = (case.index("context_size")?, case.number("penalty")?);
    let got = penalise(&logits, &tokens, context, kind, amount);
    let doubles = |row: Vec<f32>| Answer::numbers(row.into_iter().map(f64::from).collect());
    let expected = doubles(singles(&case.numbers("expect")?));
    Ok(Outcome { got: got.map(doubles), expected: Some(expected), within: 0.0 })
}

/// What a filter left of a row: from the row before and after it.
type Left = fn(&[f32], &[usize]) -> Result<Answer>;

/// Runs a filter on every row and compares what is left; survivors must keep their value bit for bit.
fn filtered(case: &Case, filter: impl Fn(&[f32]) -> Result<Vec<f32>>, left: Left) -> Result<Outcome> {
    let rows: Vec<Vec<f32>> = case.rows("logprobs")?.iter().map(|row| singles(row)).collect();
    let mut got = Ok(Answer::default());
    for row in &rows {
        let answer = filter(row).and_then(|filtered| {
            let ids: Vec<usize> = (0..row.len()).filter(|&id| filtered[id] > f32::NEG_INFINITY).collect();
            left(row, &ids).map(|mut answer| {
                let changed = ids.iter().filter(|&&id| filtered[id].to_bits() != row[id].to_bits()).count();
                answer.ids.push(vec![changed]);
                answer
            })
        });
        got = got.and_then(|all| answer.map(|answer| joined(all, answer)));
    }
    let expect = case.object("expect")?;
    let expected = if expect.contains_key("error") {
        None
    } else {
        let kept = case.as_list("expect.kept", case.part(expect, "kept")?)?;
        if kept.len() != rows.len() {
            return case.wrong(format!("expect.kept has {} rows, but logprobs has {}", kept.len(), rows.len()));
        }
        let mut all = Answer::default();
        for (row, ids) in rows.iter().zip(kept) {
            let ids = case.as_indices("expect.kept", ids)?;
            if ids.iter().any(|&id| id >= row.len()) {
                return case.wrong("expect.kept names an id beyond the row");
            }
            let mut answer = left(row, &ids)?;
            answer.ids.push(vec![0]);
            all = joined(all, answer);
        }
        Some(all)
    };
    Ok(Outcome { got, expected, within: 0.0 })
}

fn joined(mut all: Answer, row: Answer) -> Answer {
    all.ids.extend(row.ids);
    all.numbers.extend(row.numbers);
    all
}

fn kept(_: &[f32], ids: &[usize]) -> Result<Answer> {
    Ok(Answer::ids(ids.to_vec()))
}

fn kept_values(row: &[f32], ids: &[usize]) -> Result<Answer> {
    let values: Vec<f64> = ids.iter().map(|&id| f64::from(row[id])).collect();
    let order = deterministic_top_k_order(&values, values.len() as i64)?;
    Ok(Answer::numbers(order.into_iter().map(|place| values[place]).collect()))
}

/// The f32 nearest to each decimal of the file, not to the f64 in between.
fn singles(row: &[f64]) -> Vec<f32> {
    row.iter().map(|value| format!("{value:e}").parse().unwrap_or(*value as f32)).collect()
}
