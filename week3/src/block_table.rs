//! Where a text lies.
//!
//! A text is a list of pages, in order, all full but the last. In: tokens that come and go, and the tables of the rows of
//! a step. Out: the arrays that kernels read, (B, M) page ids and (B,) lengths, checked once a step and not once a layer.

use crate::{batch_cache::refused, page_pool::Page};
use kit::Result;
use mlx_rs::Array;

/// The pages of one text.
#[derive(Debug, Default)]
pub struct BlockTable {
    /// In order of the text; full, but for the last.
    pub pages: Vec<Page>,
    /// Tokens.
    pub length: i32,
}

/// How many pages `tokens` tokens take.
pub fn pages_of(tokens: i32, page_size: i32) -> usize {
    (tokens.max(0) as usize).div_ceil(page_size as usize)
}

impl BlockTable {
    /// `tokens` more tokens, for which `fresh` pages come behind the others.
    ///
    /// Errors: `InvalidArgument` about `fresh` unless they are exactly the
    /// pages that the longer text takes more; nothing has changed then, and
    /// the fresh pages are free again.
    pub fn append(&mut self, tokens: i32, fresh: Vec<Page>, page_size: i32) -> Result<()> {
        let pages = pages_of(self.length + tokens, page_size);
        if self.pages.len() + fresh.len() != pages {
            let must = format!("be {} pages", pages.saturating_sub(self.pages.len()));
            return refused("fresh", fresh.len(), &must);
        }
        self.pages.extend(fresh);
        self.length += tokens;
        Ok(())
    }

    /// Forgets the last `tokens` tokens and gives back the pages that nothing
    /// of the text is left on.
    ///
    /// Errors: `InvalidArgument` about `tokens` when negative or more than
    /// there are.
    pub fn rewind(&mut self, tokens: i32, page_size: i32) -> Result<()> {
        kit::stub!("3.3.3", self.pages, self.length, tokens, page_size)
    }

    /// The ids of the pages.
    pub fn ids(&self) -> Vec<i32> {
        self.pages.iter().map(Page::id).collect()
    }
}

/// The tables of a step's rows, checked.
#[derive(Debug)]
pub struct StepTable {
    /// Page ids of each row, all rows as long as the longest, padded with -1:
    /// (B, M) i32.
    pub block_table: Array,
    /// Tokens of each row, (B,) i32.
    pub context_lens: Array,
    /// The ids of each row, without padding.
    pub rows: Vec<Vec<i32>>,
}

impl StepTable {
    /// The arrays of `rows`, page ids of each text, and their `lengths`.
    ///
    /// `handles` are those of all pages. Errors: `InvalidArgument` about
    /// `context_lens` unless there is one for every row, none negative;
    /// about `block_table` for a row with too few or too many pages for its
    /// length, for an id that is no page, that nobody holds, or that stands
    /// twice in a row.
    pub fn new(rows: Vec<Vec<i32>>, lengths: &[i32], page_size: i32, handles: &[u32]) -> Result<Self> {
        kit::stub!("3.3.3", rows, lengths, page_size, handles)
    }
}
