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
        // SOLUTION 3.3.4 self.storage, step, layer, numbers
        use crate::batch_cache::refused;
        use mlx_rs::ops::indexing::{TryIndexMutOp, TryIndexOp};

        let (Some((all_keys, all_values)), Some(pages)) = (&mut self.storage[layer], &step.pages) else {
            return refused("step", "one of another cache", "have been begun here");
        };
        for (row, (&slot, &offset)) in step.slots.iter().zip(&step.offsets).enumerate() {
            let (ids, from) = (&pages.table.rows[row], row as i32..row as i32 + 1);
            let first = (offset / self.page_size) as usize;
            for (kept, new) in [&mut *all_keys, &mut *all_values].into_iter().zip(numbers) {
                if let (Some(copy), Some(table)) = (&pages.copies[row], &self.tables[slot]) {
                    let shared = table.pages[first].id();
                    let page = kept.try_index(shared..shared + 1)?;
                    kept.try_index_mut(copy.id()..copy.id() + 1, page)?;
                }
                write(kept, &new.try_index(from.clone())?, &ids[first..], offset % self.page_size)?;
            }
        }
        Ok(pages)
        // END SOLUTION
    }
}

/// What the rows of `step` see of one layer's keys and values, side by side.
pub fn gathered((keys, values): &Pair, step: &Step, pages: &StepPages) -> Result<Seen> {
    // SOLUTION 3.3.4 keys, values, step, pages
    let lengths: Vec<i32> = step.offsets.iter().map(|offset| offset + step.tokens).collect();
    let rows = &pages.table.rows;
    Ok(Seen::Dense(gather(keys, rows, &lengths)?, gather(values, rows, &lengths)?))
    // END SOLUTION
}

/// The texts of a step side by side: `pages` (P, H, page, D) to (B, H, S, D),
/// S the longest of `lengths`; 0 behind the end of each row.
pub fn gather(pages: &Array, rows: &[Vec<i32>], lengths: &[i32]) -> Result<Array> {
    // SOLUTION 3.3.4 pages, rows, lengths
    use mlx_rs::ops::{arange, indexing::TryIndexOp, select};

    let (heads, page_size, width) = (pages.dim(1), pages.dim(2), pages.dim(3)); // H, page, D
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0); // M
    // Any page will do behind the end: what it holds becomes 0.
    let ids: Vec<i32> =
        rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(0)).take(widest)).collect();
    let (count, widest) = (rows.len() as i32, widest as i32);
    let taken = pages.take_axis(Array::from_slice(&ids, &[count * widest]), 0)?; // (B·M, H, page, D)
    let taken = taken.reshape(&[count, widest, heads, page_size, width])?.swap_axes(1, 2)?; // (B, H, M, page, D)
    let longest = lengths.iter().copied().max().unwrap_or(0); // S
    let dense = taken.reshape(&[count, heads, widest * page_size, width])?.try_index((.., .., ..longest, ..))?;
    let ends = Array::from_slice(lengths, &[count, 1, 1, 1]);
    let own = arange::<_, i32>(0, longest, 1)?.reshape(&[1, 1, longest, 1])?.lt(ends)?;
    Ok(select(own, &dense, Array::from_f32(0.0).as_dtype(pages.dtype())?)?)
    // END SOLUTION
}
