//! Rows of a batch have their own settings and histories, and never look at each other.

use kit::Result;
use kit::law::{History, SamplerConfig};
use kit::testing::{Random, values};

use crate::lane::{Asked, Lane, config};

crate::on_both_lanes! {
    rows_with_and_without_top_k_share_a_batch
    a_row_alone_has_the_same_law
    a_row_alone_has_the_same_token
}

fn rows_with_and_without_top_k_share_a_batch<L: Lane>(lane: &L) -> Result<()> {
    let row = [0.5, 2.0, -1.0, 0.25];
    let settings = [(0, 1.0), (2, 1.0), (0, 0.5), (-3, 1.0), (4, 1.0), (100, 1.0), (2, 0.5)];
    let batch = settings.iter().map(|&(k, p)| Ok(Asked::new(&row, config(1.0, k, p)?))).collect::<Result<Vec<_>>>()?;
    let laws = lane.laws(&batch)?;
    let supports: Vec<Vec<usize>> = laws.iter().map(|law| (0..4).filter(|&id| law[id] > 0.0).collect()).collect();
    let all = vec![0, 1, 2, 3];
    assert_eq!(supports, [all.clone(), vec![0, 1], vec![1], all.clone(), all.clone(), all, vec![1]]);
    Ok(())
}

/// Rows of every kind: greedy, top-k, nucleus, both, neither; with histories; V beyond one block.
fn mixed_batch(seed: u64) -> Result<Vec<Asked>> {
    let vocabulary = 700;
    let settings = [
        (0.0, 0, 1.0),
        (0.7, 50, 0.95),
        (1.0, 0, 1.0),
        (1.5, 0, 0.9),
        (0.3, 5, 1.0),
        (-1.0, 3, 0.2),
        (f64::INFINITY, 7, 1.0),
        (0.9, 0, 0.3),
        (1.0, 699, 0.99),
        (1.0, 700, 1.0),
    ];
    let drawn = values(&Random::new(seed).normal(&[settings.len() as i32, vocabulary]))?;
    let rows = drawn.chunks(vocabulary as usize).zip(settings).enumerate();
    rows.map(|(index, (row, (temperature, k, p)))| {
        let builder = SamplerConfig::builder().temperature(temperature).top_k(k).top_p(p);
        let config = builder.presence_penalty(0.3).frequency_penalty(0.2).build()?;
        let history = if index % 3 == 0 { History::default() } else { History::of(&[index, 2 * index, index]) };
        Ok(Asked { logits: row.to_vec(), config, history })
    })
    .collect()
}

fn a_row_alone_has_the_same_law<L: Lane>(lane: &L) -> Result<()> {
    let batch = mixed_batch(21)?;
    let together = lane.laws(&batch)?;
    for (row, one) in batch.iter().enumerate() {
        // To the last bit.
        assert_eq!(lane.laws(std::slice::from_ref(one))?[0], together[row], "row {row}");
    }
    let half = lane.laws(&batch[3..7])?;
    assert_eq!(half, together[3..7]);
    Ok(())
}

/// A lane gives the first rows of a batch the same chance as a shorter batch.
fn a_row_alone_has_the_same_token<L: Lane>(lane: &L) -> Result<()> {
    let batch = mixed_batch(22)?;
    for seed in 0..5 {
        let together = lane.draw(&batch, seed)?;
        for length in 1..=batch.len() {
            assert_eq!(lane.draw(&batch[..length], seed)?, together[..length], "seed {seed}, {length} rows");
        }
    }
    Ok(())
}
