//! Penalties on raw logits: once for presence, per occurrence for frequency, never beyond 2.

use kit::Result;
use kit::law::{History, SamplerConfig};
use kit::testing::{expect_error, expect_invalid_argument};

use crate::lane::{Asked, Lane};

crate::on_both_lanes! {
    presence_counts_once_and_frequency_every_time
    both_add_up_and_are_limited_to_two
    a_count_of_zero_is_no_presence
    a_guard_is_not_limited
    masks_stay_and_the_caller_keeps_its_row
    penalties_come_before_the_temperature
    a_penalised_token_may_leave_the_support
    ids_outside_the_vocabulary_are_refused
}

fn asked(logits: &[f32], presence: f64, frequency: f64, history: History) -> Result<Asked> {
    let config = SamplerConfig::builder()
        .temperature(1.0)
        .top_k(0)
        .top_p(1.0)
        .presence_penalty(presence)
        .frequency_penalty(frequency)
        .build()?;
    Ok(Asked { logits: logits.to_vec(), config, history })
}

#[track_caller]
fn assert_penalised<L: Lane>(lane: &L, asked: Asked, expected: &[f64]) -> Result<()> {
    let got = lane.penalised(&[asked])?.remove(0);
    for (g, e) in got.iter().zip(expected) {
        assert!(g == e || (g - e).abs() <= L::MARGIN, "got {got:?}, expected {expected:?}");
    }
    Ok(())
}

fn presence_counts_once_and_frequency_every_time<L: Lane>(lane: &L) -> Result<()> {
    let seen = || History::of(&[0, 0, 1]);
    let row = [2.0, -1.0, 0.5];
    assert_penalised(lane, asked(&row, 0.5, 0.0, seen())?, &[1.5, -1.5, 0.5])?;
    assert_penalised(lane, asked(&row, 0.0, 0.5, seen())?, &[1.0, -1.5, 0.5])?;
    assert_penalised(lane, asked(&row, 0.5, 0.5, History::default())?, &[2.0, -1.0, 0.5])
}

fn both_add_up_and_are_limited_to_two<L: Lane>(lane: &L) -> Result<()> {
    let row = [2.0, -1.0, 0.5];
    assert_penalised(lane, asked(&row, 0.25, 0.5, History::of(&[0, 0, 1]))?, &[0.75, -1.75, 0.5])?;
    assert_penalised(lane, asked(&row, 7.0, 3.0, History::of(&[2, 2]))?, &[2.0, -1.0, -5.5])?;
    assert_penalised(lane, asked(&row, -7.0, f64::NEG_INFINITY, History::of(&[2, 2]))?, &[2.0, -1.0, 6.5])
}

fn a_count_of_zero_is_no_presence<L: Lane>(lane: &L) -> Result<()> {
    let history = History::from_counts([(0, 0), (1, 2)])?;
    assert_penalised(lane, asked(&[1.0, 1.0], 1.0, 0.25, history)?, &[1.0, -0.5])
}

fn a_guard_is_not_limited<L: Lane>(lane: &L) -> Result<()> {
    let history = History::of(&[1]).guard(1, 10.0)?.guard(2, -3.0)?;
    assert_penalised(lane, asked(&[0.0, 0.0, 0.0], 0.5, 0.0, history)?, &[0.0, -10.5, 3.0])
}

fn masks_stay_and_the_caller_keeps_its_row<L: Lane>(lane: &L) -> Result<()> {
    let one = asked(&[f32::NEG_INFINITY, 1.0], 2.0, 0.0, History::of(&[0, 1]))?;
    assert_penalised(lane, one.clone(), &[f64::NEG_INFINITY, -1.0])?;
    assert_eq!(one.logits, [f32::NEG_INFINITY, 1.0]);
    Ok(())
}

fn penalties_come_before_the_temperature<L: Lane>(lane: &L) -> Result<()> {
    let mut one = asked(&[2.0, 1.0], 0.0, 0.5, History::of(&[0]))?;
    one.config = SamplerConfig::builder().temperature(0.5).top_k(0).top_p(1.0).frequency_penalty(0.5).build()?;
    // (2 - 1/2) / (1/2) against 1 / (1/2): a distance of 1.
    let got = lane.laws(&[one])?.remove(0);
    assert!((got[0] - 1.0 / (1.0 + (-1_f64).exp())).abs() <= L::MARGIN, "{got:?}");
    Ok(())
}

fn a_penalised_token_may_leave_the_support<L: Lane>(lane: &L) -> Result<()> {
    let mut one = asked(&[2.0, 1.0, 0.5], 1.25, 0.0, History::of(&[0]))?;
    one.config = SamplerConfig::builder().temperature(0.0).presence_penalty(1.25).build()?;
    assert_eq!(lane.laws(&[one.clone()])?, [[0.0, 1.0, 0.0]]);
    assert_eq!(lane.draw(&[one], 1)?, [1], "greedy, with penalties");
    Ok(())
}

fn ids_outside_the_vocabulary_are_refused<L: Lane>(lane: &L) -> Result<()> {
    let fits = asked(&[1.0, 2.0], 0.5, 0.5, History::of(&[1]))?;
    for history in [History::of(&[2]), History::default().guard(7, 1.0)?] {
        let batch = [fits.clone(), asked(&[1.0, 2.0], 0.5, 0.5, history)?];
        expect_invalid_argument(lane.penalised(&batch), "a token id");
        expect_invalid_argument(lane.laws(&batch), "a token id");
        let message = expect_error(lane.draw(&batch, 1)).to_string();
        assert!(message.contains("must be below the vocabulary, 2"), "{message}");
    }
    Ok(())
}
