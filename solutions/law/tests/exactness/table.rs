//! A model whose logits are a table: another row for every context.

use kit::{Error, Result};
use solution_law::TokenModel;

/// Remembers the tokens that it has read; its row depends on all of them.
#[derive(Debug, Clone)]
pub struct Table {
    vocabulary: usize,
    seed: u64,
    read: Vec<usize>,
}

impl Table {
    /// An empty memory; tables of two seeds have nothing in common.
    pub fn new(vocabulary: usize, seed: u64) -> Self {
        Self { vocabulary, seed, read: Vec::new() }
    }

    /// The row (V,) after `context`, each logit in [-2, 2).
    pub fn logits(&self, context: &[usize]) -> Vec<f64> {
        let context = context.iter().fold(mixed(self.seed), |state, &id| mixed(state ^ (id as u64 + 1)));
        let logit = |id: usize| (mixed(context ^ ((id as u64 + 1) << 32)) >> 11) as f64 / (1_u64 << 53) as f64;
        (0..self.vocabulary).map(|id| 4.0 * logit(id) - 2.0).collect()
    }
}

impl TokenModel for Table {
    fn feed(&mut self, tokens: &[usize]) -> Result<Vec<Vec<f64>>> {
        let mut rows = Vec::new();
        for &token in tokens {
            self.read.push(token);
            rows.push(self.logits(&self.read));
        }
        Ok(rows)
    }

    fn rewind(&mut self, length: usize) -> Result<()> {
        if length > self.read.len() {
            let must = format!("be at most the {} tokens that were read", self.read.len());
            return Err(Error::InvalidArgument { name: "length".into(), value: length.to_string(), must });
        }
        self.read.truncate(length);
        Ok(())
    }

    fn length(&self) -> usize {
        self.read.len()
    }
}

/// The output step of SplitMix64: every bit of the result depends on every bit of `state`.
fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
