//! The numbers on pages.
//!
//! In: new keys or values and the ids of their pages, or the ids of whole texts. Out: pages with the new numbers on them,
//! or the texts side by side, as attention over dense arrays wants them.

use kit::Result;
use mlx_rs::Array;

/// Writes `values` (1, H, L, D) into `pages` (P, H, page, D), from place `start` of the first of `ids` on, by the kernel
/// of task 3.3.1: in place where nobody else holds the pages.
pub fn write(pages: &mut Array, values: &Array, ids: &[i32], start: i32) -> Result<()> {
    let ids = Array::from_slice(ids, &[ids.len() as i32]);
    *pages = extensions::week3::paged_cache_update(pages, values, &ids, start)?;
    Ok(())
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

/// How full the pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageReport {
    /// Pages that there are so far.
    pub pages: usize,
    /// Pages that a text holds.
    pub live: usize,
    /// Pages that several texts hold.
    pub shared: usize,
    /// Places behind the last tokens of texts, on pages of their own: what
    /// paging wastes.
    pub empty_places: usize,
    /// Free pages below the highest live one: the holes.
    pub holes: usize,
}
