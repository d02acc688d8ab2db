//! What a batch of texts remembers, as the model and the scheduler see it.
//!
//! A text lives in a slot from `join` to `leave`. A pass through the model is a [`Step`]: `begin` says where the new
//! tokens of each row stand, every layer hands over its keys and values, and `commit` makes them count. A step that is
//! dropped instead has changed nothing.

use crate::{paged_cache::StepPages, slot_cache::row_mask};
use kit::{Error, PageReport, Result};
use mlx_rs::Array;

/// One pass: L new tokens for each of B texts.
#[derive(Debug)]
pub struct Step {
    /// The slot of each row.
    pub slots: Vec<usize>,
    /// How many tokens each row's slot holds already.
    pub offsets: Vec<i32>,
    /// `offsets` as an array, (B,) i32.
    pub positions: Array,
    /// L, the new tokens of every row.
    pub tokens: i32,
    /// S, the tokens of the longest row, new ones included.
    pub keys: i32,
    /// (B, 1, L, S), as [`row_mask`] makes it; `None` for a single row,
    /// which is causal.
    pub mask: Option<Array>,
    /// What a cache in pages (Day 3) has prepared for it: a step that is
    /// dropped gives these pages back. `None` in slots.
    pub pages: Option<StepPages>,
}

impl Step {
    /// A step of `tokens` tokens for these slots, which hold `offsets`.
    ///
    /// Errors: `InvalidArgument` about `slots` when empty or named twice,
    /// about `tokens` unless at least 1; as [`row_mask`].
    pub fn new(slots: &[usize], offsets: Vec<i32>, tokens: i32) -> Result<Self> {
        if slots.is_empty() {
            return refused("slots", "empty", "hold at least one slot");
        }
        if let Some(twice) = slots.iter().enumerate().find(|(row, slot)| slots[..*row].contains(slot)) {
            return refused("slots", twice.1, "be named once in a step");
        }
        if tokens < 1 {
            return refused("tokens", tokens, "be at least 1");
        }
        let longest = offsets.iter().copied().max().unwrap_or(0);
        let Some(keys) = longest.checked_add(tokens) else { return refused("tokens", tokens, "fit behind the text") };
        let mask = if offsets.len() == 1 { None } else { Some(row_mask(&offsets, tokens)?) };
        let positions = Array::from_slice(&offsets, &[offsets.len() as i32]);
        Ok(Self { slots: slots.to_vec(), offsets, positions, tokens, keys, mask, pages: None })
    }

    /// Refuses a step that was begun in another cache, or before its texts
    /// changed. Errors: `InvalidArgument` about `step`.
    pub fn check(&self, cache: &dyn BatchCache) -> Result<()> {
        for (&slot, &offset) in self.slots.iter().zip(&self.offsets) {
            if cache.length(slot) != Some(offset) {
                let step = format!("one behind token {offset} of slot {slot}");
                return refused("step", step, "have been begun here, behind the texts as they are");
            }
        }
        Ok(())
    }
}

/// The keys and values that the rows of a step may look at.
#[derive(Debug)]
pub enum Seen {
    /// Side by side: both (B, H, S, D), row b's own from index 0 on; what
    /// lies behind them is finite and masked.
    Dense(Array, Array),
    /// Where they lie (Day 4).
    Pages {
        /// (P, H, page, D), of all texts.
        keys: Array,
        /// (P, H, page, D)
        values: Array,
        /// The pages of each row in order, (B, M) i32, padded with -1.
        table: Array,
        /// Tokens of each row, new ones included, (B,) i32.
        lens: Array,
    },
    /// What is read for a few queries at a time.
    ByRows(Box<Seen>),
}

impl Seen {
    /// The same pages, to be read for a few queries at a time.
    pub fn by_rows(self) -> Self {
        Self::ByRows(Box::new(self))
    }

    /// Keys and values, where they lie side by side.
    pub fn dense(&self) -> Option<(&Array, &Array)> {
        match self {
            Self::Dense(keys, values) => Some((keys, values)),
            Self::Pages { .. } | Self::ByRows(_) => None,
        }
    }
}

/// Keys and values of many texts, for all layers of a model.
pub trait BatchCache {
    /// How many texts there is a place for.
    fn slots(&self) -> usize;

    /// How many tokens the text in `slot` has; `None` where there is no text.
    fn length(&self, slot: usize) -> Option<i32>;

    /// Starts a text in `slot`. Errors: `InvalidArgument` about `slot` unless
    /// it is there and free.
    fn join(&mut self, slot: usize) -> Result<()>;

    /// Forgets the text in `slot`. Errors: `InvalidArgument` about `slot`
    /// unless it holds one.
    fn leave(&mut self, slot: usize) -> Result<()>;

    /// Prepares `tokens` new tokens in each of `slots`.
    ///
    /// Errors: as [`Step::new`]; `InvalidArgument` about `slot` for one
    /// without a text.
    fn begin(&mut self, slots: &[usize], tokens: i32) -> Result<Step>;

    /// Takes the keys and values of the new tokens in one layer, (B, H, L, D)
    /// each, and gives what the rows see, these included.
    fn update(&mut self, step: &Step, layer: usize, keys: &Array, values: &Array) -> Result<Seen>;

    /// Makes the tokens of a step count, once every layer has them.
    fn commit(&mut self, step: Step) -> Result<()>;

    /// Forgets the last `tokens` tokens of the text in `slot`; what follows
    /// takes their places.
    ///
    /// Errors: `InvalidArgument` about `slot` unless it holds a text, about
    /// `tokens` when negative or more than the text has.
    fn rewind(&mut self, slot: usize, tokens: i32) -> Result<()> {
        Err(Error::Other(format!("the text in slot {slot} cannot lose {tokens} tokens in this cache")))
    }

    /// Bytes that are held for keys and values.
    fn held_bytes(&self) -> usize;

    /// How full the pages are; `None` where texts are not in pages.
    fn pages(&self) -> Option<PageReport> {
        None
    }

    /// Whether so many more tokens fit, all together: pairs of a slot and a
    /// number; a slot without a text stands for a text that is yet to come.
    fn fits(&self, _rows: &[(usize, i32)]) -> bool {
        true
    }

    /// The most tokens that a text can have here, were it alone.
    fn capacity(&self) -> usize {
        i32::MAX as usize
    }

    /// Pages that texts hold; `None` in slots.
    fn live_pages(&self) -> Option<usize> {
        None
    }

    /// Whether texts can hold a common beginning once, with
    /// [`share`](Self::share).
    fn shares(&self) -> bool {
        false
    }

    /// Gives the empty text in slot `to` the first `tokens` tokens of the one
    /// in `from`. Errors: `Other` where texts cannot share.
    fn share(&mut self, from: usize, to: usize, tokens: i32) -> Result<()> {
        Err(Error::Other(format!(
            "the text in slot {to} cannot take {tokens} tokens of slot {from} over in this cache"
        )))
    }
}

/// An `InvalidArgument`.
pub fn refused<T>(name: &str, value: impl std::fmt::Display, must: &str) -> Result<T> {
    Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
}
