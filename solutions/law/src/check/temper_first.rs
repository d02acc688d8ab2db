//! The sections that ask for the temper-first law and its pieces.

use std::borrow::Cow;

use kit::{
    Result,
    law::{
        History, SamplerConfig, SparseDistribution, apply_penalties, apply_top_p_top_k, deterministic_top_k_order,
        sample_from_distribution,
    },
};
use serde_json::{Map, Value};

use super::{Answer, Case, Outcome, PROBABILITY};
use crate::distribution_from_logits;

/// `distribution`: logits and settings to a law.
pub fn distribution(case: &Case) -> Result<Outcome> {
    let logits = case.numbers("logits")?;
    let config = SamplerConfig::builder()
        .temperature(case.number("temperature")?)
        .top_p(case.number("top_p")?)
        .top_k(case.integer("top_k")?)
        .presence_penalty(case.number_or("presence_penalty", 0.0)?)
        .frequency_penalty(case.number_or("frequency_penalty", 0.0)?)
        .build();
    let history = history(case)?;
    let law = config.and_then(|config| distribution_from_logits(&logits, &config, &history?));
    Ok(Outcome { got: law.map(|law| Answer::law(&law)), expected: expected_law(case)?, within: PROBABILITY })
}

/// `filter`: both filters on probabilities.
pub fn filter(case: &Case) -> Result<Outcome> {
    let law = apply_top_p_top_k(&case.numbers("probs")?, case.number("top_p")?, case.integer("top_k")?);
    Ok(Outcome { got: law.map(|law| Answer::law(&law)), expected: expected_law(case)?, within: PROBABILITY })
}

/// `top_k_order`: values to ids, best first.
pub fn top_k_order(case: &Case) -> Result<Outcome> {
    let got = deterministic_top_k_order(&case.numbers("values")?, case.integer("k")?).map(Answer::ids);
    let expected = or_error(case, || Ok(Answer::ids(case.indices("expect")?)))?;
    Ok(Outcome { got, expected, within: 0.0 })
}

/// `penalties`: logits to logits, and whether they were left alone.
pub fn penalties(case: &Case) -> Result<Outcome> {
    let logits = case.numbers("logits")?;
    let (presence, frequency) = (case.number("presence_penalty")?, case.number("frequency_penalty")?);
    let got = history(case)?.and_then(|history| {
        let penalised = apply_penalties(&logits, &history, presence, frequency)?;
        let unchanged = usize::from(matches!(penalised, Cow::Borrowed(_)));
        Ok(Answer { ids: vec![vec![unchanged]], numbers: penalised.into_owned() })
    });
    let expected = or_error(case, || {
        let Value::Bool(unchanged) = case.value("returns_input_unchanged")? else {
            return case.wrong("returns_input_unchanged is neither true nor false");
        };
        Ok(Answer { ids: vec![vec![usize::from(*unchanged)]], numbers: case.numbers("expect")? })
    })?;
    Ok(Outcome { got, expected, within: PROBABILITY })
}

/// `sparse`: ids and weights to a law that keeps their order.
pub fn sparse(case: &Case) -> Result<Outcome> {
    let law = SparseDistribution::new(case.indices("ids")?, case.numbers("probs")?, case.index("vocab")?);
    let got = law.map(|law| Answer { ids: vec![law.ids().to_vec()], numbers: law.probs().to_vec() });
    Ok(Outcome { got, expected: expected_law(case)?, within: PROBABILITY })
}

/// `sample`: a law and a uniform number to a token.
pub fn sample(case: &Case) -> Result<Outcome> {
    let (probs, u) = (case.numbers("probs")?, case.number("u")?);
    // The group says how the row was stored there: as it is, or as a support.
    let got = match case.text("group")? {
        "sparse" => SparseDistribution::from_dense(&probs).and_then(|law| sample_from_distribution(&law, u)),
        _ => sample_from_distribution(&probs, u),
    };
    let expected = or_error(case, || Ok(Answer::ids(vec![case.index("expect")?])))?;
    Ok(Outcome { got: got.map(|id| Answer::ids(vec![id])), expected, within: 0.0 })
}

/// What the case expects, read by `answer`, or `None` where it expects an error.
pub fn or_error(case: &Case, answer: impl FnOnce() -> Result<Answer>) -> Result<Option<Answer>> {
    match (case.has("error"), case.has("expect")) {
        (true, false) => case.text("error").map(|_| None),
        (false, true) => answer().map(Some),
        _ => case.wrong("it must have either expect or error"),
    }
}

/// An expected law, or `None` where an error is expected.
pub fn expected_law(case: &Case) -> Result<Option<Answer>> {
    or_error(case, || Answer::expected_law(case))
}

/// The counts and the loop guard; the inner result is the law's own.
fn history(case: &Case) -> Result<Result<History>> {
    let empty = Map::new();
    let part = |name| if case.has(name) { case.object(name) } else { Ok(&empty) };
    let mut counts = Vec::new();
    for (id, count) in part("token_counts")? {
        match (id.parse(), count.as_i64()) {
            (Ok(id), Some(count)) => counts.push((id, count)),
            _ => return case.wrong("token_counts must map whole numbers to whole numbers"),
        }
    }
    let mut amounts = Vec::new();
    for (id, amount) in part("overlay")? {
        match id.parse() {
            Ok(id) => amounts.push((id, case.as_number("overlay", amount)?)),
            Err(_) => return case.wrong("overlay must map whole numbers to numbers"),
        }
    }
    let guarded = |history: History| amounts.into_iter().try_fold(history, |history, (id, by)| history.guard(id, by));
    Ok(History::from_counts(counts).and_then(guarded))
}
