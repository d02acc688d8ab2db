//! Procedures that look like speculative sampling and are not, each with its distance from the target's law.
//!
//! On one position, p = [.55, .25, .15, .05] and q = [.10, .55, .20, .15]; the distances are those that the sums give, to
//! four digits. A test that accepts one of these accepts a biased sampler.

use kit::Result;
use kit::law::{
    Chance, Distribution, History, SparseDistribution, Uniforms, every_outcome, sample_from_distribution,
    total_variation,
};
use solution_law::{
    TokenModel, acceptance_probability, apply_top_p_top_k, law_of, propose, residual_distribution,
    speculative_output_marginal, verify_one_token,
};

use crate::paths::{PROMPT, autoregressive, next, plain, plan};
use crate::table::Table;

const P: [f64; 4] = [0.55, 0.25, 0.15, 0.05];
const Q: [f64; 4] = [0.10, 0.55, 0.20, 0.15];

/// How far the law of a procedure is from p, rounded to four digits.
fn distance(mut procedure: impl FnMut(&mut dyn Chance) -> Result<usize>) -> Result<f64> {
    let law = every_outcome(|chance| Ok(vec![procedure(chance)?]))?;
    let own = P.iter().enumerate().map(|(id, &p)| (vec![id], p)).collect();
    Ok((total_variation(&law, &own) * 1e4).round() / 1e4)
}

/// A draft from q, kept as it should be; `correction` takes the place of a rejected one.
fn with_correction(correction: impl Fn(usize) -> Vec<f64>) -> Result<f64> {
    distance(|chance| {
        let draft = chance.draw(&Q)?;
        match chance.accept(acceptance_probability(&P, &Q, draft)?)? {
            true => Ok(draft),
            false => chance.draw(&SparseDistribution::from_dense(&correction(draft))?),
        }
    })
}

fn each(entry: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    P.iter().zip(&Q).map(|(&p, &q)| entry(p, q)).collect()
}

#[test]
fn the_right_procedure_has_no_distance() -> Result<()> {
    assert_eq!(
        distance(|chance| {
            let draft = chance.draw(&Q)?;
            Ok(verify_one_token(&P, &Q, draft, chance)?.token)
        })?,
        0.0
    );
    assert_eq!(with_correction(|_| each(|p, q| (p - q).max(0.0)))?, 0.0);
    // A greedy draft, recorded as what it is: all mass on one id.
    let one_hot = [0.0, 1.0, 0.0, 0.0];
    assert_eq!(distance(|chance| Ok(verify_one_token(&P, &one_hot, 1, chance)?.token))?, 0.0);
    Ok(())
}

#[test]
fn a_correction_from_the_target_is_biased() -> Result<()> {
    assert_eq!(with_correction(|_| P.to_vec())?, 0.2025);
    Ok(())
}

#[test]
fn a_correction_from_the_absolute_difference_is_biased() -> Result<()> {
    assert_eq!(with_correction(|_| each(|p, q| (p - q).abs()))?, 0.225);
    Ok(())
}

#[test]
fn a_correction_from_the_draft_s_surplus_is_biased() -> Result<()> {
    assert_eq!(with_correction(|_| each(|p, q| (q - p).max(0.0)))?, 0.45);
    Ok(())
}

#[test]
fn a_correction_from_the_target_without_the_draft_is_biased() -> Result<()> {
    let without = |draft: usize| (0..P.len()).map(|id| if id == draft { 0.0 } else { P[id] }).collect();
    assert_eq!(with_correction(without)?, 0.1398);
    Ok(())
}

#[test]
fn an_inverted_ratio_is_biased() -> Result<()> {
    let found = distance(|chance| {
        let draft = chance.draw(&Q)?;
        match chance.accept((Q[draft] / P[draft]).min(1.0))? {
            true => Ok(draft),
            false => chance.draw(&residual_distribution(&P, &Q)?),
        }
    })?;
    assert_eq!(found, 0.45);
    Ok(())
}

/// The recorded q must be the law that the draft was drawn from: here the draft is q's argmax, and q is recorded.
#[test]
fn a_greedy_draft_scored_with_the_soft_law_is_biased() -> Result<()> {
    assert_eq!(distance(|chance| Ok(verify_one_token(&P, &Q, 1, chance)?.token))?, 0.2045);
    Ok(())
}

/// The same with a draft from the two likeliest tokens, scored with the law before the filter.
#[test]
fn a_filtered_draft_scored_with_the_raw_law_is_biased() -> Result<()> {
    let filtered = apply_top_p_top_k(&Q, 1.0, 2)?;
    let found = distance(|chance| {
        let draft = chance.draw(&filtered)?;
        Ok(verify_one_token(&P, &Q, draft, chance)?.token)
    })?;
    assert_eq!(found, 0.1333);
    let recorded = distance(|chance| {
        let draft = chance.draw(&filtered)?;
        Ok(verify_one_token(&P, &filtered, draft, chance)?.token)
    })?;
    assert_eq!(recorded, 0.0);
    Ok(())
}

/// Keeping a draft that the target's own draw equals is a law of its own; its correction is that draw.
#[test]
fn a_match_test_followed_by_the_residual_is_biased() -> Result<()> {
    let match_test = |residual: bool| {
        distance(move |chance| {
            let (draft, drawn) = (chance.draw(&Q)?, chance.draw(&P)?);
            if draft == drawn || !residual { Ok(drawn) } else { chance.draw(&residual_distribution(&P, &Q)?) }
        })
    };
    assert_eq!(match_test(true)?, 0.275);
    assert_eq!(match_test(false)?, 0.0);
    Ok(())
}

/// Mass that is lost does not show once the answer is divided by its sum: the raw sum tells.
#[test]
fn a_residual_that_is_not_normalised_loses_mass() -> Result<()> {
    let mut lost = vec![0.0; P.len()];
    for (draft, &proposed) in Q.iter().enumerate() {
        let acceptance = acceptance_probability(&P, &Q, draft)?;
        lost[draft] += proposed * acceptance;
        for (id, left) in each(|p, q| (p - q).max(0.0)).into_iter().enumerate() {
            lost[id] += proposed * (1.0 - acceptance) * left;
        }
    }
    let sum: f64 = lost.iter().sum();
    assert_eq!((sum * 1e4).round() / 1e4, 0.7525);
    let hidden: f64 = lost.iter().zip(&P).map(|(lost, p)| (lost / sum - p).abs()).sum::<f64>() / 2.0;
    assert_eq!((hidden * 1e4).round() / 1e4, 0.148);
    let right: f64 = speculative_output_marginal(&P, &Q)?.iter().sum();
    assert!((right - 1.0).abs() <= 1e-12);
    Ok(())
}

/// With u <= a instead of u < a, a draft that must never stay does at u = 0.
#[test]
fn a_coin_of_zero_never_keeps_a_draft_that_the_target_forbids() -> Result<()> {
    let (p, q) = ([0.0, 1.0], [0.5, 0.5]);
    let verdict = verify_one_token(&p, &q, 0, &mut Uniforms(|| 0.0))?;
    assert_eq!((verdict.accepted, verdict.token), (false, 1));
    assert_eq!(sample_from_distribution(&p, 0.0)?, 1);
    Ok(())
}

/// A ratio of 2e-8 is far below the rounding of f32: one minus it would be 1 there, and its logarithm 0.
#[test]
fn a_tiny_ratio_keeps_its_draft_as_rarely_as_it_says() -> Result<()> {
    let p = [2e-8, 1.0 - 2e-8];
    let law = every_outcome(|chance| Ok(verify_one_token(&p, &[1.0, 0.0], 0, chance)?.token))?;
    assert_eq!(law.get(&0), Some(&2e-8));
    Ok(())
}

/// Three drafts and a bonus over three tokens, p = [.5, .3, .2] and q = [.2, .5, .3] in every context. All drafts stay
/// with probability 0.7^3, and the bonus is then 0.3 away from p: the joint law of four tokens is off by their product.
#[test]
fn a_bonus_from_the_draft_s_law_is_biased() -> Result<()> {
    let (p, q) = ([0.5, 0.3, 0.2], [0.2, 0.5, 0.3]);
    let four_tokens = |bonus: &dyn Distribution| {
        every_outcome(|chance| {
            let mut tokens = Vec::new();
            while tokens.len() < 3 {
                let draft = chance.draw(&q)?;
                let verdict = verify_one_token(&p, &q, draft, chance)?;
                tokens.push(verdict.token);
                if !verdict.accepted {
                    // The window ends, and the target alone writes the rest.
                    while tokens.len() < 4 {
                        tokens.push(chance.draw(&p)?);
                    }
                    return Ok(tokens);
                }
            }
            tokens.push(chance.draw(bonus)?);
            Ok(tokens)
        })
    };
    let own = every_outcome(|chance| (0..4).map(|_| chance.draw(&p)).collect::<Result<Vec<_>>>())?;
    assert_eq!((total_variation(&four_tokens(&q)?, &own) * 1e4).round() / 1e4, 0.1029);
    assert!(total_variation(&four_tokens(&p)?, &own) <= 1e-12);
    Ok(())
}

/// From the drafts of a window and a place in it to the tokens that its row is penalised for.
type Counted = fn(&[usize], usize) -> Vec<usize>;

/// A row penalised for all drafts of its window, for none of them, or without the primary.
#[test]
fn penalties_that_count_other_tokens_than_those_before_a_row_are_biased() -> Result<()> {
    let (target, draft) = (Table::new(3, 131), Table::new(3, 132));
    let plan = plan(plain().frequency_penalty(0.5), plain(), 2, 4)?;
    let own = autoregressive(&target, &[1], &plan)?;
    let counted: [(&str, Counted); 4] = [
        ("the drafts before it", |drafts, place| [&[1], &drafts[..place]].concat()),
        ("the whole window", |drafts, _| [&[1], drafts].concat()),
        ("no draft", |_, _| vec![1]),
        ("no primary", |drafts, place| drafts[..place].to_vec()),
    ];
    for (what, counted) in counted {
        let written = every_outcome(|chance| {
            let (mut target, mut draft) = (target.clone(), draft.clone());
            let guess = propose(&mut draft, &[PROMPT[0], 1], &plan.draft, 2, &[], chance)?;
            target.feed(&PROMPT)?;
            let rows = target.feed(&[&[1], &guess.tokens[..]].concat())?;
            let law = |place: usize| law_of(&rows[place], &plan.target, &History::of(&counted(&guess.tokens, place)));
            let mut completion = vec![1];
            for (place, (q, &token)) in guess.laws.iter().zip(&guess.tokens).enumerate() {
                let verdict = verify_one_token(&law(place)?, q, token, chance)?;
                completion.push(verdict.token);
                if !verdict.accepted {
                    break;
                }
            }
            if completion.len() == 3 && completion[1..] == guess.tokens {
                completion.push(chance.draw(&law(2)?)?);
            }
            while completion.len() < plan.max_tokens {
                let next = next(&target, &completion, &plan)?;
                completion.push(chance.draw(&next)?);
            }
            Ok(completion)
        })?;
        let distance = total_variation(&written, &own);
        assert_eq!(distance <= 1e-12, what == "the drafts before it", "{what}: {distance:.3e}");
    }
    Ok(())
}
