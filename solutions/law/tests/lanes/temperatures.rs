//! Every temperature: greedy, tiny, huge, infinite.

use kit::Result;

use crate::lane::{Lane, assert_law, config};

const NONE: f32 = f32::NEG_INFINITY;

crate::on_both_lanes! {
    zero_and_below_is_the_first_maximum
    greedy_rows_are_not_divided
    a_tiny_temperature_shares_between_ties
    an_infinite_temperature_is_uniform
    a_huge_temperature_is_nearly_uniform
    no_finite_logits_overflow
    a_constant_changes_nothing
    masked_tokens_have_probability_zero
}

fn zero_and_below_is_the_first_maximum<L: Lane>(lane: &L) -> Result<()> {
    for temperature in [0.0, -0.0, -1.0, f64::NEG_INFINITY] {
        for (k, p) in [(0, 1.0), (3, 0.9), (-1, 0.5)] {
            let setting = config(temperature, k, p)?;
            assert_eq!(lane.law(&[1.0, 3.0, 2.0, 3.0], setting)?, [0.0, 1.0, 0.0, 0.0], "T = {temperature}");
            assert_eq!(lane.draws(&[1.0, 3.0, 2.0, 3.0], setting, 9, 5)?, [1; 5], "T = {temperature}");
        }
    }
    Ok(())
}

/// A division by -1 would make +inf of the mask.
fn greedy_rows_are_not_divided<L: Lane>(lane: &L) -> Result<()> {
    assert_eq!(lane.law(&[1.0, NONE, 0.0], config(-1.0, 0, 1.0)?)?, [1.0, 0.0, 0.0]);
    Ok(())
}

fn a_tiny_temperature_shares_between_ties<L: Lane>(lane: &L) -> Result<()> {
    for temperature in [1e-4, 1e-6, 1e-30, 1e-300, 5e-324] {
        let what = format!("T = {temperature:e}");
        let law = lane.law(&[1.0, 3.0, 2.0, 3.0], config(temperature, 0, 1.0)?)?;
        assert_law(lane, &what, &law, &[0.0, 0.5, 0.0, 0.5]);
        assert_eq!(lane.support(&[1.0, 3.0, 2.0, 2.5], config(temperature, 3, 0.9)?)?, [1], "{what}");
    }
    Ok(())
}

fn an_infinite_temperature_is_uniform<L: Lane>(lane: &L) -> Result<()> {
    let hot = f64::INFINITY;
    assert_law(lane, "T = inf", &lane.law(&[9.0, -3.0, f32::MAX, f32::MIN], config(hot, 0, 1.0)?)?, &[0.25; 4]);
    // All are equal, so the lowest ids stay.
    assert_law(lane, "k = 2", &lane.law(&[1.0, 2.0, 3.0, 4.0], config(hot, 2, 1.0)?)?, &[0.5, 0.5, 0.0, 0.0]);
    assert_eq!(lane.support(&[1.0, 2.0, 3.0, 4.0], config(hot, 0, 0.6)?)?, [0, 1, 2]);
    Ok(())
}

fn a_huge_temperature_is_nearly_uniform<L: Lane>(lane: &L) -> Result<()> {
    for temperature in [1e9, 1e38, 1e300] {
        let law = lane.law(&[3.0, 1.0, NONE, 2.0], config(temperature, 0, 1.0)?)?;
        for (id, expected) in [1.0 / 3.0, 1.0 / 3.0, 0.0, 1.0 / 3.0].into_iter().enumerate() {
            assert!((law[id] - expected).abs() < 1e-6, "T = {temperature:e}: {law:?}");
        }
    }
    Ok(())
}

fn no_finite_logits_overflow<L: Lane>(lane: &L) -> Result<()> {
    for temperature in [0.1, 1e-30] {
        let law = lane.law(&[1e38, 2e38, -3e38, 2e38], config(temperature, 0, 1.0)?)?;
        assert_law(lane, "large logits", &law, &[0.0, 0.5, 0.0, 0.5]);
    }
    Ok(())
}

fn a_constant_changes_nothing<L: Lane>(lane: &L) -> Result<()> {
    // Steps of 1/8 below 1024 are exact in f32, with the constant and without it.
    let row = [0.125, -3.25, 2.5, 0.0];
    let shifted = row.map(|z| z + 1000.0);
    for setting in [config(0.7, 3, 0.9)?, config(1.3, 0, 1.0)?] {
        assert_eq!(lane.law(&row, setting)?, lane.law(&shifted, setting)?);
    }
    Ok(())
}

fn masked_tokens_have_probability_zero<L: Lane>(lane: &L) -> Result<()> {
    for (k, p) in [(0, 1.0), (3, 1.0), (0, 0.999), (3, 0.999)] {
        let law = lane.law(&[NONE, 1.0, NONE, 1.0, NONE], config(1.0, k, p)?)?;
        assert_law(lane, &format!("k {k}, p {p}"), &law, &[0.0, 0.5, 0.0, 0.5, 0.0]);
    }
    Ok(())
}
