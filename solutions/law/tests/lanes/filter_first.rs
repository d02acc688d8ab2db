//! Week 1's sampler is another law, filters first; its draws are judged by the same statistic.

use kit::Result;
use mlx_rs::{Array, ops};
use week1::sampler::make_sampler;

use crate::statistics::{FALSE_ALARM, chance};

const PROBABILITIES: [f64; 9] = [0.08, 0.22, 0.05, 0.18, 0.02, 0.15, 0.13, 0.07, 0.1];
const DRAWS: i32 = 20_000;

/// k = 7 leaves out ids 4 and 2; the mass before id 7, the last of them, is .86, so p = .9 keeps it and p = .85 does not.
fn drawn(temperature: f32, top_p: f32) -> Result<Vec<usize>> {
    let logs = PROBABILITIES.map(|p| p.ln() as f32);
    let rows = ops::broadcast_to(Array::from_slice(&logs, &[1, 9]), &[DRAWS, 9])?;
    let tokens = make_sampler(temperature, Some(7), Some(top_p), 17)?.sample(&rows)?;
    Ok(kit::testing::values(&tokens)?.into_iter().map(|id| id as usize).collect())
}

/// `p^(1/T)` over the ids that the filters leave of the untempered law.
fn expected(temperature: f64) -> [f64; 9] {
    let kept = [0, 1, 3, 5, 6, 7, 8];
    let weight = |id: usize| if kept.contains(&id) { PROBABILITIES[id].powf(1.0 / temperature) } else { 0.0 };
    let mass: f64 = (0..9).map(weight).sum();
    std::array::from_fn(|id| weight(id) / mass)
}

#[test]
fn draws_follow_the_law() -> Result<()> {
    for temperature in [0.7, 1.0, 1.6] {
        let chance = chance(&drawn(temperature as f32, 0.9)?, &expected(temperature));
        assert!(chance > FALSE_ALARM, "T = {temperature}: chance {chance:.1e}");
    }
    Ok(())
}

#[test]
fn a_biased_draw_is_rejected() -> Result<()> {
    let law = expected(1.0);
    assert!(chance(&drawn(1.25, 0.9)?, &law) < FALSE_ALARM, "T = 1.25 passes for 1");
    assert!(chance(&drawn(1.0, 0.85)?, &law) < FALSE_ALARM, "a nucleus without its last token passes");
    let mut greedy = drawn(1.0, 0.9)?;
    greedy.iter_mut().step_by(20).for_each(|id| *id = 1);
    assert!(chance(&greedy, &law) < FALSE_ALARM, "a greedy token in every twentieth draw goes unseen");
    Ok(())
}
