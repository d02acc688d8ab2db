//! A model and a text of its own in a cache: what speculative decoding reads and rewinds.
//!
//! In: the next token ids of one text. Out: rows of logits in f64, which is what laws are made of. Numbers do not depend
//! on how the text was cut into passes, nor on what was read and forgotten in between.

use crate::{
    batch_cache::{BatchCache, refused},
    batch_model::{BatchLm, Rows},
    speculative::TokenModel,
    stage::Stage,
};
use kit::Result;
use mlx_rs::Array;

/// A model with the memory of one text.
pub struct Reader<'a> {
    model: &'a dyn BatchLm,
    cache: Box<dyn BatchCache>,
}

impl<'a> Reader<'a> {
    /// An empty text where `stage` keeps texts. Errors: as [`Stage::cache`].
    pub fn new(model: &'a dyn BatchLm, stage: Stage) -> Result<Self> {
        let mut cache = stage.cache(model.layers(), 1, model.positions())?;
        cache.join(0)?;
        Ok(Self { model, cache })
    }

    fn pass(&mut self, tokens: &[usize], rows: Rows) -> Result<Vec<Vec<f64>>> {
        let ids: Vec<i32> = tokens.iter().map(|&token| token as i32).collect();
        let logits =
            self.model.forward(&Array::from_slice(&ids, &[1, ids.len() as i32]), &[0], &mut *self.cache, rows)?;
        let row = |logits: &[f32]| logits.iter().copied().map(f64::from).collect();
        Ok(kit::testing::values(&logits)?.chunks_exact(logits.dim(2) as usize).map(row).collect())
    }
}

impl TokenModel for Reader<'_> {
    fn feed(&mut self, tokens: &[usize]) -> Result<Vec<Vec<f64>>> {
        self.pass(tokens, Rows::All)
    }

    fn read(&mut self, tokens: &[usize]) -> Result<Vec<f64>> {
        match tokens {
            [] => refused("the prompt", "empty", "hold at least one token that was not read"),
            tokens => Ok(self.pass(tokens, Rows::Last)?.concat()),
        }
    }

    fn rewind(&mut self, length: usize) -> Result<()> {
        let tokens = self.length() as i64 - length as i64;
        self.cache.rewind(0, i32::try_from(tokens).unwrap_or(-1))
    }

    fn length(&self) -> usize {
        self.cache.length(0).map_or(0, |length| length as usize)
    }

    fn positions(&self) -> usize {
        self.model.positions()
    }
}
