//! The numbers on pages.
//!
//! In: new keys or values and the ids of their pages, or the ids of whole texts. Out: pages with the new numbers on them,
//! or the texts side by side, as attention over dense arrays wants them.

use crate::{
    batch_cache::{Seen, Step},
    paged_cache::{PagedCache, StepPages},
    slot_cache::Pair,
};
use kit::Result;
use mlx_rs::Array;

/// Writes `values` (1, H, L, D) into `pages` (P, H, page, D), from place `start` of the first of `ids` on, by the kernel
/// of task 3.3.1: in place where nobody else holds the pages.
pub fn write(pages: &mut Array, values: &Array, ids: &[i32], start: i32) -> Result<()> {
    let ids = Array::from_slice(ids, &[ids.len() as i32]);
    *pages = extensions::week3::paged_cache_update(pages, values, &ids, start)?;
    Ok(())
}

impl PagedCache {
    /// Makes one layer's arrays reach to the last page that somebody holds, of
    /// the heads and the dtype of `like` (B, H, L, D). They grow by an eighth,
    /// so that little of them is empty and they are not copied for each page.
    pub fn make_room(&mut self, layer: usize, like: &Array) -> Result<()> {
        use mlx_rs::ops::{concatenate, zeros_dtype};

        let handles = &self.pool.ledger().handles;
        let used = handles.iter().rposition(|&handles| handles > 0).map_or(0, |page| page as i32 + 1);
        let held = self.storage[layer].as_ref().map_or(0, |(keys, _)| keys.dim(0));
        if used <= held {
            return Ok(());
        }
        let pages = used.max(held + (held / 8).max(8)).min(handles.len() as i32);
        let room = zeros_dtype(&[pages - held, like.dim(1), self.page_size, like.dim(3)], like.dtype())?;
        self.storage[layer] = Some(match &self.storage[layer] {
            None => (room.clone(), room),
            Some((keys, values)) => (concatenate(&[keys, &room], 0)?, concatenate(&[values, &room], 0)?),
        });
        Ok(())
    }

    /// Copies the pages that are to be copied and writes each row of
    /// `numbers`, keys and values (B, H, L, D), behind its text. Returns what
    /// `begin` has prepared.
    ///
    /// Errors: `InvalidArgument` about `step` where it holds no pages; as
    /// [`write`].
    pub fn write_rows<'s>(&mut self, step: &'s Step, layer: usize, numbers: [&Array; 2]) -> Result<&'s StepPages> {
        kit::stub!("3.3.4", self.storage, step, layer, numbers)
    }
}

/// What the rows of `step` see of one layer's keys and values, side by side.
pub fn gathered((keys, values): &Pair, step: &Step, pages: &StepPages) -> Result<Seen> {
    kit::stub!("3.3.4", keys, values, step, pages)
}

/// The texts of a step side by side: `pages` (P, H, page, D) to (B, H, S, D),
/// S the longest of `lengths`; 0 behind the end of each row.
pub fn gather(pages: &Array, rows: &[Vec<i32>], lengths: &[i32]) -> Result<Array> {
    kit::stub!("3.3.4", pages, rows, lengths)
}
