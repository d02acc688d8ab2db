//! The sections that ask for acceptance, residual and what follows from them.

use kit::{
    Result,
    law::{Distribution, SparseDistribution, Uniforms},
};
use serde_json::Value;

use super::{
    Answer, Case, Outcome, PROBABILITY,
    temper_first::{expected_law, or_error},
};
use crate::speculative::{
    acceptance_probability, block_law, residual_distribution, speculative_output_marginal, verify_one_token,
};

/// `acceptance`: how likely a draft stays.
pub fn acceptance(case: &Case) -> Result<Outcome> {
    let (laws, token) = (stored(case)?, case.index("token")?);
    let got = laws.and_then(|(p, q)| acceptance_probability(&*p, &*q, token));
    let expected = or_error(case, || Ok(Answer::numbers(vec![case.number("expect")?])))?;
    Ok(Outcome { got: got.map(|acceptance| Answer::numbers(vec![acceptance])), expected, within: PROBABILITY })
}

/// `residual`: the law of the correction.
pub fn residual(case: &Case) -> Result<Outcome> {
    let law = stored(case)?.and_then(|(p, q)| residual_distribution(&*p, &*q));
    Ok(Outcome { got: law.map(|law| Answer::law(&law.to_dense())), expected: expected_law(case)?, within: PROBABILITY })
}

/// `marginal`: the law of what is written, whose sum nobody rescales.
pub fn marginal(case: &Case) -> Result<Outcome> {
    let with_sum = |mut row: Vec<f64>, sum: f64| {
        row.push(sum);
        Answer::numbers(row)
    };
    let got = speculative_output_marginal(&case.numbers("p")?, &case.numbers("q")?).map(|row| {
        let sum = row.iter().sum();
        with_sum(row, sum)
    });
    let expected = or_error(case, || Ok(with_sum(case.numbers("expect")?, 1.0)))?;
    Ok(Outcome { got, expected, within: PROBABILITY })
}

/// `verify`: one draft, judged with two given uniform numbers.
pub fn verify(case: &Case) -> Result<Outcome> {
    let (p, q, draft) = (case.numbers("p")?, case.numbers("q")?, case.index("draft_token")?);
    // A third number is never asked for; 1 would be refused.
    let mut numbers = [case.number("u_accept")?, case.number("u_residual")?].into_iter();
    let verdict = verify_one_token(&p, &q, draft, &mut Uniforms(|| numbers.next().unwrap_or(1.0)));
    let answer = |accepted: bool, token, acceptance| Answer {
        ids: vec![vec![usize::from(accepted)], vec![token]],
        numbers: vec![acceptance],
    };
    let expected = or_error(case, || {
        let expect = case.object("expect")?;
        let Value::Bool(accepted) = case.part(expect, "accepted")? else {
            return case.wrong("expect.accepted is neither true nor false");
        };
        let token = case.as_index("expect.token", case.part(expect, "token")?)?;
        let acceptance = case.part(expect, "accept_probability")?;
        Ok(answer(*accepted, token, case.as_number("expect.accept_probability", acceptance)?))
    })?;
    let got = verdict.map(|verdict| answer(verdict.accepted, verdict.token, verdict.acceptance));
    Ok(Outcome { got, expected, within: PROBABILITY })
}

/// `block_verify`: the coins and corrections of a whole window.
pub fn block(case: &Case) -> Result<Outcome> {
    let (p, q, draft) = (case.rows("p_rows")?, case.rows("q_rows")?, case.indices("draft_tokens")?);
    let got = block_law(&p, &q, &draft).map(|law| {
        let residuals = law.residuals.iter().map(|residual| Answer::law(&residual.to_dense()));
        window(law.coins, residuals)
    });
    let expected = or_error(case, || {
        let expect = case.object("expect")?;
        let coins = case.as_numbers("expect.coins", case.part(expect, "coins")?)?;
        let mut residuals = Vec::new();
        for residual in case.as_list("expect.residuals", case.part(expect, "residuals")?)? {
            let Value::Object(law) = residual else { return case.wrong("expect.residuals holds no laws") };
            let ids = case.as_indices("expect.residuals.ids", case.part(law, "ids")?)?;
            let numbers = case.as_numbers("expect.residuals.probs", case.part(law, "probs")?)?;
            residuals.push(Answer { ids: vec![ids], numbers });
        }
        Ok(window(coins, residuals.into_iter()))
    })?;
    Ok(Outcome { got, expected, within: PROBABILITY })
}

fn window(coins: Vec<f64>, residuals: impl Iterator<Item = Answer>) -> Answer {
    residuals.fold(Answer::numbers(coins), |mut all, residual| {
        all.ids.extend(residual.ids);
        all.numbers.extend(residual.numbers);
        all
    })
}

type Law = Box<dyn Distribution>;

/// p and q in the form that the case asks for; the inner result is the law's own.
fn stored(case: &Case) -> Result<Result<(Law, Law)>> {
    let (sparse_p, sparse_q) = match case.text("form")? {
        "dense" => (false, false),
        "sparse" => (true, true),
        "sparse-p" => (true, false),
        "sparse-q" => (false, true),
        _ => return case.wrong("form must be dense, sparse, sparse-p or sparse-q"),
    };
    let (p, q) = (case.numbers("p")?, case.numbers("q")?);
    Ok(law(p, sparse_p).and_then(|p| Ok((p, law(q, sparse_q)?))))
}

fn law(row: Vec<f64>, sparse: bool) -> Result<Law> {
    Ok(if sparse { Box::new(SparseDistribution::from_dense(&row)?) } else { Box::new(row) })
}
