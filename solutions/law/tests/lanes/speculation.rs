//! Acceptance, residual and marginal, on laws that a lane has made.

use kit::Result;
use solution_law::{acceptance_probability, residual_distribution, speculative_output_marginal};

use crate::lane::{Lane, config};

crate::on_both_lanes! {
    test_acceptance_probability_caps_at_one
    test_residual_distribution_nan_mass_falls_back_to_target
    speculative_output_marginal_recovers_target_distribution
}

/// A target and a draft law over five ids, each with ids that the other does not keep.
fn target_and_draft<L: Lane>(lane: &L) -> Result<(Vec<f64>, Vec<f64>)> {
    let target = lane.law(&[2.0, 1.0, 0.5, -1.0, -3.0], config(0.8, 4, 0.95)?)?;
    let draft = lane.law(&[1.0, 0.0, 1.5, -2.0, 0.5], config(1.2, 3, 1.0)?)?;
    Ok((target, draft))
}

fn test_acceptance_probability_caps_at_one<L: Lane>(lane: &L) -> Result<()> {
    let (p, q) = target_and_draft(lane)?;
    for x in 0..p.len() {
        let acceptance = acceptance_probability(&p, &q, x)?;
        let expected = if q[x] > 0.0 { (p[x] / q[x]).min(1.0) } else { f64::from(u8::from(p[x] > 0.0)) };
        assert_eq!(acceptance, expected, "id {x} of {p:?} and {q:?}");
    }
    assert!(p[0] > q[0], "the example has lost its point");
    assert_eq!(acceptance_probability(&p, &q, 0)?, 1.0);
    assert_eq!(acceptance_probability(&[1.0, 0.0], &[5e-324, 1.0], 0)?, 1.0, "a ratio beyond f64");
    Ok(())
}

fn test_residual_distribution_nan_mass_falls_back_to_target<L: Lane>(lane: &L) -> Result<()> {
    let (p, q) = target_and_draft(lane)?;
    let nothing = vec![f64::NAN; p.len()];
    for draft in [&nothing, &p] {
        let residual = residual_distribution(&p, draft)?.to_dense();
        for (left, target) in residual.iter().zip(&p) {
            assert!((left - target).abs() <= L::MARGIN, "{residual:?} instead of {p:?}");
        }
    }
    // One entry that is no number takes away that id alone.
    let mut broken = q.clone();
    broken[0] = f64::NAN;
    let residual = residual_distribution(&p, &broken)?.to_dense();
    assert_eq!(residual[0], 0.0);
    assert!((residual.iter().sum::<f64>() - 1.0).abs() <= L::MARGIN);
    Ok(())
}

fn speculative_output_marginal_recovers_target_distribution<L: Lane>(lane: &L) -> Result<()> {
    let (p, q) = target_and_draft(lane)?;
    let mass: f64 = p.iter().sum();
    for draft in [&q, &p, &vec![0.0, 0.0, 0.0, 1.0, 0.0]] {
        let marginal = speculative_output_marginal(&p, draft)?;
        // The sum itself, not rescaled: lost mass would show.
        assert!((marginal.iter().sum::<f64>() - 1.0).abs() <= 1e-12, "{marginal:?}");
        for (got, target) in marginal.iter().zip(&p) {
            assert!((got - target / mass).abs() <= 1e-12, "{marginal:?} instead of {p:?}");
        }
    }
    Ok(())
}
