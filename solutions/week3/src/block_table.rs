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
        // SOLUTION 3.3.3 self.pages, self.length, tokens, page_size
        if !(0..=self.length).contains(&tokens) {
            return refused("tokens", tokens, &format!("be between 0 and {}, the tokens of the text", self.length));
        }
        self.length -= tokens;
        self.pages.truncate(pages_of(self.length, page_size));
        Ok(())
        // END SOLUTION
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
        // SOLUTION 3.3.3 rows, lengths, page_size, handles
        if lengths.len() != rows.len() {
            return refused("context_lens", format!("{} lengths", lengths.len()), &format!("be {}", rows.len()));
        }
        for (number, (row, &length)) in rows.iter().zip(lengths).enumerate() {
            if length < 0 {
                return refused("context_lens", length, "be at least 0");
            }
            let pages = pages_of(length, page_size);
            if row.len() != pages {
                let value = format!("{} pages in row {number}", row.len());
                return refused("block_table", value, &format!("have {pages} for {length} tokens"));
            }
            for (place, &id) in row.iter().enumerate() {
                let held = usize::try_from(id).ok().and_then(|id| handles.get(id)).is_some_and(|&handles| handles > 0);
                if !held || row[..place].contains(&id) {
                    let value = format!("{id} in row {number}, place {place}");
                    return refused("block_table", value, "hold live pages, each once");
                }
            }
        }
        let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
        let padded: Vec<i32> =
            rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(-1)).take(widest)).collect();
        let (count, width) = (rows.len() as i32, widest as i32);
        let block_table = Array::from_slice(&padded, &[count, width]);
        Ok(Self { block_table, context_lens: Array::from_slice(lengths, &[count]), rows })
        // END SOLUTION
    }
}
