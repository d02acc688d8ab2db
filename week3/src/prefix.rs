//! Beginnings that several texts have in common.
//!
//! In: the tokens of a new text and of those that are in the cache. Out: whose beginning it can take over, and the pages
//! of it, which both then hold. Keys and values of a beginning are the same in every text that has it, bit by bit.

use crate::paged_cache::PagedCache;
use kit::Result;

/// The slot whose text has the longest beginning in common with `text`, and
/// how many tokens that is; the first of equals. `None` where it is none.
///
/// `cached` are slots with the tokens that the cache holds of their texts.
/// At least one token of `text` is left to be read: its row gives the next
/// token's law.
pub fn longest_common(text: &[u32], cached: &[(usize, Vec<u32>)]) -> Result<Option<(usize, usize)>> {
    kit::stub!("3.3.5", text, cached)
}

/// Gives the empty text in slot `to` the first `tokens` tokens of the text
/// in slot `from`: the same pages, the last of them perhaps not to its end.
///
/// Errors: `InvalidArgument` about `slot` for one without a text, about `to`
/// unless its text is empty, about `tokens` unless from 1 to the length of
/// the text in `from`; nothing has changed then.
pub fn share(cache: &mut PagedCache, from: usize, to: usize, tokens: i32) -> Result<()> {
    kit::stub!("3.3.5", cache, from, to, tokens)
}
