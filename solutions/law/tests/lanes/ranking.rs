//! One ranking: by logit, ties by id.

use kit::Result;
use kit::testing::{Random, values};

use crate::lane::{Lane, config};

crate::on_both_lanes! {
    largest_first_ties_by_id
    zero_has_no_sign
    masked_tokens_come_last
    random_rows_with_ties_agree_with_a_plain_sort
    neighbours_of_f32_stay_apart
}

fn largest_first_ties_by_id<L: Lane>(lane: &L) -> Result<()> {
    let rows = [vec![1.0, 3.0, 2.0, 3.0], vec![5.0, 5.0, 5.0, 5.0]];
    assert_eq!(lane.ranked(&rows, 3)?, [[1, 3, 2], [0, 1, 2]]);
    assert_eq!(lane.ranked(&rows, 9)?, [[1, 3, 2, 0], [0, 1, 2, 3]], "a k above V means V");
    Ok(())
}

fn zero_has_no_sign<L: Lane>(lane: &L) -> Result<()> {
    let rows = [vec![-0.0, 0.0, 0.0, -0.0, f32::MIN_POSITIVE], vec![0.0, -0.0, 0.0, 0.0, -f32::MIN_POSITIVE]];
    assert_eq!(lane.ranked(&rows, 5)?, [[4, 0, 1, 2, 3], [0, 1, 2, 3, 4]]);
    Ok(())
}

fn masked_tokens_come_last<L: Lane>(lane: &L) -> Result<()> {
    let none = f32::NEG_INFINITY;
    assert_eq!(lane.ranked(&[vec![none, f32::MIN, none, f32::MAX]], 4)?, [[3, 1, 0, 2]]);
    Ok(())
}

/// Vocabularies around the sizes at which a ranking in blocks changes its way, values in steps so that many are equal.
fn random_rows_with_ties_agree_with_a_plain_sort<L: Lane>(lane: &L) -> Result<()> {
    let mut random = Random::new(11);
    for vocabulary in [1, 2, 63, 64, 65, 129, 1000, 5000] {
        for steps in [2.0, 100.0] {
            let drawn = values(&random.normal(&[3, vocabulary]))?;
            let rows: Vec<Vec<f32>> = drawn
                .chunks(vocabulary as usize)
                .map(|row| row.iter().map(|z| (z * steps).round() / steps).collect())
                .collect();
            for k in [1, 2, 7, 64, 500, vocabulary as usize] {
                let expected: Vec<Vec<usize>> = rows.iter().map(|row| sorted(row, k)).collect();
                assert_eq!(lane.ranked(&rows, k)?, expected, "V {vocabulary}, k {k}, steps of 1/{steps}");
            }
        }
    }
    Ok(())
}

fn sorted(row: &[f32], k: usize) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..row.len()).collect();
    // Stable, so that ids stay ascending among equals.
    ids.sort_by(|&a, &b| row[b].partial_cmp(&row[a]).unwrap_or(std::cmp::Ordering::Equal));
    ids.truncate(k);
    ids
}

/// Divided by the temperature in f32, these neighbours become equals, and the lower id would win.
fn neighbours_of_f32_stay_apart<L: Lane>(lane: &L) -> Result<()> {
    let cases =
        [([1.2138034105300903, 1.2138035297393799, 0.0], 0.6), ([1.4763691425323486, 1.4763692617416382, 0.0], 0.7)];
    for (row, temperature) in cases {
        let row = row.map(|z: f64| z as f32);
        let scale = (1.0 / temperature) as f32;
        assert!(row[0] < row[1] && row[0] * scale == row[1] * scale, "the example has lost its point");
        let setting = config(temperature, 1, 1.0)?;
        assert_eq!(lane.support(&row, setting)?, [1], "T = {temperature}");
        assert_eq!(lane.draws(&row, setting, 5, 20)?, [1; 20], "T = {temperature}");
        // The same for a nucleus of one token.
        assert_eq!(lane.support(&row, config(temperature, 0, 0.1)?)?, [1], "T = {temperature}, p = .1");
    }
    Ok(())
}
