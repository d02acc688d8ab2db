//! No lane answers for a row that has no law, on no path.

use kit::law::SamplerConfig;
use kit::testing::expect_non_finite;
use kit::{Error, Result};

use crate::lane::{Asked, Lane, config};

crate::on_both_lanes! {
    rows_without_a_law_are_refused_on_every_path
    a_mask_has_no_limit_at_an_infinite_temperature
}

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

/// One setting for each way through a lane.
fn every_path() -> Result<Vec<SamplerConfig>> {
    let settings = [(0.0, 0, 1.0), (-1.0, 2, 0.9), (1.0, 0, 1.0), (0.6, 1, 1.0), (0.6, 2, 0.9), (0.6, 0, 0.5)];
    settings.into_iter().chain([(f64::INFINITY, 0, 1.0)]).map(|(t, k, p)| config(t, k, p)).collect()
}

#[track_caller]
fn assert_names_row_two<T>(result: Result<T>, what: &str, bad: &[f32]) {
    let error = expect_non_finite(result);
    let is_row_two = matches!(&error, Error::NonFinite { row: 2, what: said } if said == what);
    assert!(is_row_two, "row 2 is {bad:?}: expected `row 2 {what}`, got `{error}`");
}

fn rows_without_a_law_are_refused_on_every_path<L: Lane>(lane: &L) -> Result<()> {
    let good = [1.0, 2.0, 0.5];
    let bad_rows = [
        ([1.0, NAN, 2.0], "contains NaN"),
        ([NAN; 3], "contains NaN"),
        ([-INF, NAN, -INF], "contains NaN"),
        ([1.0, 2.0, INF], "contains +inf"),
        ([-INF, INF, -1.0], "contains +inf"),
        ([INF, INF, INF], "contains +inf"),
        ([-INF; 3], "has no finite entry"),
    ];
    for (bad, what) in bad_rows {
        // The last row is bad too, but the first bad one is named.
        let rows = [good, good, bad, good, [NAN; 3]].map(|row| row.to_vec());
        assert_names_row_two(lane.ranked(&rows, 2), what, &bad);
        for setting in every_path()? {
            let batch: Vec<Asked> = rows.iter().map(|row| Asked::new(row, setting)).collect();
            assert_names_row_two(lane.laws(&batch), what, &bad);
            assert_names_row_two(lane.draw(&batch, 1), what, &bad);
        }
        // A bad greedy row among others.
        let others = config(0.7, 2, 0.9)?;
        let greedy = config(0.0, 0, 1.0)?;
        let mixed = [0, 1, 2, 3].map(|row| Asked::new(&rows[row], if row == 2 { greedy } else { others }));
        assert_names_row_two(lane.draw(&mixed, 1), what, &bad);
    }
    Ok(())
}

fn a_mask_has_no_limit_at_an_infinite_temperature<L: Lane>(lane: &L) -> Result<()> {
    let hot = config(INF.into(), 0, 1.0)?;
    let masked = [1.0, -INF, 2.0];
    // A mask beside it, at another temperature, is fine.
    let batch =
        [Asked::new(&masked, config(1.0, 0, 1.0)?), Asked::new(&[1.0, 0.0, 2.0], hot), Asked::new(&masked, hot)];
    lane.laws(&batch[..2])?;
    assert_names_row_two(lane.laws(&batch), "holds -inf, which has no limit at temperature inf", &masked);
    Ok(())
}
