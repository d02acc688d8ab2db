//! The exact law of a random procedure, by taking every coin and every draw all ways.

use std::collections::BTreeMap;

use super::{Chance, Distribution, draw::check_acceptance};
use crate::Result;

/// Runs `procedure` once for every way in which its coins and draws can fall, and adds the probabilities of equal
/// results. The procedure takes all its chance from the argument and is otherwise the same in every run. Laws are taken
/// as they are, without renormalisation: the sum over all results is 1 only where every law drawn from sums to 1.
///
/// ```
/// use kit::law::every_outcome;
/// let sums = every_outcome(|chance| Ok(chance.draw(&[0.5, 0.5])? + chance.draw(&[0.5, 0.5])?))?;
/// assert_eq!(Vec::from_iter(sums), [(0, 0.25), (1, 0.5), (2, 0.25)]);
/// # Ok::<(), kit::Error>(())
/// ```
pub fn every_outcome<T: Ord>(mut procedure: impl FnMut(&mut dyn Chance) -> Result<T>) -> Result<BTreeMap<T, f64>> {
    let mut law = BTreeMap::new();
    let mut path = Path { forks: Vec::new(), depth: 0 };
    loop {
        path.depth = 0;
        let result = procedure(&mut path)?;
        *law.entry(result).or_insert(0.0) += path.probability();
        if !path.advance() {
            return Ok(law);
        }
    }
}

/// Half the sum of absolute differences: the largest difference in probability that the two laws give to any event.
pub fn total_variation<T: Ord>(left: &BTreeMap<T, f64>, right: &BTreeMap<T, f64>) -> f64 {
    let ids: std::collections::BTreeSet<&T> = left.keys().chain(right.keys()).collect();
    let mass = |law: &BTreeMap<T, f64>, id: &T| law.get(id).copied().unwrap_or(0.0);
    ids.into_iter().map(|id| (mass(left, id) - mass(right, id)).abs()).sum::<f64>() / 2.0
}

/// One way through the procedure: the ways at each fork, and which of them is taken.
struct Path {
    forks: Vec<Fork>,
    depth: usize,
}

struct Fork {
    /// What the fork may answer, and how likely it is; only what can happen.
    ways: Vec<(usize, f64)>,
    taken: usize,
}

impl Path {
    fn fork(&mut self, ways: impl FnOnce() -> Vec<(usize, f64)>) -> usize {
        if self.depth == self.forks.len() {
            self.forks.push(Fork { ways: ways(), taken: 0 });
        }
        let fork = &self.forks[self.depth];
        self.depth += 1;
        fork.ways[fork.taken].0
    }

    fn probability(&self) -> f64 {
        self.forks.iter().map(|fork| fork.ways[fork.taken].1).product()
    }

    /// Turns the last fork that has another way, and forgets what came after it.
    fn advance(&mut self) -> bool {
        while let Some(last) = self.forks.last_mut() {
            last.taken += 1;
            if last.taken < last.ways.len() {
                return true;
            }
            self.forks.pop();
        }
        false
    }
}

impl Chance for Path {
    fn accept(&mut self, acceptance: f64) -> Result<bool> {
        check_acceptance(acceptance)?;
        let ways = || [(1, acceptance), (0, 1.0 - acceptance)].into_iter().filter(|way| way.1 > 0.0).collect();
        Ok(self.fork(ways) == 1)
    }

    fn draw(&mut self, law: &dyn Distribution) -> Result<usize> {
        // Refuses what a real draw refuses.
        super::sample_from_distribution(law, 0.0)?;
        Ok(self.fork(|| law.entries().filter(|(_, prob)| *prob > 0.0).collect()))
    }
}
