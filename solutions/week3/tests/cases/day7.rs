//! Day 7, speculative decoding, its laws: one test a sentence of the contract, then MTPLX's answers, then sums over every outcome.
//!
//! No test draws at random. A procedure runs once for every way in which its coins and draws can fall; the probabilities
//! of equal results are added and compared with the target's law, to 1e-12.

use kit::Result;
use kit::law::{Chance, Distribution, SparseDistribution, Uniforms, every_outcome, total_variation};
use kit::testing::{expect_error, expect_invalid_argument, expect_non_finite, golden_json};
use std::collections::BTreeMap;
use week3::speculative::{
    acceptance_probability, block_law, residual_distribution, speculative_output_marginal, verify_block,
    verify_one_token,
};

const P: [f64; 4] = [0.55, 0.25, 0.15, 0.05];
const Q: [f64; 4] = [0.10, 0.55, 0.20, 0.15];
const EXACT: f64 = 1e-12;
const SUM: &str = "the sum of the probabilities";

#[track_caller]
fn assert_near(what: &str, got: f64, expected: f64) {
    let near = (got - expected).abs() <= EXACT;
    assert!(near, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

#[track_caller]
fn assert_row(what: &str, got: &[f64], expected: &[f64]) {
    let near = got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| (g - e).abs() <= EXACT);
    assert!(near, "{what}\n  got      {got:?}\n  expected {expected:?}");
}

/// Ids with their probabilities, in the law's order.
#[track_caller]
fn assert_entries(what: &str, got: &SparseDistribution, expected: &[(usize, f64)]) {
    let entries: Vec<(usize, f64)> = got.entries().collect();
    let near =
        |(got, expected): (&(usize, f64), &(usize, f64))| got.0 == expected.0 && (got.1 - expected.1).abs() <= EXACT;
    let same = entries.len() == expected.len() && entries.iter().zip(expected).all(near);
    assert!(same, "{what}\n  got      {entries:?}\n  expected {expected:?}");
}

/// Laws over `vocabulary` ids, all different, with zeros now and then.
fn laws(count: u64, vocabulary: usize) -> Vec<Vec<f64>> {
    let law = |seed| {
        let mut weights: Vec<f64> = (0..vocabulary).map(|id| unit(&[seed as usize, id])).collect();
        weights.iter_mut().for_each(|weight| *weight = (*weight - 0.2).max(0.0));
        weights[seed as usize % vocabulary] += 0.1;
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    (0..count).map(law).collect()
}

/// A number in [0, 1) that depends on all of `words`: SplitMix64's output step, folded over them.
fn unit(words: &[usize]) -> f64 {
    let mixed = |state: u64| {
        let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    };
    let state = words.iter().fold(7, |state, &word| mixed(state ^ (word as u64 + 1)));
    (mixed(state) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A golden number; the file writes those that are none as texts.
fn number(value: &impl ToString) -> f64 {
    value.to_string().trim_matches('"').parse().expect("a number of the golden file")
}

fn sparse(probs: &[f64]) -> Result<SparseDistribution> {
    SparseDistribution::from_dense(probs)
}

// Task 3.7.1

#[test]
fn task_1_the_ratio_is_capped_at_one() -> Result<()> {
    assert_near("p 0.25, q 0.5", acceptance_probability(&[0.25, 0.75], &[0.5, 0.5], 0)?, 0.5);
    assert_near("p 0.75, q 0.5", acceptance_probability(&[0.25, 0.75], &[0.5, 0.5], 1)?, 1.0);
    assert_near("p = q", acceptance_probability(&[0.25, 0.75], &[0.25, 0.75], 0)?, 1.0);
    assert_near("p 0, q 0.25", acceptance_probability(&[0.0, 1.0], &[0.25, 0.75], 0)?, 0.0);
    Ok(())
}

#[test]
fn task_1_a_draft_that_q_never_proposes_stays_where_p_allows_it() -> Result<()> {
    assert_near("p 0.5, q 0", acceptance_probability(&[0.5, 0.5], &[0.0, 1.0], 0)?, 1.0);
    assert_near("p 0, q 0", acceptance_probability(&[0.0, 0.5, 0.5], &[0.0, 0.5, 0.5], 0)?, 0.0);
    Ok(())
}

#[test]
fn task_1_the_smallest_numbers_are_numbers() -> Result<()> {
    assert_near("p 0.5, q 5e-324", acceptance_probability(&[0.5, 0.5], &[5e-324, 1.0], 0)?, 1.0);
    let got = acceptance_probability(&[5e-324, 1.0], &[0.5, 0.5], 0)?;
    assert!(got == 1e-323, "p 5e-324, q 0.5\n  got      {got:e}\n  expected 1e-323");
    // Only the ratio counts, however small both are.
    for (p, q) in [(1e-20, 2e-20), (1e-310, 2e-310), (5e-324, 1e-323)] {
        assert_near(&format!("p {p:e}, q {q:e}"), acceptance_probability(&[p, 1.0], &[q, 1.0], 0)?, 0.5);
    }
    Ok(())
}

#[test]
fn task_1_dense_and_sparse_laws_mix() -> Result<()> {
    for x in 0..4 {
        let expected = acceptance_probability(&P, &Q, x)?;
        assert_near("sparse p", acceptance_probability(&sparse(&P)?, &Q, x)?, expected);
        assert_near("sparse q", acceptance_probability(&P, &sparse(&Q)?, x)?, expected);
    }
    let (p, q) = (sparse(&[0.0, 0.5, 0.5, 0.0])?, sparse(&[0.5, 0.5, 0.0, 0.0])?);
    assert_near("outside both", acceptance_probability(&p, &q, 3)?, 0.0);
    Ok(())
}

#[test]
fn task_1_bad_values_at_the_draft_are_refused() -> Result<()> {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        expect_non_finite(acceptance_probability(&[bad, 0.5], &[0.5, 0.5], 0));
        expect_non_finite(acceptance_probability(&[0.5, 0.5], &[bad, 0.5], 0));
        assert_near("elsewhere", acceptance_probability(&[0.25, bad], &[0.5, bad], 0)?, 0.5);
    }
    expect_invalid_argument(acceptance_probability(&[-0.1, 1.1], &[0.5, 0.5], 0), "a probability");
    expect_invalid_argument(acceptance_probability(&[0.5, 0.5], &[-0.1, 1.1], 0), "a probability");
    Ok(())
}

#[test]
fn task_1_both_laws_are_over_the_same_ids() -> Result<()> {
    expect_invalid_argument(acceptance_probability(&[0.5, 0.5], &[0.5, 0.5], 2), "a token id");
    expect_invalid_argument(acceptance_probability(&[1.0], &[0.5, 0.5], 0), "the vocabulary of q");
    expect_invalid_argument(acceptance_probability(&[0.5, 0.5], &[1.0], 0), "the vocabulary of q");
    Ok(())
}

#[test]
fn task_1_the_mean_over_drafts_is_the_common_mass() -> Result<()> {
    for pair in laws(40, 6).chunks(2) {
        let (p, q) = (&pair[0], &pair[1]);
        let mut mean = 0.0;
        for (x, proposed) in q.iter().enumerate() {
            mean += proposed * acceptance_probability(p, q, x)?;
        }
        assert_near("the mean", mean, p.iter().zip(q).map(|(p, q)| p.min(*q)).sum());
    }
    Ok(())
}

#[test]
fn task_1_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("law/sampling_mtplx.json")?;
    let cases = file["acceptance"].as_array().expect("a section");
    for case in cases {
        let row = |name: &str| case[name].as_array().expect("a row").iter().map(number).collect::<Vec<f64>>();
        let x = number(&case["token"]) as usize;
        let got = match case["form"] == "sparse" {
            true => acceptance_probability(&sparse(&row("p"))?, &sparse(&row("q"))?, x),
            false => acceptance_probability(&row("p"), &row("q"), x),
        };
        match case.get("expect") {
            Some(expected) => assert_near(&case["id"].to_string(), got?, number(expected)),
            None => drop(expect_error(got)),
        }
    }
    assert_eq!(cases.len(), 20);
    Ok(())
}

// Task 3.7.2

#[test]
fn task_2_is_the_positive_part_divided_by_its_sum() -> Result<()> {
    let residual = residual_distribution(&[0.5, 0.3, 0.2], &[0.2, 0.1, 0.7])?;
    assert_entries("0.3 and 0.2 are left", &residual, &[(0, 0.6), (1, 0.4)]);
    assert_entries("one id is left", &residual_distribution(&P, &Q)?, &[(0, 1.0)]);
    Ok(())
}

#[test]
fn task_2_a_one_hot_draft_leaves_the_target_without_it() -> Result<()> {
    let residual = residual_distribution(&[0.2, 0.3, 0.5], &[0.0, 1.0, 0.0])?;
    assert_entries("without id 1", &residual, &[(0, 2.0 / 7.0), (2, 5.0 / 7.0)]);
    Ok(())
}

#[test]
fn task_2_where_nothing_is_left_the_answer_is_the_target() -> Result<()> {
    let law = [0.2, 0.3, 0.5];
    assert_entries("p = q", &residual_distribution(&law, &law)?, &[(0, 0.2), (1, 0.3), (2, 0.5)]);
    let halves = [0.5, 0.0, 0.5];
    assert_entries("zeros stay out", &residual_distribution(&halves, &halves)?, &[(0, 0.5), (2, 0.5)]);
    assert_entries("q above p", &residual_distribution(&[0.5, 0.5], &[2.0, 3.0])?, &[(0, 0.5), (1, 0.5)]);
    let sparse = SparseDistribution::new(vec![3, 0], vec![0.25, 0.75], 4)?;
    assert_entries("p = q, on 3 and 0", &residual_distribution(&sparse, &sparse)?, &[(3, 0.25), (0, 0.75)]);
    Ok(())
}

#[test]
fn task_2_has_nothing_where_q_reaches_p() -> Result<()> {
    for pair in laws(40, 6).chunks(2) {
        let (p, q) = (&pair[0], &pair[1]);
        let residual = residual_distribution(p, q)?.to_dense();
        assert_near("the sum", residual.iter().sum(), 1.0);
        for id in 0..p.len() {
            assert_eq!(residual[id] > 0.0, p[id] > q[id], "id {id}, p {p:?}, q {q:?}: residual {residual:?}");
        }
    }
    Ok(())
}

#[test]
fn task_2_entries_that_are_no_numbers_leave_nothing() -> Result<()> {
    assert_entries("NaN in q", &residual_distribution(&[0.5, 0.3, 0.2], &[f64::NAN, 0.1, 0.9])?, &[(1, 1.0)]);
    assert_entries("NaN in p", &residual_distribution(&[f64::NAN, 0.5], &[0.5, 0.1])?, &[(1, 1.0)]);
    assert_entries("inf in p", &residual_distribution(&[f64::INFINITY, 0.5], &[0.5, 0.1])?, &[(1, 1.0)]);
    assert_entries("inf in q", &residual_distribution(&[0.5, 0.5], &[f64::INFINITY, 0.1])?, &[(1, 1.0)]);
    let all = residual_distribution(&[0.25, 0.75], &[f64::NAN, f64::NAN])?;
    assert_entries("nothing but NaN in q", &all, &[(0, 0.25), (1, 0.75)]);
    Ok(())
}

#[test]
fn task_2_sparse_laws_keep_p_s_order() -> Result<()> {
    let p = SparseDistribution::new(vec![3, 0, 2], vec![0.5, 0.3, 0.2], 4)?;
    let q = SparseDistribution::new(vec![1, 3], vec![0.7, 0.3], 4)?;
    let expected = [(3, 0.2 / 0.7), (0, 0.3 / 0.7), (2, 0.2 / 0.7)];
    assert_entries("both sparse", &residual_distribution(&p, &q)?, &expected);
    assert_entries("q dense", &residual_distribution(&p, &[0.0, 0.7, 0.0, 0.3])?, &expected);
    assert_eq!(residual_distribution(&p, &q)?.vocabulary(), 4);
    Ok(())
}

#[test]
fn task_2_what_is_no_law_is_refused() -> Result<()> {
    expect_invalid_argument(residual_distribution(&[0.5, 0.5], &[1.0]), "the vocabulary of q");
    expect_invalid_argument(residual_distribution(&[1.0], &[0.5, 0.5]), "the vocabulary of q");
    expect_invalid_argument(residual_distribution(&[-0.5, 1.5], &[0.5, 0.5]), "a probability");
    expect_invalid_argument(residual_distribution(&[0.5, 0.5], &[-0.5, 1.5]), "a probability");
    expect_non_finite(residual_distribution(&[0.0, 0.0], &[0.5, 0.5]));
    expect_non_finite(residual_distribution(&[f64::NAN, f64::NAN], &[0.5, 0.5]));
    Ok(())
}

#[test]
fn task_2_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("law/sampling_mtplx.json")?;
    let cases = file["residual"].as_array().expect("a section");
    for case in cases {
        let row = |name: &str| case[name].as_array().expect("a row").iter().map(number).collect::<Vec<f64>>();
        let (p, q) = (row("p"), row("q"));
        let got = match case["form"].as_str() {
            Some("sparse") => residual_distribution(&sparse(&p)?, &sparse(&q)?),
            Some("sparse-p") => residual_distribution(&sparse(&p)?, &q),
            Some("sparse-q") => residual_distribution(&p, &sparse(&q)?),
            _ => residual_distribution(&p, &q),
        };
        let Some(expected) = case.get("expect") else {
            expect_error(got);
            continue;
        };
        let of = |name: &str| expected[name].as_array().expect("a row").iter().map(number).collect::<Vec<f64>>();
        let entries: Vec<(usize, f64)> = of("ids").into_iter().map(|id| id as usize).zip(of("probs")).collect();
        assert_entries(&case["id"].to_string(), &got?, &entries);
    }
    assert_eq!(cases.len(), 25);
    Ok(())
}

// Task 3.7.3

#[test]
fn task_3_is_the_target_s_law() -> Result<()> {
    assert_row("the page's laws", &speculative_output_marginal(&P, &Q)?, &P);
    for pair in laws(60, 7).chunks(2) {
        assert_row("random laws", &speculative_output_marginal(&pair[0], &pair[1])?, &pair[0]);
    }
    Ok(())
}

#[test]
fn task_3_sums_to_one_by_itself() -> Result<()> {
    for pair in laws(60, 7).chunks(2) {
        assert_near("the sum", speculative_output_marginal(&pair[1], &pair[0])?.iter().sum(), 1.0);
    }
    Ok(())
}

#[test]
fn task_3_zeros_equals_and_one_hot_laws() -> Result<()> {
    let law = [0.2, 0.3, 0.5];
    assert_row("p = q", &speculative_output_marginal(&law, &law)?, &law);
    assert_row("a one-hot draft", &speculative_output_marginal(&law, &[0.0, 0.0, 1.0])?, &law);
    assert_row("a one-hot target", &speculative_output_marginal(&[0.0, 1.0, 0.0], &law)?, &[0.0, 1.0, 0.0]);
    let apart = [0.5, 0.5, 0.0, 0.0];
    assert_row("nothing in common", &speculative_output_marginal(&apart, &[0.0, 0.0, 0.1, 0.9])?, &apart);
    Ok(())
}

#[test]
fn task_3_laws_are_divided_by_their_sums_first() -> Result<()> {
    let marginal = speculative_output_marginal(&[4.0, 3.0, 2.0, 1.0], &[1.0, 2.0, 3.0, 4.0])?;
    assert_row("4 3 2 1", &marginal, &[0.4, 0.3, 0.2, 0.1]);
    let marginal = speculative_output_marginal(&[0.04, 0.03, 0.02, 0.01], &[1.0, 2.0, 3.0, 4.0])?;
    assert_row("0.04 0.03 0.02 0.01", &marginal, &[0.4, 0.3, 0.2, 0.1]);
    let sparse = SparseDistribution::new(vec![2, 0], vec![0.3, 0.7], 3)?;
    assert_row("sparse", &speculative_output_marginal(&sparse, &[0.1, 0.1, 0.8])?, &[0.7, 0.0, 0.3]);
    Ok(())
}

#[test]
fn task_3_what_is_no_law_is_refused() -> Result<()> {
    for bad in [f64::NAN, f64::INFINITY] {
        expect_non_finite(speculative_output_marginal(&[bad, 0.5], &[0.5, 0.5]));
        expect_non_finite(speculative_output_marginal(&[0.5, 0.5], &[0.5, bad]));
    }
    expect_non_finite(speculative_output_marginal(&[0.0, 0.0], &[0.5, 0.5]));
    expect_non_finite(speculative_output_marginal(&[0.5, 0.5], &[0.0, 0.0]));
    expect_invalid_argument(speculative_output_marginal(&[0.5, 0.5], &[1.0]), "the vocabulary of q");
    expect_invalid_argument(speculative_output_marginal(&[1.5, -0.5], &[0.5, 0.5]), "a probability");
    Ok(())
}

#[test]
fn task_3_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("law/sampling_mtplx.json")?;
    let cases = file["marginal"].as_array().expect("a section");
    for case in cases {
        let row = |name: &str| case[name].as_array().expect("a row").iter().map(number).collect::<Vec<f64>>();
        let got = speculative_output_marginal(&row("p"), &row("q"))?;
        assert_row(&case["id"].to_string(), &got, &row("expect"));
    }
    assert_eq!(cases.len(), 15);
    Ok(())
}

// Task 3.7.4

/// Answers coins as it is told, draws the likeliest id, and notes what it was asked.
struct Script {
    accept: bool,
    coins: Vec<f64>,
    draws: Vec<Vec<f64>>,
}

impl Script {
    fn new(accept: bool) -> Self {
        Self { accept, coins: Vec::new(), draws: Vec::new() }
    }
}

impl Chance for Script {
    fn accept(&mut self, acceptance: f64) -> Result<bool> {
        assert!(self.draws.is_empty(), "the coin comes before the correction");
        self.coins.push(acceptance);
        Ok(self.accept)
    }

    fn draw(&mut self, law: &dyn Distribution) -> Result<usize> {
        let mut dense = vec![0.0; law.vocabulary()];
        law.entries().for_each(|(id, p)| dense[id] = p);
        let best = (0..dense.len()).max_by(|&a, &b| dense[a].total_cmp(&dense[b])).unwrap_or(0);
        self.draws.push(dense);
        Ok(best)
    }
}

#[test]
fn task_4_a_draft_that_stays_takes_one_coin() -> Result<()> {
    let mut chance = Script::new(true);
    let verdict = verify_one_token(&P, &Q, 1, &mut chance)?;
    assert_eq!((verdict.accepted, verdict.token), (true, 1));
    assert_near("the verdict's acceptance", verdict.acceptance, 0.25 / 0.55);
    assert_row("coins", &chance.coins, &[0.25 / 0.55]);
    assert_eq!(chance.draws.len(), 0, "draws after a draft that stays");
    Ok(())
}

#[test]
fn task_4_a_rejected_draft_is_followed_by_one_draw_from_the_residual() -> Result<()> {
    let mut chance = Script::new(false);
    let (p, q) = ([0.5, 0.3, 0.2], [0.2, 0.1, 0.7]);
    let verdict = verify_one_token(&p, &q, 2, &mut chance)?;
    assert_eq!((verdict.accepted, verdict.token), (false, 0));
    assert_near("the verdict's acceptance", verdict.acceptance, 0.2 / 0.7);
    assert_row("coins", &chance.coins, &[0.2 / 0.7]);
    assert_eq!(chance.draws.len(), 1, "draws after a rejection");
    assert_row("the law of the draw", &chance.draws[0], &[0.6, 0.4, 0.0]);
    Ok(())
}

#[test]
fn task_4_a_coin_is_tossed_even_where_it_decides_nothing() -> Result<()> {
    let (mut certain, mut forbidden) = (Script::new(true), Script::new(false));
    verify_one_token(&[0.75, 0.25], &[0.5, 0.5], 0, &mut certain)?;
    assert_row("coins of a draft that must stay", &certain.coins, &[1.0]);
    verify_one_token(&[0.0, 1.0], &[0.5, 0.5], 0, &mut forbidden)?;
    assert_row("coins of a draft that must not", &forbidden.coins, &[0.0]);
    Ok(())
}

/// The law of the token, with the draft drawn from `q`, is `p`.
#[track_caller]
fn assert_written(what: &str, p: &[f64], q: &[f64]) -> Result<()> {
    let written = every_outcome(|chance| {
        let draft = chance.draw(&q.to_vec())?;
        Ok(verify_one_token(p, q, draft, chance)?.token)
    })?;
    let own: BTreeMap<usize, f64> = p.iter().copied().enumerate().filter(|(_, p)| *p > 0.0).collect();
    let distance = total_variation(&written, &own);
    assert!(distance <= EXACT, "{what}, p {p:?}, q {q:?}: written {written:?}, total variation {distance:.4}");
    Ok(())
}

#[test]
fn task_4_drafts_and_corrections_together_follow_the_target() -> Result<()> {
    assert_written("the page's laws", &P, &Q)?;
    for pair in laws(60, 5).chunks(2) {
        assert_written("random laws", &pair[0], &pair[1])?;
    }
    Ok(())
}

#[test]
fn task_4_one_hot_and_equal_laws_too() -> Result<()> {
    let law = [0.2, 0.3, 0.5];
    assert_written("a greedy draft", &law, &[0.0, 1.0, 0.0])?;
    assert_written("a greedy target", &[0.0, 1.0, 0.0], &law)?;
    assert_written("both greedy", &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0])?;
    assert_written("p = q", &law, &law)
}

#[test]
fn task_4_a_coin_stays_below_the_acceptance() -> Result<()> {
    let u = |u: f64| Uniforms(move || u);
    assert!(verify_one_token(&[0.25, 0.75], &[0.5, 0.5], 0, &mut u(0.4999))?.accepted, "u 0.4999, acceptance 0.5");
    assert!(!verify_one_token(&[0.25, 0.75], &[0.5, 0.5], 0, &mut u(0.5))?.accepted, "u 0.5, acceptance 0.5");
    let forbidden = verify_one_token(&[0.0, 1.0], &[0.5, 0.5], 0, &mut u(0.0))?;
    assert_eq!((forbidden.accepted, forbidden.token), (false, 1), "u 0, acceptance 0");
    Ok(())
}

#[test]
fn task_4_a_draft_from_another_law_is_refused() -> Result<()> {
    for accept in [true, false] {
        expect_invalid_argument(verify_one_token(&[0.5, 0.5], &[0.0, 1.0], 0, &mut Script::new(accept)), "the draft");
        expect_invalid_argument(verify_one_token(&[0.0, 1.0], &[0.0, 1.0], 0, &mut Script::new(accept)), "the draft");
    }
    expect_invalid_argument(verify_one_token(&[0.5, 0.5], &[0.5, 0.5], 2, &mut Script::new(true)), "a token id");
    Ok(())
}

#[test]
fn task_4_what_is_no_law_is_refused() -> Result<()> {
    expect_invalid_argument(verify_one_token(&[5.0, 5.0], &[0.5, 0.5], 0, &mut Script::new(true)), SUM);
    expect_invalid_argument(verify_one_token(&[0.5, 0.5], &[0.5, 0.4], 0, &mut Script::new(true)), SUM);
    expect_invalid_argument(verify_one_token(&[1.0], &[0.5, 0.5], 0, &mut Script::new(true)), "the vocabulary of q");
    for bad in [f64::NAN, f64::INFINITY] {
        expect_non_finite(verify_one_token(&[0.5, bad], &[0.5, 0.5], 0, &mut Script::new(true)));
        expect_non_finite(verify_one_token(&[0.5, 0.5], &[0.5, bad], 0, &mut Script::new(false)));
    }
    Ok(())
}

#[test]
fn task_4_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("law/sampling_mtplx.json")?;
    let cases = file["verify"].as_array().expect("a section");
    for case in cases {
        let row = |name: &str| case[name].as_array().expect("a row").iter().map(number).collect::<Vec<f64>>();
        let mut stream = [number(&case["u_accept"]), number(&case["u_residual"])].into_iter();
        let mut chance = Uniforms(|| stream.next().expect("two numbers are enough"));
        let draft = number(&case["draft_token"]) as usize;
        let verdict = verify_one_token(&row("p"), &row("q"), draft, &mut chance)?;
        let (id, expected) = (&case["id"], &case["expect"]);
        let right = expected["accepted"] == verdict.accepted && expected["token"] == verdict.token;
        assert!(right, "{id}: got {verdict:?}, expected {expected}");
        assert_near(&id.to_string(), verdict.acceptance, number(&expected["accept_probability"]));
    }
    assert_eq!(cases.len(), 20);
    Ok(())
}

// Task 3.7.5

#[test]
fn task_5_one_draft_is_judged_as_alone() -> Result<()> {
    for pair in laws(20, 5).chunks(2) {
        let (p, q) = (&pair[0], &pair[1]);
        for x in (0..5).filter(|&x| q[x] > 0.0) {
            let law = block_law(std::slice::from_ref(p), std::slice::from_ref(q), &[x])?;
            assert_row("the coin", &law.coins, &[(p[x] / q[x]).min(1.0)]);
            assert_eq!(law.residuals, [residual_distribution(p, q)?]);
        }
    }
    let none: [Vec<f64>; 0] = [];
    assert!(block_law(&none, &none, &[])?.coins.is_empty(), "coins without drafts");
    Ok(())
}

#[test]
fn task_5_equal_laws_reject_nothing() -> Result<()> {
    let rows = laws(3, 4);
    let drafts: Vec<usize> = rows.iter().map(|row| (0..4).find(|&id| row[id] > 0.0).unwrap_or(0)).collect();
    let law = block_law(&rows, &rows, &drafts)?;
    assert!(law.coins == [1.0; 3], "coins {:?}", law.coins);
    Ok(())
}

#[test]
fn task_5_what_comes_behind_a_draft_that_cannot_stay_is_harmless() -> Result<()> {
    let (p, q) = ([vec![0.0, 1.0], vec![0.5, 0.5], vec![0.5, 0.5]], [vec![0.5, 0.5], vec![0.5, 0.5], vec![0.5, 0.5]]);
    let law = block_law(&p, &q, &[0, 0, 1])?;
    assert_eq!((law.coins.len(), law.residuals.len()), (3, 3));
    assert_row("the coins behind a draft with p = 0", &law.coins, &[0.0; 3]);
    assert_entries("its correction", &law.residuals[0], &[(1, 1.0)]);
    // So unlikely to stay that a half of it is no number any more.
    let p = [vec![f64::from_bits(1), 1.0], vec![0.5, 0.5]];
    let law = block_law(&p, &[vec![1.0, 0.0], vec![0.5, 0.5]], &[0, 0])?;
    assert_row("the coins of a draft that can hardly stay", &law.coins, &[0.0; 2]);
    Ok(())
}

#[test]
fn task_5_the_chapter_s_example() -> Result<()> {
    let (p, q) = (vec![[0.5, 0.3, 0.2]; 2], vec![[0.2, 0.5, 0.3]; 2]);
    for (drafts, first, second) in [([1, 1], 0.485, 0.742), ([1, 0], 1.0, 1.0)] {
        let coins = block_law(&p, &q, &drafts)?.coins;
        let near = coins.len() == 2 && (coins[0] - first).abs() < 5e-4 && (coins[1] - second).abs() < 5e-4;
        assert!(near, "coins of the drafts {drafts:?}\n  got      {coins:?}\n  expected [{first}, {second}]");
    }
    Ok(())
}

#[test]
fn task_5_corrections_keep_p_s_order() -> Result<()> {
    let p = SparseDistribution::new(vec![3, 0], vec![0.5, 0.5], 4)?;
    let q = vec![0.1, 0.4, 0.4, 0.1];
    let law = block_law(&[p], &[q], &[1])?;
    assert_entries("p on 3 and 0, in this order", &law.residuals[0], &[(3, 0.5), (0, 0.5)]);
    Ok(())
}

/// Laws that depend on the whole context: p and q of the position after it. With an odd seed each has a zero.
fn after(context: &[usize], vocabulary: usize, seed: usize) -> (Vec<f64>, Vec<f64>) {
    let law = |side: usize| {
        let never = |id: usize| seed % 2 == 1 && (context.len() + side + seed / 2) % vocabulary == id;
        let weight = |id: usize| match never(id) {
            true => 0.0,
            false => unit(&[&[seed, side, id, context.len()], context].concat()).powi(2) + 0.01,
        };
        let weights: Vec<f64> = (0..vocabulary).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    (law(0), law(1))
}

/// Kept drafts and correction, filled up to `depth` tokens by the target alone, against the target alone.
#[track_caller]
fn assert_block_exact(vocabulary: usize, depth: usize, seed: usize) -> Result<()> {
    let rest = |tokens: &mut Vec<usize>, chance: &mut dyn Chance| -> Result<()> {
        while tokens.len() < depth {
            tokens.push(chance.draw(&after(tokens, vocabulary, seed).0)?);
        }
        Ok(())
    };
    let written = every_outcome(|chance| {
        let (mut drafts, mut p_rows, mut q_rows) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..depth {
            let (p, q) = after(&drafts, vocabulary, seed);
            drafts.push(chance.draw(&q)?);
            p_rows.push(p);
            q_rows.push(q);
        }
        let kept = verify_block(&p_rows, &q_rows, &drafts, chance)?;
        drafts.truncate(kept.drafts);
        drafts.extend(kept.correction);
        rest(&mut drafts, chance)?;
        Ok(drafts)
    })?;
    let own = every_outcome(|chance| {
        let mut tokens = Vec::new();
        rest(&mut tokens, chance)?;
        Ok(tokens)
    })?;
    let distance = total_variation(&written, &own);
    assert!(distance <= EXACT, "V = {vocabulary}, depth {depth}, seed {seed}: total variation {distance:.2e}");
    Ok(())
}

#[test]
fn task_5_a_window_of_one_follows_the_target() -> Result<()> {
    (0..20).try_for_each(|seed| assert_block_exact(4, 1, seed))
}

#[test]
fn task_5_a_window_of_two_follows_the_target() -> Result<()> {
    (0..20).try_for_each(|seed| assert_block_exact(3, 2, seed))
}

#[test]
fn task_5_a_window_of_three_follows_the_target() -> Result<()> {
    (0..6).try_for_each(|seed| assert_block_exact(3, 3, seed))
}

#[test]
fn task_5_what_is_no_window_is_refused() -> Result<()> {
    let row = || vec![0.5, 0.5];
    expect_invalid_argument(block_law(&[row()], &[row(), row()], &[0, 1]), "the number of p's rows");
    expect_invalid_argument(block_law(&[row(), row()], &[row()], &[0, 1]), "the number of q's rows");
    expect_invalid_argument(block_law(&[row()], &[vec![0.0, 1.0]], &[0]), "the draft");
    expect_invalid_argument(block_law(&[row()], &[vec![0.5, 0.6]], &[0]), SUM);
    expect_invalid_argument(block_law(&[row()], &[vec![1.0]], &[0]), "the vocabulary of q");
    expect_non_finite(block_law(&[vec![f64::NAN, 1.0]], &[row()], &[0]));
    // Of every position, not of the first alone.
    expect_invalid_argument(block_law(&[row(), row()], &[row(), vec![0.0, 1.0]], &[1, 0]), "the draft");
    expect_invalid_argument(block_law(&[row(), vec![0.5, 0.6]], &[row(), row()], &[1, 0]), SUM);
    expect_non_finite(block_law(&[row(), row()], &[row(), vec![f64::NAN, 1.0]], &[1, 1]));
    Ok(())
}

#[test]
fn task_5_agrees_with_mtplx() -> Result<()> {
    let file = golden_json("law/sampling_mtplx.json")?;
    let cases = file["block_verify"].as_array().expect("a section");
    for case in cases {
        let id = case["id"].to_string();
        let numbers = |value: &[_]| value.iter().map(number).collect::<Vec<f64>>();
        let list = |name: &str| case[name].as_array().expect("a list");
        let rows = |name: &str| -> Vec<Vec<f64>> {
            list(name).iter().map(|row| numbers(row.as_array().expect("a row"))).collect()
        };
        let drafts: Vec<usize> = list("draft_tokens").iter().map(|token| number(token) as usize).collect();
        let law = block_law(&rows("p_rows"), &rows("q_rows"), &drafts)?;
        let expected = &case["expect"];
        assert_row(&format!("{id}: coins"), &law.coins, &numbers(expected["coins"].as_array().expect("a row")));
        for (place, residual) in expected["residuals"].as_array().expect("a list").iter().enumerate() {
            let of = |name: &str| numbers(residual[name].as_array().expect("a row"));
            let entries: Vec<(usize, f64)> = of("ids").into_iter().map(|id| id as usize).zip(of("probs")).collect();
            assert_entries(&format!("{id}: residual {place}"), &law.residuals[place], &entries);
        }
    }
    assert_eq!(cases.len(), 6);
    Ok(())
}
