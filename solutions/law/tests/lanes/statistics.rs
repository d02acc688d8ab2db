//! Pearson's statistic: do draws look as if they came from a law?
//!
//! With an even number of degrees of freedom its tail is a finite sum, so no table is needed. A right sampler fails such
//! a test for one seed in a million; the seeds are fixed, so a test that passes once passes always.

/// The share of seeds for which a right sampler fails.
pub const FALSE_ALARM: f64 = 1e-6;

/// The chance that draws from `law` are at least as far from it as `drawn` are; 0 when a token of probability 0 was drawn.
///
/// The law needs an odd number of positive entries, and draws enough that each is expected 5 times.
pub fn chance(drawn: &[usize], law: &[f64]) -> f64 {
    let mut counts = vec![0_usize; law.len()];
    drawn.iter().for_each(|&id| counts[id] += 1);
    let (mut statistic, mut support) = (0.0, 0);
    if counts.iter().zip(law).any(|(&count, &p)| p == 0.0 && count > 0) {
        return 0.0;
    }
    for (&count, &p) in counts.iter().zip(law) {
        if p > 0.0 {
            let expected = p * drawn.len() as f64;
            assert!(expected >= 5.0, "{expected} expected draws are too few to judge");
            statistic += (count as f64 - expected).powi(2) / expected;
            support += 1;
        }
    }
    assert!(support % 2 == 1, "{support} entries give an odd number of degrees of freedom");
    if support == 1 {
        return 1.0;
    }
    let (mut term, mut tail) = ((-statistic / 2.0).exp(), 0.0);
    for i in 0..(support - 1) / 2 {
        tail += term;
        term *= statistic / 2.0 / f64::from(i + 1);
    }
    tail
}

#[test]
fn the_tail_is_that_of_the_chi_square_law() {
    // Two degrees of freedom: the tail is exp(-x / 2). Counts 50, 30, 20 of 100 against thirds: x = 14.
    let drawn: Vec<usize> = [(0, 50), (1, 30), (2, 20)].iter().flat_map(|&(id, n)| vec![id; n]).collect();
    let third = 1.0 / 3.0;
    assert!((chance(&drawn, &[third; 3]) - (-7.0_f64).exp()).abs() < 1e-12);
    assert_eq!(chance(&[0; 30], &[1.0, 0.0, 0.0]), 1.0);
    assert_eq!(chance(&[1; 30], &[1.0, 0.0, 0.0]), 0.0);
}
