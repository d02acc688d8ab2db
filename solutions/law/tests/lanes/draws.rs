//! Real draws: judged by a statistic with a stated rate of false alarms, and bound to their seed.

use kit::Result;
use kit::testing::{Random, values};

use crate::lane::{Lane, config, logs, wide};
use crate::statistics::{FALSE_ALARM, chance};

crate::on_both_lanes! {
    draws_follow_the_law
    a_biased_draw_is_rejected
    draws_of_a_large_vocabulary_follow_the_law
    a_masked_token_is_never_drawn
    the_seed_alone_decides
}

const DRAWS: usize = 8000;

fn draws_follow_the_law<L: Lane>(lane: &L) -> Result<()> {
    let row = [1.0, 0.2, -0.4, 0.9, 0.0, -1.5, 0.6, 0.3, -0.8];
    for (seed, setting) in [config(0.8, 0, 1.0)?, config(1.0, 5, 1.0)?, config(1.2, 0, 0.75)?, config(0.6, 7, 0.85)?]
        .into_iter()
        .enumerate()
    {
        let law = exact(&row, setting)?;
        let drawn = lane.draws(&row, setting, seed as u64, DRAWS)?;
        let chance = chance(&drawn, &law);
        assert!(chance > FALSE_ALARM, "{setting:?}: chance {chance:.1e} under {law:?}");
    }
    Ok(())
}

/// The law that f64 gives; its supports in these tests have an odd number of entries.
fn exact(row: &[f32], setting: solution_law::SamplerConfig) -> Result<Vec<f64>> {
    solution_law::distribution_from_logits(&wide(row), &setting, &solution_law::History::default())
}

/// What the statistic would say of a wrong lane: one in ten draws is the greedy token, or the temperature is off by
/// a quarter.
fn a_biased_draw_is_rejected<L: Lane>(lane: &L) -> Result<()> {
    let row = [1.0, 0.2, -0.4, 0.9, 0.0, -1.5, 0.6, 0.3, -0.8];
    let setting = config(0.8, 0, 1.0)?;
    let law = exact(&row, setting)?;
    let mut drawn = lane.draws(&row, setting, 1, DRAWS)?;
    assert!(chance(&drawn, &law) > FALSE_ALARM);
    drawn.iter_mut().step_by(10).for_each(|id| *id = 0);
    assert!(chance(&drawn, &law) < FALSE_ALARM, "a greedy token in every tenth draw goes unseen");
    let warm = lane.draws(&row, config(1.0, 0, 1.0)?, 1, DRAWS)?;
    assert!(chance(&warm, &law) < FALSE_ALARM, "T = 1 passes for .8");
    Ok(())
}

/// Every token of 3,000 is rare; gathered in nine classes, their masses are what they must be. The first eight classes
/// are strides through the vocabulary, the last is its end, where running sums are the least exact.
fn draws_of_a_large_vocabulary_follow_the_law<L: Lane>(lane: &L) -> Result<()> {
    let row = values(&Random::new(5).normal(&[3000]))?;
    let class = |id: usize| if id >= 2700 { 8 } else { id % 8 };
    for (seed, setting) in [config(1.0, 0, 1.0)?, config(1.0, 0, 0.9)?].into_iter().enumerate() {
        let mut law = [0.0; 9];
        exact(&row, setting)?.into_iter().enumerate().for_each(|(id, p)| law[class(id)] += p);
        let drawn: Vec<usize> = lane.draws(&row, setting, seed as u64, 1500)?.into_iter().map(class).collect();
        let chance = chance(&drawn, &law);
        assert!(chance > FALSE_ALARM, "{setting:?}: chance {chance:.1e}");
    }
    Ok(())
}

fn a_masked_token_is_never_drawn<L: Lane>(lane: &L) -> Result<()> {
    let drawn = lane.draws(&logs(&[0.5, 0.5, 0.0, 0.0]), config(1.0, 0, 1.0)?, 8, 10_000)?;
    assert!(drawn.iter().all(|&id| id < 2), "a token of probability 0 was drawn");
    assert!(drawn.contains(&0) && drawn.contains(&1));
    Ok(())
}

fn the_seed_alone_decides<L: Lane>(lane: &L) -> Result<()> {
    let row = [0.3, 0.1, -0.2, 0.4, 0.0];
    let setting = config(1.0, 0, 1.0)?;
    let first = lane.draws(&row, setting, 42, 50)?;
    // Others draw in between, from the lane and from the random state of the process.
    lane.draws(&row, setting, 43, 7)?;
    mlx_rs::random::normal::<f32>(&[3], None, None, None)?.eval()?;
    assert_eq!(lane.draws(&row, setting, 42, 50)?, first);
    assert_ne!(lane.draws(&row, setting, 43, 50)?, first);
    Ok(())
}
