//! Attention that reads keys and values where they lie.
//!
//! In: the pages of one layer, and a step whose new tokens are on them. Out: what attention needs to find the rows' texts
//! there, and what the queries learn from them. Nothing is copied on the way.

use crate::{batch_cache::Seen, paged_cache::StepPages, slot_cache::Pair};
use extensions::week3::MOST_DECODED;
use kit::Result;
use mlx_rs::{Array, ops, ops::indexing::TryIndexOp};

/// How attention comes to what lies in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The texts are copied side by side first: Day 3.
    Gathered,
    /// The pages are read where they lie, for a few queries at a time: Day 4.
    ByRows,
    /// The pages are read where they lie, many queries in tiles: Day 5.
    InTiles,
}

/// What the rows of a step see of one layer: its keys and values, both
/// (P, H, page, D), the table that says on which pages each text lies, and
/// the lengths of the texts, new tokens included. `pages` is what the step
/// has prepared.
pub fn in_place((keys, values): &Pair, pages: &StepPages) -> Result<Seen> {
    kit::stub!("3.4.3", keys, values, pages)
}

/// `query` (B, H_q, L, D), the last L tokens of the rows' texts, over
/// `keys` and `values` (P, H, page, D) → (B, H_q, L, D). Every query sees its
/// own text, up to itself; scores are divided by the root of D.
///
/// `table` (B, M) and `lens` (B,), i32. Errors: as the kernel of 3.4.2.
pub fn attend_pages(query: &Array, [keys, values]: [&Array; 2], table: &Array, lens: &Array) -> Result<Array> {
    kit::stub!("3.4.3", query, keys, values, table, lens)
}

/// As [`attend_pages`], but never for more than [`MOST_DECODED`] of the L
/// tokens at a time, which is what Day 4's kernel is for. Errors: the same.
pub fn attend_by_rows(query: &Array, pages: [&Array; 2], table: &Array, lens: &Array) -> Result<Array> {
    let length = query.dim(2);
    if length <= MOST_DECODED {
        return attend_pages(query, pages, table, lens);
    }
    let mut pieces = Vec::new();
    for from in (0..length).step_by(MOST_DECODED as usize) {
        let to = (from + MOST_DECODED).min(length);
        let piece = query.try_index((.., .., from..to, ..))?;
        // For this piece the texts end with its last token.
        let seen = lens.subtract(Array::from_int(length - to))?;
        pieces.push(attend_pages(&piece, pages, table, &seen)?);
    }
    Ok(ops::concatenate(&pieces, 2)?)
}
