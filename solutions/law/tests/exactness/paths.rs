//! The laws that are compared: of the loop, of one window, and of the target alone.

use std::{collections::BTreeMap, ops::ControlFlow};

use kit::law::{History, SamplerConfig, SamplerConfigBuilder, every_outcome, total_variation};
use kit::{Result, SamplingLaw};
use solution_law::{Plan, Room, Rule, TokenModel, decode, law_of, propose, verify_window};

use crate::table::Table;

/// Completions and their probabilities.
pub type Law = BTreeMap<Vec<usize>, f64>;

/// What every text begins with.
pub const PROMPT: [usize; 1] = [0];
/// Both ways to judge a window.
pub const BOTH: [Rule; 2] = [Rule::Token, Rule::Block];

/// Temperature 1 without filters and penalties.
pub fn plain() -> SamplerConfigBuilder {
    SamplerConfig::builder().temperature(1.0).top_p(1.0).top_k(0)
}

/// A plan without stop tokens.
pub fn plan(
    target: SamplerConfigBuilder,
    draft: SamplerConfigBuilder,
    depth: usize,
    max_tokens: usize,
) -> Result<Plan> {
    let (target, draft) = (SamplingLaw::TemperFirst(target.build()?), SamplingLaw::TemperFirst(draft.build()?));
    Ok(Plan { target, draft, depth, rule: Rule::Token, stop: Vec::new(), max_tokens })
}

/// The law of what the loop writes.
pub fn written(target: &Table, draft: &Table, plan: &Plan) -> Result<Law> {
    every_outcome(|chance| {
        let (mut target, mut draft) = (target.clone(), draft.clone());
        Ok(decode(&mut target, &mut draft, &PROMPT, plan, chance, &mut |_| Ok(ControlFlow::Continue(())))?.tokens)
    })
}

/// The law of one window after the completion `before`, and of tokens that the target alone adds up to the budget.
pub fn windowed(target: &Table, draft: &Table, before: &[usize], plan: &Plan) -> Result<Law> {
    every_outcome(|chance| {
        let (mut target, mut draft) = (target.clone(), draft.clone());
        let mut completion = before.to_vec();
        let text = [&PROMPT[..], before].concat();
        let guess = propose(&mut draft, &text, &plan.draft, plan.depth, &plan.stop, chance)?;
        target.feed(&text[..text.len() - 1])?;
        let rows = target.feed(&[&text[text.len() - 1..], &guess.tokens].concat())?;
        let room = Room { stop: &plan.stop, tokens: plan.max_tokens - before.len() };
        let kept = verify_window(&rows, &guess, &plan.target, &History::of(before), room, plan.rule, chance)?;
        completion.extend(&guess.tokens[..kept.drafts]);
        completion.extend(kept.correction);
        while !ended(&completion, plan) {
            completion.push(chance.draw(&next(&target, &completion, plan)?)?);
        }
        Ok(completion)
    })
}

/// The target's own law of a completion that begins with `before`, without drafts, windows and coins.
pub fn autoregressive(target: &Table, before: &[usize], plan: &Plan) -> Result<Law> {
    let mut law = Law::new();
    let mut open = vec![(before.to_vec(), 1.0)];
    while let Some((completion, chance)) = open.pop() {
        if ended(&completion, plan) {
            *law.entry(completion).or_insert(0.0) += chance;
            continue;
        }
        for (id, p) in next(target, &completion, plan)?.into_iter().enumerate().filter(|(_, p)| *p > 0.0) {
            open.push(([&completion[..], &[id]].concat(), chance * p));
        }
    }
    Ok(law)
}

fn ended(completion: &[usize], plan: &Plan) -> bool {
    completion.len() == plan.max_tokens || completion.last().is_some_and(|last| plan.stop.contains(last))
}

/// The target's law of the token after a completion.
pub fn next(target: &Table, completion: &[usize], plan: &Plan) -> Result<Vec<f64>> {
    let context = [&PROMPT[..], completion].concat();
    law_of(&target.logits(&context), &plan.target, &History::of(completion))
}

/// Panics unless the two laws are the same to rounding.
#[track_caller]
pub fn assert_same_law(what: &str, written: &Law, own: &Law) {
    let distance = total_variation(written, own);
    let sum: f64 = written.values().sum();
    assert!(own.len() > 1, "{what}: a law with one completion shows nothing");
    assert!(distance <= 1e-12, "{what}: total variation {distance:.3e}");
    assert!((sum - 1.0).abs() <= 1e-12, "{what}: the probabilities sum to {sum}");
}

/// Whole completions, under both rules.
#[track_caller]
pub fn assert_exact(what: &str, target: &Table, draft: &Table, plan: &Plan) -> Result<()> {
    for rule in BOTH {
        let plan = Plan { rule, ..plan.clone() };
        let (written, own) = (written(target, draft, &plan)?, autoregressive(target, &[], &plan)?);
        assert_same_law(&format!("{what}, {rule:?}"), &written, &own);
    }
    Ok(())
}

/// One window with a bonus after each of two completions, under both rules.
#[track_caller]
pub fn assert_window_exact(what: &str, target: &Table, draft: &Table, plan: &Plan) -> Result<()> {
    for (rule, before) in BOTH.into_iter().flat_map(|rule| [(rule, &[1][..]), (rule, &[1, 1])]) {
        let plan = Plan { rule, max_tokens: before.len() + plan.depth + 1, ..plan.clone() };
        let own = autoregressive(target, before, &plan)?;
        let what = format!("{what}, {rule:?}, a window after {before:?}");
        assert_same_law(&what, &windowed(target, draft, before, &plan)?, &own);
    }
    Ok(())
}
