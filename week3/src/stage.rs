//! The stages of this week's engine: where a text's keys and values lie, and how attention comes to them.
//!
//! In: the name that `--checkpoint` gives. Out: a cache.

use crate::{
    batch_cache::{BatchCache, refused},
    paged_attention::Reading,
    paged_cache::PagedCache,
    slot_cache::SlotCache,
};
use kit::Result;
use week2::model::CACHE_BLOCK;

/// Tokens of a page.
pub const PAGE_SIZE: i32 = 16;

/// A stage, in the order in which the days build them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Every text in a row of its own: Days 1 and 2.
    Slots,
    /// Texts in pages, which are copied side by side for attention: Day 3.
    GatheredPages,
    /// Texts in pages, which are read where they lie, row by row: Day 4.
    PagedAttention,
    /// The same, and a prompt's queries in tiles: Day 5.
    FlashAttention,
}

impl Stage {
    /// Their names, the lowest first.
    pub const NAMES: [&'static str; 4] = ["slots", "gathered-pages", "paged-attention", "flash-attention"];

    /// The stage of that name; the highest one for `None`.
    ///
    /// Errors: `InvalidArgument` with the valid names for another name.
    pub fn named(name: Option<&str>) -> Result<Self> {
        match name {
            Some("slots") => Ok(Self::Slots),
            Some("gathered-pages") => Ok(Self::GatheredPages),
            Some("paged-attention") => Ok(Self::PagedAttention),
            Some("flash-attention") | None => Ok(Self::FlashAttention),
            Some(other) => {
                refused("--checkpoint", format!("{other:?}"), &format!("be one of {}", Self::NAMES.join(", ")))
            }
        }
    }

    /// Places for `slots` texts of up to `positions` tokens each, in a model
    /// of `layers` layers. Errors: as the caches.
    pub fn cache(self, layers: usize, slots: usize, positions: usize) -> Result<Box<dyn BatchCache>> {
        match self {
            Self::Slots => Ok(Box::new(SlotCache::new(layers, slots, CACHE_BLOCK)?)),
            _ => self.pages(layers, slots, slots * positions.div_ceil(PAGE_SIZE as usize)),
        }
    }

    /// `pages` pages for `slots` texts together.
    ///
    /// Errors: `InvalidArgument` about `--pages` in [`Slots`](Self::Slots); as
    /// [`PagedCache::new`].
    pub fn pages(self, layers: usize, slots: usize, pages: usize) -> Result<Box<dyn BatchCache>> {
        let reading = match self {
            Self::Slots => return refused("--pages", pages, "not be given with --checkpoint slots"),
            Self::GatheredPages => Reading::Gathered,
            Self::PagedAttention => Reading::ByRows,
            Self::FlashAttention => Reading::InTiles,
        };
        let mut cache = PagedCache::new(layers, slots, PAGE_SIZE, pages)?;
        cache.reading = reading;
        Ok(Box::new(cache))
    }
}
