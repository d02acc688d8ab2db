//! Nucleus and top-k on the tempered law.

use kit::Result;

use crate::lane::{Lane, assert_law, config, logs};

crate::on_both_lanes! {
    test_distribution_from_logits_normalizes_after_filtering
    the_token_that_crosses_p_stays
    the_filters_do_not_renormalise_in_between
    a_tiny_p_keeps_the_most_likely_token
    a_token_above_p_is_a_nucleus
    ties_at_both_cuts_go_to_the_lowest_ids
    a_top_k_of_one_is_greedy_on_a_tie
    top_k_outside_the_vocabulary_is_off
    top_p_outside_its_range_is_off
    filters_see_the_tempered_law
    the_worked_examples_of_three_laws
    a_long_nucleus_is_followed_to_its_end
    a_mass_of_exactly_p_is_decided_within_the_margin
}

fn test_distribution_from_logits_normalizes_after_filtering<L: Lane>(lane: &L) -> Result<()> {
    for (k, p) in [(2, 1.0), (0, 0.6), (3, 0.9), (1, 0.01), (0, 1.0)] {
        for temperature in [0.2, 0.6, 1.0, 3.0] {
            let law = lane.law(&[2.0, 1.0, 0.5, -1.0, -3.0], config(temperature, k, p)?)?;
            let sum: f64 = law.iter().sum();
            assert!((sum - 1.0).abs() <= L::MARGIN, "T {temperature}, k {k}, p {p}: the sum is {sum}");
            assert!(law.iter().all(|&p| (0.0..=1.0).contains(&p)), "{law:?}");
            assert!(k == 0 || law.iter().filter(|&&p| p > 0.0).count() <= k as usize, "k {k}: {law:?}");
        }
    }
    // Two survivors at T = 1 share their own mass: 1 / (1 + e^-1).
    let law = lane.law(&[2.0, 1.0, 0.5, -1.0, -3.0], config(1.0, 2, 1.0)?)?;
    assert_law(lane, "k = 2", &law, &[0.7310585786300049, 0.2689414213699951, 0.0, 0.0, 0.0]);
    Ok(())
}

fn the_token_that_crosses_p_stays<L: Lane>(lane: &L) -> Result<()> {
    assert_eq!(lane.support(&logs(&[0.5, 0.3, 0.15, 0.05]), config(1.0, 0, 0.6)?)?, [0, 1]);
    assert_eq!(lane.support(&logs(&[0.5, 0.41, 0.09]), config(1.0, 0, 0.9)?)?, [0, 1]);
    Ok(())
}

fn the_filters_do_not_renormalise_in_between<L: Lane>(lane: &L) -> Result<()> {
    let row = logs(&[0.4, 0.3, 0.2, 0.1]);
    assert_eq!(lane.support(&row, config(1.0, 1, 0.5)?)?, [0]);
    // Of the mass that k = 2 leaves, the first token has 4/7; of the whole mass 0.4, so the second is in the nucleus.
    assert_eq!(lane.support(&row, config(1.0, 2, 0.5)?)?, [0, 1]);
    Ok(())
}

fn a_tiny_p_keeps_the_most_likely_token<L: Lane>(lane: &L) -> Result<()> {
    for p in [1e-4, 1e-8, 1e-46, 1e-300, f64::MIN_POSITIVE] {
        assert_eq!(lane.support(&[0.1, 0.3, 0.2, 0.3], config(1.0, 0, p)?)?, [1], "p = {p}");
    }
    Ok(())
}

fn a_token_above_p_is_a_nucleus<L: Lane>(lane: &L) -> Result<()> {
    assert_eq!(lane.support(&logs(&[0.9, 0.05, 0.05]), config(1.0, 0, 0.5)?)?, [0]);
    Ok(())
}

fn ties_at_both_cuts_go_to_the_lowest_ids<L: Lane>(lane: &L) -> Result<()> {
    let row = [1.0, 2.0, 1.0, 1.0, 2.0, 1.0];
    assert_eq!(lane.support(&row, config(1.0, 3, 1.0)?)?, [0, 1, 4]);
    // .2881 twice, .1060 four times: the mass before ids 1, 4, 0, 2, 3, 5 is 0, .2881, .5761, .6821, .7881, .8940.
    assert_eq!(lane.support(&row, config(1.0, 0, 0.75)?)?, [0, 1, 2, 4]);
    Ok(())
}

fn a_top_k_of_one_is_greedy_on_a_tie<L: Lane>(lane: &L) -> Result<()> {
    let row = [21.375, 3.0, 21.375];
    assert_law(lane, "k = 1", &lane.law(&row, config(1.0, 1, 1.0)?)?, &[1.0, 0.0, 0.0]);
    assert_eq!(lane.draws(&row, config(1.0, 1, 1.0)?, 3, 500)?, [0; 500]);
    Ok(())
}

fn top_k_outside_the_vocabulary_is_off<L: Lane>(lane: &L) -> Result<()> {
    let row = [0.5, 2.0, -1.0, 0.25];
    let all = lane.law(&row, config(0.8, 0, 1.0)?)?;
    for k in [-1, 4, 5, 100, i64::MIN, i64::MAX] {
        assert_eq!(lane.law(&row, config(0.8, k, 1.0)?)?, all, "k = {k}");
    }
    assert_eq!(lane.support(&row, config(0.8, 3, 1.0)?)?, [0, 1, 3]);
    Ok(())
}

fn top_p_outside_its_range_is_off<L: Lane>(lane: &L) -> Result<()> {
    let row = [0.5, 2.0, -1.0, 0.25];
    let all = lane.law(&row, config(0.8, 0, 1.0)?)?;
    for p in [0.0, -0.5, 1.5, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(lane.law(&row, config(0.8, 0, p)?)?, all, "p = {p}");
    }
    Ok(())
}

fn filters_see_the_tempered_law<L: Lane>(lane: &L) -> Result<()> {
    // Untempered, the first token has .665 and the second is inside p = .8; at T = .5 the first has .867.
    assert_eq!(lane.support(&[3.0, 2.0, 1.0], config(0.5, 0, 0.8)?)?, [0]);
    assert_eq!(lane.support(&[3.0, 2.0, 1.0], config(1.0, 0, 0.8)?)?, [0, 1]);
    Ok(())
}

/// Where Week 1's sampler, mlx-lm and this law part. The expected values are `p^(1/T)`, normalised over the kept ids.
fn the_worked_examples_of_three_laws<L: Lane>(lane: &L) -> Result<()> {
    // Probabilities at T = 1, then T, k, p, and who stays.
    type Case<'a> = (&'a [f64], f64, i64, f64, &'a [usize]);
    let cases: [Case; 3] = [
        (&[0.4, 0.2, 0.2, 0.2], 2.0, 0, 0.58, &[0, 1, 2]),
        (&[0.5, 0.3, 0.15, 0.05], 2.0, 0, 0.75, &[0, 1, 2]),
        (&[0.35, 0.3, 0.2, 0.1, 0.05], 0.7, 3, 0.7, &[0, 1]),
    ];
    for (probabilities, temperature, k, p, kept) in cases {
        let row = logs(probabilities);
        let law = lane.law(&row, config(temperature, k, p)?)?;
        // From the logits as f32 has them: their rounding is not the lane's.
        let mass: f64 = kept.iter().map(|&id| (f64::from(row[id]) / temperature).exp()).sum();
        let mut expected = vec![0.0; row.len()];
        kept.iter().for_each(|&id| expected[id] = (f64::from(row[id]) / temperature).exp() / mass);
        assert_law(lane, &format!("{probabilities:?} at T {temperature}, k {k}, p {p}"), &law, &expected);
    }
    Ok(())
}

fn a_long_nucleus_is_followed_to_its_end<L: Lane>(lane: &L) -> Result<()> {
    // 5,000 equal tokens and one better one have a mass of e + 5000, of which p = .9 is 4,502.4: the better one and ties
    // until e + n reaches that, 4,500 of them, lowest ids first.
    let mut row = vec![0.0; 5001];
    row[4000] = 1.0;
    let kept = lane.support(&row, config(1.0, 0, 0.9)?)?;
    assert_eq!(kept, (0..=4500).collect::<Vec<_>>());
    Ok(())
}

/// At p itself the rounding of the logits decides, and lanes may differ by the token on the boundary; 2e-5 beside it
/// neither has a choice.
fn a_mass_of_exactly_p_is_decided_within_the_margin<L: Lane>(lane: &L) -> Result<()> {
    let tenths = [0.4, 0.3, 0.2, 0.1];
    for (probabilities, p, kept) in [(tenths, 0.4, 1), (tenths, 0.7, 2), ([0.5, 0.3, 0.15, 0.05], 0.8, 2)] {
        let row = logs(&probabilities);
        let count = |p| Ok::<_, kit::Error>(lane.support(&row, config(1.0, 0, p)?)?.len());
        assert_eq!((count(p - 2e-5)?, count(p + 2e-5)?), (kept, kept + 1), "{probabilities:?}, beside p = {p}");
        let at_p = count(p)?;
        assert!(at_p == kept || at_p == kept + 1, "{probabilities:?}, p = {p}: {at_p} tokens");
    }
    Ok(())
}

/// In f64 the boundary is exact: the mass reaches p with the first tokens, and the next one goes.
#[test]
fn the_host_decides_a_boundary_of_f64_logits() -> Result<()> {
    let logits = [0.4_f64, 0.3, 0.2, 0.1].map(f64::ln);
    let nothing = solution_law::History::default();
    for (p, kept) in [(0.4, 1), (0.7, 2)] {
        let law = solution_law::distribution_from_logits(&logits, &config(1.0, 0, p)?, &nothing)?;
        assert_eq!(law.iter().filter(|&&p| p > 0.0).count(), kept, "p = {p}: {law:?}");
    }
    Ok(())
}
