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
    kit::stub!("3.3.4", pages, rows, lengths)
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
