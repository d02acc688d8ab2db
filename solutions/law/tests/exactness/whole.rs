//! Every depth, rule, penalty, stop token, budget and draft: the law stays.

use kit::law::{Chance, History, Uniforms, every_outcome};
use kit::{Error, Result, SamplingLaw, testing::expect_non_finite};
use solution_law::{Decoded, Plan, Room, Rule, TokenModel, decode, law_of, propose, verify_window};
use std::ops::ControlFlow;

use crate::paths::{
    BOTH, PROMPT, assert_exact, assert_same_law, assert_window_exact, autoregressive, plain, plan, written,
};
use crate::table::Table;

/// The loop after the prompt, which nobody interrupts.
fn go_on(
    target: &mut dyn TokenModel,
    draft: &mut dyn TokenModel,
    plan: &Plan,
    chance: &mut dyn Chance,
) -> Result<Decoded> {
    decode(target, draft, &PROMPT, plan, chance, &mut |_| Ok(ControlFlow::Continue(())))
}

/// With room for a bonus after a full window, and for windows that start at every place.
#[test]
fn every_depth_and_vocabulary_writes_the_targets_law() -> Result<()> {
    for (vocabulary, depth, max_tokens) in [(2, 1, 6), (2, 2, 6), (2, 3, 6), (3, 1, 5), (3, 2, 4), (4, 1, 4)] {
        for seed in 0..2 {
            let (target, draft) = (Table::new(vocabulary, seed), Table::new(vocabulary, seed + 100));
            let what = format!("V = {vocabulary}, depth {depth}, seed {seed}");
            assert_exact(&what, &target, &draft, &plan(plain(), plain(), depth, max_tokens)?)?;
        }
    }
    Ok(())
}

#[test]
fn three_tokens_three_deep_with_a_bonus() -> Result<()> {
    let (target, draft) = (Table::new(3, 5), Table::new(3, 6));
    assert_exact("V = 3, depth 3", &target, &draft, &plan(plain(), plain().top_k(2), 3, 5)?)
}

/// The widest loop: a quarter of a million paths.
fn assert_widest_exact(rule: Rule) -> Result<()> {
    let (target, draft) = (Table::new(3, 9), Table::new(3, 10));
    let plan = Plan { rule, ..plan(plain().frequency_penalty(0.3), plain(), 3, 5)? };
    let (written, own) = (written(&target, &draft, &plan)?, autoregressive(&target, &[], &plan)?);
    assert_same_law(&format!("V = 3, depth 3, {rule:?}"), &written, &own);
    Ok(())
}

#[test]
fn the_widest_loop_writes_the_targets_law_token_by_token() -> Result<()> {
    assert_widest_exact(Rule::Token)
}

#[test]
fn the_widest_loop_writes_the_targets_law_in_blocks() -> Result<()> {
    assert_widest_exact(Rule::Block)
}

#[test]
fn every_window_writes_the_targets_law() -> Result<()> {
    for (vocabulary, depth) in (2..=4).flat_map(|vocabulary| (1..=3).map(move |depth| (vocabulary, depth))) {
        for seed in 0..4 {
            let (target, draft) = (Table::new(vocabulary, seed), Table::new(vocabulary, seed + 100));
            let what = format!("V = {vocabulary}, depth {depth}, seed {seed}");
            assert_window_exact(&what, &target, &draft, &plan(plain(), plain(), depth, 0)?)?;
        }
    }
    Ok(())
}

/// A penalty counts the primary, the drafts before a row, and no rejected draft.
#[test]
fn penalties_count_what_will_have_been_written() -> Result<()> {
    for (presence, frequency) in [(0.0, 0.7), (0.6, 0.0), (-0.8, 0.3)] {
        let law = plain().presence_penalty(presence).frequency_penalty(frequency);
        let what = format!("presence {presence}, frequency {frequency}");
        for (vocabulary, depth, max_tokens) in [(2, 3, 6), (3, 2, 4)] {
            let (target, draft) = (Table::new(vocabulary, 21), Table::new(vocabulary, 22));
            assert_exact(&what, &target, &draft, &plan(law, plain(), depth, max_tokens)?)?;
        }
        assert_window_exact(&what, &Table::new(4, 23), &Table::new(4, 24), &plan(law, plain(), 3, 0)?)?;
    }
    Ok(())
}

#[test]
fn a_stop_token_ends_the_completion_inside_a_window_too() -> Result<()> {
    for stop in [vec![1], vec![0, 2]] {
        for depth in 1..=3 {
            let what = format!("depth {depth}, stop {stop:?}");
            let (target, draft) = (Table::new(3, 31), Table::new(3, 32));
            let law = plain().frequency_penalty(0.4);
            let plan = Plan { stop: stop.clone(), ..plan(law, plain().top_k(2), depth, 5)? };
            assert_exact(&what, &target, &draft, &plan)?;
        }
    }
    let plan = Plan { stop: vec![2], ..plan(plain(), plain(), 3, 0)? };
    assert_window_exact("stop 2", &Table::new(4, 33), &Table::new(4, 34), &plan)
}

#[test]
fn the_budget_ends_a_window_anywhere() -> Result<()> {
    let (target, draft) = (Table::new(3, 41), Table::new(3, 42));
    for max_tokens in 1..=4 {
        let what = format!("{max_tokens} tokens");
        assert_exact(&what, &target, &draft, &plan(plain(), plain().temperature(1.5), 3, max_tokens)?)?;
    }
    Ok(())
}

/// From greedy to uniform, filtered and not: the draft's settings change what stays, never what is written.
#[test]
fn the_drafts_settings_leave_the_law_alone() -> Result<()> {
    let drafts = [0.0, 0.3, 1.0, 3.0, f64::INFINITY].map(|temperature| plain().temperature(temperature));
    let filtered = [plain().top_k(1), plain().top_k(2), plain().top_p(0.6), plain().frequency_penalty(2.0)];
    for draft_law in drafts.into_iter().chain(filtered) {
        let what = format!("draft {draft_law:?}");
        assert_exact(&what, &Table::new(3, 51), &Table::new(3, 52), &plan(plain(), draft_law, 2, 4)?)?;
        assert_window_exact(&what, &Table::new(4, 53), &Table::new(4, 54), &plan(plain(), draft_law, 3, 0)?)?;
    }
    Ok(())
}

/// Zeros in p where q proposes, zeros in q where p wants more, and both.
#[test]
fn filters_on_both_sides_leave_zeros_that_do_no_harm() -> Result<()> {
    for (p, q) in [(2, 0), (0, 2), (2, 2), (2, 1), (3, 2)] {
        let what = format!("target top-k {p}, draft top-k {q}");
        let law = plain().top_k(p).temperature(1.3);
        assert_exact(&what, &Table::new(3, 61), &Table::new(3, 62), &plan(law, plain().top_k(q), 2, 4)?)?;
        let law = law.top_p(0.8);
        assert_window_exact(&what, &Table::new(4, 63), &Table::new(4, 64), &plan(law, plain().top_k(q), 3, 0)?)?;
    }
    Ok(())
}

/// p = q: every draft stays, also where both sides are filtered.
#[test]
fn the_target_as_its_own_draft_is_never_rejected() -> Result<()> {
    let target = Table::new(3, 71);
    for law in [plain(), plain().top_k(2), plain().temperature(0.5).top_p(0.9)] {
        let plan = plan(law, law, 3, 5)?;
        assert_exact("its own draft", &target, &target, &plan)?;
        for rule in BOTH {
            let plan = Plan { rule, ..plan.clone() };
            every_outcome(|chance| {
                let decoded = go_on(&mut target.clone(), &mut target.clone(), &plan, chance)?;
                assert_eq!(decoded.kept, decoded.drafted, "{rule:?}: a draft was rejected");
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// The target at temperature 0: one completion, whatever the draft says.
#[test]
fn greedy_writes_what_the_target_alone_writes() -> Result<()> {
    let (target, draft) = (Table::new(4, 81), Table::new(4, 82));
    for draft_law in [plain().top_k(2), plain().temperature(0.0), plain().temperature(4.0).top_k(3)] {
        for penalty in [0.0, 1.0] {
            let plan = plan(plain().temperature(0.0).frequency_penalty(penalty), draft_law, 3, 5)?;
            let own = autoregressive(&target, &[], &plan)?;
            assert_eq!(own.len(), 1);
            for rule in BOTH {
                let written = written(&target, &draft, &Plan { rule, ..plan.clone() })?;
                assert!(written.keys().eq(own.keys()), "{rule:?}: {written:?}, the target alone {own:?}");
            }
        }
    }
    Ok(())
}

/// Depth 0 is the target alone, and asks the draft nothing.
#[test]
fn without_drafts_the_target_decodes_alone() -> Result<()> {
    let (target, draft) = (Table::new(3, 91), Table::new(3, 92));
    assert_exact("depth 0", &target, &draft, &plan(plain().presence_penalty(0.5), plain(), 0, 4)?)
}

/// More drafts stay on average than token by token: the one thing that block verification is for.
#[test]
fn block_verification_keeps_more() -> Result<()> {
    for seed in 0..5 {
        let (target, draft) = (Table::new(3, 110 + seed), Table::new(3, 120 + seed));
        let mean = |rule| -> Result<f64> {
            let plan = Plan { rule, ..plan(plain(), plain(), 3, 4)? };
            let kept = every_outcome(|chance| {
                let (mut target, mut draft) = (target.clone(), draft.clone());
                let guess = propose(&mut draft, &PROMPT, &plan.draft, 3, &[], chance)?;
                let rows = target.feed(&[&PROMPT[..], &guess.tokens].concat())?;
                let room = Room { stop: &[], tokens: 4 };
                let history = History::default();
                Ok(verify_window(&rows, &guess, &plan.target, &history, room, rule, chance)?.drafts)
            })?;
            Ok(kept.into_iter().map(|(drafts, chance)| drafts as f64 * chance).sum())
        };
        let (token, block) = (mean(Rule::Token)?, mean(Rule::Block)?);
        assert!(block > token + 1e-3, "seed {seed}: {block} drafts stay in a block, {token} one by one");
    }
    Ok(())
}

/// A memory that cannot forget would keep rejected drafts: the loop ends with its error, and writes nothing.
#[test]
fn a_model_that_cannot_rewind_is_refused() -> Result<()> {
    struct Unforgetting(Table);
    impl TokenModel for Unforgetting {
        fn feed(&mut self, tokens: &[usize]) -> Result<Vec<Vec<f64>>> {
            self.0.feed(tokens)
        }
        fn rewind(&mut self, length: usize) -> Result<()> {
            match length == self.0.length() {
                true => Ok(()),
                false => Err(Error::Other("this cache cannot forget".into())),
            }
        }
        fn length(&self) -> usize {
            self.0.length()
        }
    }
    let plan = plan(plain(), plain(), 3, 8)?;
    let refused = (0..20).filter(|&seed| {
        let (mut target, mut draft) = (Unforgetting(Table::new(3, seed)), Table::new(3, seed + 1));
        let decoded = go_on(&mut target, &mut draft, &plan, &mut Uniforms::seeded(seed));
        decoded.is_err_and(|error| error.to_string() == "this cache cannot forget")
    });
    assert!(refused.count() > 10, "most runs reject a draft");
    Ok(())
}

/// The row on which the laws differ: .4, .2, .2, .2 at temperature 2 and p = .58.
#[test]
fn a_law_goes_by_its_name() -> Result<()> {
    let (row, none) = ([0.4_f64, 0.2, 0.2, 0.2].map(f64::ln), History::default());
    let filter_first = |temperature, top_k, top_p| SamplingLaw::FilterFirst { temperature, top_k, top_p };
    let near = |what: &str, law: SamplingLaw, expected: [f64; 4]| -> Result<()> {
        let got = law_of(&row, &law, &none)?;
        let right = got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 5e-5);
        assert!(right, "{what}\n  got      {got:?}\n  expected {expected:?}");
        Ok(())
    };
    near("filter-first", filter_first(2.0, None, Some(0.58)), [0.5858, 0.4142, 0.0, 0.0])?;
    near(
        "temper-first",
        SamplingLaw::TemperFirst(plain().temperature(2.0).top_p(0.58).build()?),
        [0.4142, 0.2929, 0.2929, 0.0],
    )?;
    near("top-k alone", filter_first(1.0, Some(2), Some(0.0)), [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0])?;
    near("no filter", filter_first(1.0, Some(0), Some(1.0)), [0.4, 0.2, 0.2, 0.2])?;
    near("greedy", filter_first(0.0, Some(3), Some(0.9)), [1.0, 0.0, 0.0, 0.0])?;
    expect_non_finite(law_of(&[f64::NAN, 0.0], &filter_first(0.0, None, None), &none));
    Ok(())
}
