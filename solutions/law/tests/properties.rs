//! What must hold for every row, setting and pair of laws: 10,000 random cases each, PROPTEST_CASES for another number.
//!
//! Rows are short, hold ties, zeros and masked entries, and shrink to a small failing one.

use kit::Result;
use kit::law::{
    Distribution, History, SamplerConfig, SparseDistribution, apply_top_p_top_k, deterministic_top_k_order,
    sample_from_distribution, softmax,
};
use proptest::prelude::*;
use solution_law::{
    acceptance_probability, block_law, distribution_from_logits, residual_distribution, speculative_output_marginal,
};

/// 10,000 cases, and no file of old failures beside the source.
fn cases() -> ProptestConfig {
    let given = std::env::var_os("PROPTEST_CASES").is_some();
    let standard = ProptestConfig::default();
    ProptestConfig { cases: if given { standard.cases } else { 10_000 }, failure_persistence: None, ..standard }
}

/// Multiples of 1/1024, so that sums with whole numbers are exact; some are masked, at least one is not.
fn logits() -> impl Strategy<Value = Vec<f64>> {
    let entry = prop_oneof![8 => (-8192_i32..8192).prop_map(|z| f64::from(z) / 1024.0), 1 => Just(f64::NEG_INFINITY)];
    let row = prop::collection::vec(entry, 1..9);
    row.prop_map(|mut row| {
        row[0] = if row[0].is_finite() { row[0] } else { 0.0 };
        row
    })
}

/// No two the same.
fn distinct_logits() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::btree_set(-8192_i32..8192, 1..9)
        .prop_map(|set| set.into_iter().map(|z| f64::from(z) / 1024.0).collect::<Vec<_>>())
        .prop_shuffle()
}

/// A law with zeros and ties.
fn law(vocabulary: usize) -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![2 => Just(0.0), 2 => (1_u32..4).prop_map(f64::from), 4 => 1e-6..1.0_f64];
    let some = |weights: &Vec<f64>| weights.iter().any(|weight| *weight > 0.0);
    prop::collection::vec(weight, vocabulary).prop_filter("a law has mass", some).prop_map(|weights| {
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    })
}

/// Two laws over the same ids.
fn pair() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (1_usize..9).prop_flat_map(|vocabulary| (law(vocabulary), law(vocabulary)))
}

fn top_p() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(1.0), 4 => 0.001..1.0_f64]
}

fn config(temperature: f64, top_p: f64, top_k: i64) -> Result<SamplerConfig> {
    SamplerConfig::builder().temperature(temperature).top_p(top_p).top_k(top_k).build()
}

fn support(law: &[f64]) -> Vec<usize> {
    (0..law.len()).filter(|&id| law[id] > 0.0).collect()
}

/// The smallest gap between `top_p` and the mass before a token: closer than rounding, either answer is right.
fn margin(probs: &[f64], top_p: f64) -> Result<f64> {
    let (mut before, mut margin) = (0.0, f64::INFINITY);
    for id in deterministic_top_k_order(probs, probs.len() as i64)? {
        margin = f64::min(margin, (before - top_p).abs());
        before += probs[id];
    }
    Ok(margin)
}

fn largest_difference(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| (left - right).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_law_sums_to_one(row in logits(), temperature in -0.5..4.0_f64, p in top_p(), k in -1_i64..10) {
        let law = distribution_from_logits(&row, &config(temperature, p, k)?, &History::default())?;
        prop_assert!(law.iter().all(|p| (0.0..=1.0).contains(p)));
        prop_assert!((law.iter().sum::<f64>() - 1.0).abs() <= 1e-12);
        prop_assert!((0..row.len()).all(|id| row[id].is_finite() || law[id] == 0.0));
    }

    #[test]
    fn a_larger_k_or_p_keeps_all_that_a_smaller_one_keeps(
        row in logits(), temperature in 0.1..4.0_f64, p in 0.001..1.0_f64, more in 0.0..1.0_f64, k in 1_i64..9,
    ) {
        let kept = |p: f64, k: i64| -> Result<Vec<usize>> {
            Ok(support(&distribution_from_logits(&row, &config(temperature, p, k)?, &History::default())?))
        };
        let small = kept(p, k)?;
        for larger in [kept(p, k + 1)?, kept((p + more).min(1.0), k)?, kept(p, 0)?, kept(1.0, k)?] {
            prop_assert!(small.iter().all(|id| larger.contains(id)), "{small:?} and {larger:?}");
        }
    }

    #[test]
    fn ids_may_be_renamed(
        row in distinct_logits(), temperature in 0.1..4.0_f64, p in top_p(), k in 0_i64..9, turn in 0_usize..8,
    ) {
        prop_assume!(margin(&softmax(&row, temperature)?, p)? > 1e-12);
        let config = config(temperature, p, k)?;
        let mut turned = row.clone();
        turned.rotate_left(turn % row.len());
        let mut expected = distribution_from_logits(&row, &config, &History::default())?;
        expected.rotate_left(turn % row.len());
        let law = distribution_from_logits(&turned, &config, &History::default())?;
        prop_assert_eq!(support(&law), support(&expected));
        prop_assert!(largest_difference(&law, &expected) <= 1e-12);
    }

    #[test]
    fn a_constant_on_every_logit_changes_no_bit(
        row in logits(), constant in -1000_i32..1000, temperature in 0.0..4.0_f64, p in top_p(), k in 0_i64..9,
    ) {
        let config = config(temperature, p, k)?;
        let moved: Vec<f64> = row.iter().map(|z| z + f64::from(constant)).collect();
        let law = distribution_from_logits(&moved, &config, &History::default())?;
        prop_assert_eq!(law, distribution_from_logits(&row, &config, &History::default())?);
    }

    #[test]
    fn cold_is_greedy_and_hot_is_uniform(row in distinct_logits()) {
        let greedy = softmax(&row, 0.0)?;
        prop_assert!(largest_difference(&softmax(&row, 1e-6)?, &greedy) <= 1e-12);
        prop_assert!(largest_difference(&softmax(&row, f64::MIN_POSITIVE)?, &greedy) <= 1e-12);
        let uniform = softmax(&row, f64::INFINITY)?;
        prop_assert!(largest_difference(&softmax(&row, 1e12)?, &uniform) <= 1e-10);
        prop_assert!(largest_difference(&uniform, &vec![1.0 / row.len() as f64; row.len()]) <= 1e-15);
    }

    #[test]
    fn the_filters_commute((probs, _) in pair(), p in 0.001..1.0_f64, k in 1_i64..9) {
        let both = apply_top_p_top_k(&probs, p, k)?;
        let (by_p, by_k) = (support(&apply_top_p_top_k(&probs, p, 0)?), support(&apply_top_p_top_k(&probs, 1.0, k)?));
        let common: Vec<usize> = by_p.into_iter().filter(|id| by_k.contains(id)).collect();
        prop_assert_eq!(support(&both), common.clone());
        let mass: f64 = common.iter().map(|&id| probs[id]).sum();
        prop_assert!(common.iter().all(|&id| (both[id] - probs[id] / mass).abs() <= 1e-12));
    }

    /// Top-k twice is top-k once. So is top-p, where p is measured in what the first one has left.
    #[test]
    fn a_filter_twice_is_a_filter_once((probs, _) in pair(), p in 0.001..1.0_f64, k in 1_i64..9) {
        let once = apply_top_p_top_k(&probs, 1.0, k)?;
        prop_assert!(largest_difference(&apply_top_p_top_k(&once, 1.0, k)?, &once) <= 1e-15);
        let once = apply_top_p_top_k(&probs, p, 0)?;
        let left: f64 = support(&once).iter().map(|&id| probs[id]).sum();
        prop_assume!(margin(&probs, p)? > 1e-12);
        prop_assert!(largest_difference(&apply_top_p_top_k(&once, p / left, 0)?, &once) <= 1e-12);
    }

    #[test]
    fn a_draw_has_mass_and_climbs_with_u((probs, _) in pair(), u in 0.0..1.0_f64, v in 0.0..1.0_f64) {
        let (low, high) = (sample_from_distribution(&probs, u.min(v))?, sample_from_distribution(&probs, u.max(v))?);
        prop_assert!(probs[low] > 0.0 && probs[high] > 0.0 && low <= high);
        let before: f64 = probs[..low].iter().sum();
        prop_assert!(before <= u.min(v) + 1e-12);
    }

    /// Where q reaches p the residual has nothing, and elsewhere it is in proportion to what is missing.
    #[test]
    fn the_residual_is_where_the_target_wants_more((p, q) in pair()) {
        let residual = residual_distribution(&p, &q)?;
        prop_assert!(residual.probs().iter().all(|prob| *prob > 0.0));
        prop_assert!((residual.probs().iter().sum::<f64>() - 1.0).abs() <= 1e-12);
        if (0..p.len()).any(|id| p[id] > q[id]) {
            let missing: f64 = p.iter().zip(&q).map(|(p, q)| (p - q).max(0.0)).sum();
            for id in 0..p.len() {
                let expected = (p[id] - q[id]).max(0.0) / missing;
                prop_assert!((residual.probability(id)? - expected).abs() <= 1e-12);
                prop_assert_eq!(residual.probability(id)? > 0.0, p[id] > q[id]);
            }
        } else {
            prop_assert!(largest_difference(&residual.to_dense(), &p) <= 1e-12);
        }
    }

    #[test]
    fn acceptance_is_a_probability_and_its_mean_is_the_common_mass((p, q) in pair()) {
        let mut mean = 0.0;
        for (x, proposed) in q.iter().enumerate() {
            let acceptance = acceptance_probability(&p, &q, x)?;
            prop_assert!((0.0..=1.0).contains(&acceptance));
            mean += proposed * acceptance;
        }
        let common: f64 = p.iter().zip(&q).map(|(p, q)| p.min(*q)).sum();
        prop_assert!((mean - common).abs() <= 1e-12);
    }

    #[test]
    fn the_marginal_is_the_target((p, q) in pair(), scale in 0.1..10.0_f64) {
        let marginal = speculative_output_marginal(&p, &q)?;
        prop_assert!((marginal.iter().sum::<f64>() - 1.0).abs() <= 1e-12);
        prop_assert!(largest_difference(&marginal, &p) <= 1e-12);
        let scaled: Vec<f64> = p.iter().map(|p| p * scale).collect();
        prop_assert!(largest_difference(&speculative_output_marginal(&scaled, &q)?, &p) <= 1e-12);
    }

    #[test]
    fn dense_and_sparse_laws_are_the_same((p, q) in pair(), x in 0_usize..8) {
        let x = x % p.len();
        let (sparse_p, sparse_q) = (SparseDistribution::from_dense(&p)?, SparseDistribution::from_dense(&q)?);
        let acceptance = acceptance_probability(&sparse_p, &sparse_q, x)?;
        prop_assert!((acceptance - acceptance_probability(&p, &q, x)?).abs() <= 1e-12);
        let marginal = speculative_output_marginal(&sparse_p, &q)?;
        prop_assert!(largest_difference(&marginal, &speculative_output_marginal(&p, &sparse_q)?) <= 1e-12);
    }

    /// Over all next drafts, a draft stays with the probability that it would have alone.
    #[test]
    fn a_block_s_first_coin_has_the_mean_of_the_draft_alone(
        ((p, q), (next_p, next_q)) in (1_usize..7).prop_flat_map(|vocabulary| {
            let two = move || (law(vocabulary), law(vocabulary));
            (two(), two())
        }),
        x in 0_usize..7,
    ) {
        let proposed = support(&q);
        let x = proposed[x % proposed.len()];
        let mut mean = 0.0;
        for y in (0..next_q.len()).filter(|&y| next_q[y] > 0.0) {
            let rows = ([p.clone(), next_p.clone()], [q.clone(), next_q.clone()]);
            let block = block_law(&rows.0, &rows.1, &[x, y])?;
            prop_assert!(block.coins.iter().all(|coin| (0.0..=1.0).contains(coin)));
            let both = block.coins[0] * block.coins[1];
            let alone = acceptance_probability(&p, &q, x)?;
            prop_assert!((both - (alone * next_p[y] / next_q[y]).min(1.0)).abs() <= 1e-12);
            mean += next_q[y] * block.coins[0];
        }
        prop_assert!((mean - acceptance_probability(&p, &q, x)?).abs() <= 1e-12);
    }
}
