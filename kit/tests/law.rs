//! The pieces of the law that no lane shows: settings, histories, sparse laws, rankings by themselves, enumeration.

use kit::law::{Chance, Uniforms};
use kit::law::{
    Distribution, History, SamplerConfig, SparseDistribution, apply_penalties, apply_top_p_top_k,
    deterministic_top_k_order, every_outcome, sample_from_distribution, softmax, total_variation,
};
use kit::testing::{expect_invalid_argument, expect_non_finite};
use kit::{Error, Result};
use std::{borrow::Cow, collections::BTreeMap};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn settings_have_defaults_and_refuse_what_is_no_number() -> Result<()> {
    let defaults = SamplerConfig::default();
    assert_eq!(defaults, SamplerConfig::builder().build()?);
    assert_eq!((defaults.temperature(), defaults.top_p(), defaults.top_k()), (0.6, 0.95, 20));
    assert_eq!((defaults.presence_penalty(), defaults.frequency_penalty()), (0.0, 0.0));
    let builder = SamplerConfig::builder;
    expect_invalid_argument(builder().temperature(NAN).build(), "temperature");
    expect_invalid_argument(builder().top_p(NAN).build(), "top_p");
    expect_invalid_argument(builder().presence_penalty(NAN).build(), "presence_penalty");
    expect_invalid_argument(builder().frequency_penalty(NAN).build(), "frequency_penalty");
    // Off, greedy, uniform and beyond the limit are settings too.
    builder().temperature(-1.0).top_p(7.0).top_k(-3).presence_penalty(INF).build()?;
    builder().temperature(INF).top_p(-INF).frequency_penalty(-9.0).build()?;
    Ok(())
}

#[test]
fn a_history_counts() -> Result<()> {
    let mut history = History::of(&[7, 3, 7]);
    assert_eq!((history.count(7), history.count(3), history.count(0)), (2, 1, 0));
    history.push(0);
    assert_eq!(Vec::from_iter(history.counts()), [(0, 1), (3, 1), (7, 2)]);
    assert_eq!(history, History::from_counts([(7, 2), (0, 1), (3, 1)])?);
    assert!(!history.is_empty() && History::default().is_empty());
    assert!(!History::default().guard(1, 0.5)?.is_empty());
    Ok(())
}

#[test]
fn a_history_refuses_what_cannot_be_counted() {
    expect_invalid_argument(History::from_counts([(-1, 1)]), "a token id");
    expect_invalid_argument(History::from_counts([(4, -1)]), "the count of token 4");
    let twice = expect_invalid_argument(History::from_counts([(4, 1), (4, 0)]), "a token id");
    assert_eq!(twice.to_string(), "a token id is 4, but it must be counted once");
    for amount in [NAN, INF, -INF] {
        expect_invalid_argument(History::default().guard(2, amount), "the guard's amount for token 2");
    }
}

#[test]
fn penalties_borrow_a_row_that_they_do_not_change() -> Result<()> {
    let row = [1.0, 2.0];
    let history = History::of(&[1]);
    assert!(matches!(apply_penalties(&row, &history, 0.0, -0.0)?, Cow::Borrowed(_)));
    assert!(matches!(apply_penalties(&row, &History::default(), 1.0, 1.0)?, Cow::Borrowed(_)));
    assert_eq!(*apply_penalties(&row, &history, 0.0, 0.5)?, [1.0, 1.5]);
    assert_eq!(*apply_penalties(&row, &History::default().guard(0, 5.0)?, 0.0, 0.0)?, [-4.0, 2.0]);
    expect_invalid_argument(apply_penalties(&row, &history, NAN, 0.0), "presence_penalty");
    expect_invalid_argument(apply_penalties(&row, &history, 0.0, NAN), "frequency_penalty");
    expect_invalid_argument(apply_penalties(&row, &History::of(&[2]), 0.0, 0.0), "a token id");
    Ok(())
}

#[test]
fn softmax_refuses_rows_and_temperatures_without_a_law() -> Result<()> {
    expect_invalid_argument(softmax(&[1.0], NAN), "temperature");
    for temperature in [0.0, -INF, 1.0, INF] {
        for row in [&[][..], &[1.0, NAN], &[NAN, INF], &[1.0, INF], &[-INF, -INF]] {
            expect_non_finite(softmax(row, temperature));
        }
    }
    assert_eq!(softmax(&[1e308, -1e308, 1e308], 1e-300)?, [0.5, 0.0, 0.5]);
    assert_eq!(softmax(&[1e308, -1e308, 1e308], 0.0)?, [1.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn an_order_takes_any_k() -> Result<()> {
    let values = [1.0, 3.0, 3.0, -0.0, 0.0, -INF];
    for (k, expected) in [(0, &[][..]), (-4, &[]), (1, &[1]), (2, &[1, 2]), (4, &[1, 2, 0, 3])] {
        assert_eq!(deterministic_top_k_order(&values, k)?, expected, "k = {k}");
    }
    assert_eq!(deterministic_top_k_order(&values, i64::MAX)?, [1, 2, 0, 3, 4, 5]);
    assert!(deterministic_top_k_order(&[], 3)?.is_empty());
    expect_non_finite(deterministic_top_k_order(&[1.0, NAN], 1));
    Ok(())
}

/// Longer than the room in which candidates are gathered; rising, falling and full of ties.
#[test]
fn an_order_of_many_is_that_of_a_sort() -> Result<()> {
    let rows: [Vec<f64>; 4] = [
        (0..5000).map(f64::from).collect(),
        (0..5000).map(|i| f64::from(-i)).collect(),
        (0..5000).map(|i| f64::from(i * 7919 % 13)).collect(),
        (0..5000).map(|i| if i % 3 == 0 { -INF } else { f64::from(i * 31 % 997) }).collect(),
    ];
    for row in rows {
        let mut sorted: Vec<usize> = (0..row.len()).collect();
        sorted.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        for k in [1, 31, 32, 33, 64, 700, 2500, 4999, 5000] {
            assert_eq!(deterministic_top_k_order(&row, k)?, sorted[..k as usize], "k = {k}");
        }
    }
    Ok(())
}

#[test]
fn filters_take_raw_mass_and_refuse_what_is_none() -> Result<()> {
    assert_eq!(apply_top_p_top_k(&[4.0, 3.0, 2.0, 1.0], 0.5, 0)?, [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(apply_top_p_top_k(&[0.0, 0.0, 0.0], 0.5, 2)?, [1.0, 0.0, 0.0], "no mass at all");
    assert_eq!(apply_top_p_top_k(&[0.0, 2.0, 2.0], 1.0, 0)?, [0.0, 0.5, 0.5]);
    expect_invalid_argument(apply_top_p_top_k(&[0.5, 0.5], NAN, 0), "top_p");
    expect_invalid_argument(apply_top_p_top_k(&[], 0.5, 0), "probs");
    expect_invalid_argument(apply_top_p_top_k(&[1.5, -0.5], 0.5, 1), "a probability");
    expect_non_finite(apply_top_p_top_k(&[NAN, 0.5], 1.0, 0));
    expect_non_finite(apply_top_p_top_k(&[INF, 0.5], 1.0, 0));
    Ok(())
}

#[test]
fn a_sparse_law_keeps_its_order_and_its_zeros() -> Result<()> {
    let law = SparseDistribution::new(vec![3, 0, 2], vec![1.0, 0.0, 3.0], 5)?;
    assert_eq!((law.ids(), law.probs()), (&[3, 0, 2][..], &[0.25, 0.0, 0.75][..]));
    assert_eq!(law.to_dense(), [0.0, 0.0, 0.75, 0.25, 0.0]);
    assert_eq!((law.probability(2)?, law.probability(1)?, law.vocabulary()), (0.75, 0.0, 5));
    assert_eq!(law, SparseDistribution::new(vec![3, 0, 2], vec![2.0, 0.0, 6.0], 5)?);
    expect_invalid_argument(law.probability(5), "a token id");
    assert_eq!(SparseDistribution::from_dense(&[0.0, 0.5, 0.0, 0.5])?.ids(), [1, 3]);
    Ok(())
}

#[test]
fn a_sparse_law_drops_what_is_no_number() -> Result<()> {
    let law = SparseDistribution::new(vec![0, 1, 2, 3], vec![NAN, 1.0, INF, 1.0], 4)?;
    assert_eq!(law.probs(), [0.0, 0.5, 0.0, 0.5]);
    expect_non_finite(SparseDistribution::new(vec![0, 1], vec![0.0, NAN], 4));
    // No sum of finite weights overflows.
    assert_eq!(SparseDistribution::new(vec![0, 1], vec![1.5e308, 1.5e308], 2)?.probs(), [0.5, 0.5]);
    Ok(())
}

#[test]
fn a_sparse_law_refuses_what_does_not_fit() {
    let new = SparseDistribution::new;
    expect_invalid_argument(new(vec![], vec![], 3), "ids");
    expect_invalid_argument(new(vec![0, 1], vec![1.0], 3), "the number of probabilities");
    expect_invalid_argument(new(vec![0, 1], vec![1.0, -0.5], 3), "a probability");
    expect_invalid_argument(new(vec![0, 3], vec![0.5, 0.5], 3), "a token id");
    let twice = expect_invalid_argument(new(vec![1, 1], vec![0.5, 0.5], 3), "a token id");
    assert_eq!(twice.to_string(), "a token id is 1, but it must be listed once");
}

#[test]
fn dense_laws_have_entries_and_a_vocabulary() -> Result<()> {
    let row = vec![0.25, 0.75];
    for law in [&row as &dyn Distribution, &[0.25, 0.75]] {
        assert_eq!((law.vocabulary(), law.probability(1)?), (2, 0.75));
        assert_eq!(Vec::from_iter(law.entries()), [(0, 0.25), (1, 0.75)]);
        expect_invalid_argument(law.probability(2), "a token id");
    }
    Ok(())
}

#[test]
fn a_draw_is_the_first_id_whose_mass_exceeds_u() -> Result<()> {
    let law = [0.0, 0.25, 0.0, 0.5, 0.25, 0.0];
    let below_one = 1.0 - f64::EPSILON / 2.0;
    for (u, id) in [(0.0, 1), (0.2499, 1), (0.25, 3), (0.7499, 3), (0.75, 4), (below_one, 4)] {
        assert_eq!(sample_from_distribution(&law, u)?, id, "u = {u}");
    }
    // The stored order of a sparse law, and a row that is not normalised.
    let sparse = SparseDistribution::new(vec![5, 2], vec![0.5, 0.5], 9)?;
    assert_eq!((sample_from_distribution(&sparse, 0.1)?, sample_from_distribution(&sparse, 0.6)?), (5, 2));
    assert_eq!(sample_from_distribution(&[3.0, 1.0], 0.74)?, 0);
    Ok(())
}

#[test]
fn a_draw_refuses_what_is_no_law_or_no_number_below_one() {
    for u in [-0.1, 1.0, INF, NAN] {
        expect_invalid_argument(sample_from_distribution(&[1.0], u), "u");
    }
    expect_invalid_argument(sample_from_distribution(&[1.5, -0.5], 0.0), "a probability");
    for law in [&[NAN, 1.0][..], &[1.0, INF], &[0.0, 0.0], &[]] {
        expect_non_finite(sample_from_distribution(law, 0.0));
    }
}

/// u can be 0, and a draft that must never be accepted has acceptance 0.
#[test]
fn a_coin_is_strict_and_spends_one_number() -> Result<()> {
    let mut numbers = [0.0, 0.5, 0.5, 0.0, 0.999].into_iter();
    let mut chance = Uniforms(|| numbers.next().unwrap_or(NAN));
    assert!(!chance.accept(0.0)?);
    assert!(!chance.accept(0.5)?);
    assert!(chance.accept(0.500001)?);
    assert_eq!(chance.draw(&[0.5, 0.5])?, 0);
    assert!(chance.accept(1.0)?);
    for acceptance in [-0.1, 1.1, NAN] {
        expect_invalid_argument(chance.accept(acceptance), "an acceptance probability");
    }
    Ok(())
}

#[test]
fn a_seed_repeats_whatever_else_draws() -> Result<()> {
    let draws = |chance: &mut dyn Chance| (0..20).map(|_| chance.draw(&[0.25; 4])).collect::<Result<Vec<_>>>();
    let first = draws(&mut Uniforms::seeded(7))?;
    let mut other = Uniforms::seeded(8);
    let mut again = Uniforms::seeded(7);
    let mut interleaved = Vec::new();
    for _ in 0..20 {
        other.draw(&[0.5, 0.5])?;
        interleaved.push(again.draw(&[0.25; 4])?);
    }
    assert_eq!(interleaved, first);
    assert_ne!(draws(&mut Uniforms::seeded(8))?, first);
    Ok(())
}

#[test]
fn every_outcome_adds_up_all_ways() -> Result<()> {
    // Heads ends; tails draws once more: depths differ.
    let law = every_outcome(|chance| Ok(if chance.accept(0.25)? { 9 } else { chance.draw(&[0.0, 0.5, 0.5])? }))?;
    assert_eq!(law, BTreeMap::from([(1, 0.375), (2, 0.375), (9, 0.25)]));
    let sure = every_outcome(|chance| Ok((chance.accept(1.0)?, chance.accept(0.0)?, chance.draw(&[0.0, 1.0])?)))?;
    assert_eq!(sure, BTreeMap::from([((true, false, 1), 1.0)]));
    // Lost mass shows: a law that sums to one half.
    let lost = every_outcome(|chance| chance.draw(&[0.25, 0.25]))?;
    assert_eq!(lost.values().sum::<f64>(), 0.5);
    Ok(())
}

#[test]
fn every_outcome_passes_errors_on() {
    expect_non_finite(every_outcome(|chance| chance.draw(&[NAN])));
    expect_invalid_argument(every_outcome(|chance| chance.accept(1.5)), "an acceptance probability");
    let late = every_outcome(|chance| match chance.accept(0.5)? {
        true => Ok(0),
        false => Err(Error::Other("the other way".into())),
    });
    assert_eq!(late.map_err(|error| error.to_string()), Err("the other way".to_string()));
}

#[test]
fn total_variation_is_half_the_distance() {
    let law = |pairs: &[(u8, f64)]| BTreeMap::from_iter(pairs.iter().copied());
    let (left, right) = (law(&[(0, 0.5), (1, 0.5)]), law(&[(1, 0.25), (2, 0.75)]));
    assert_eq!(total_variation(&left, &right), 0.75);
    assert_eq!(total_variation(&left, &left), 0.0);
}
