//! Attention over pages. The node is in src/paged_attention.cpp.

use std::ffi::c_int;

use kit::{ANY, Error, Result, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};
use mlx_sys::{mlx_array, mlx_stream};

use super::whole_numbers::{invalid, numbers, pages_of_row};
use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "paged_attention")]
    fn c_paged_attention(
        result: *mut mlx_array,
        query: mlx_array,
        key_pages: mlx_array,
        value_pages: mlx_array,
        block_table: mlx_array,
        context_lens: mlx_array,
        scale: f32,
        causal: bool,
        path: c_int,
        stream: mlx_stream,
    ) -> c_int;
}

/// The widest head of [`paged_attention`].
const MOST_DIMS: i32 = 256;

/// Query rows of a tile of [`PagedPath::Flash`]; the number is that of include/ext/flash_tiles.h.
pub const TILE_QUERIES: i32 = 96;

/// Keys of a tile of [`PagedPath::Flash`]; the number is that of include/ext/flash_tiles.h.
pub const TILE_KEYS: i32 = 64;

/// The most query tokens that [`paged_attention`] gives to [`PagedPath::Decode`].
pub const MOST_DECODED: i32 = 8;

/// Which implementation of [`paged_attention`] runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagedPath {
    /// For few query tokens: every row goes through the keys of its text.
    Decode = 0,
    /// For many: tiles of queries times tiles of keys.
    Flash = 1,
}

/// `softmax(scale * query @ key^T) @ value` over keys and values in pages: `query` (B, Hq, L, D), `key_pages` and
/// `value_pages` (P, H, page, D), Hq a multiple of H → (B, Hq, L, D).
///
/// `block_table` (B, M) i32: key `s` of text `b` is in slot `s % page` of page `block_table[b, s / page]`; -1 behind a
/// text's pages stands for none. Texts may share pages. `context_lens` (B,) i32: how many keys each text has, those of its
/// L queries included; a text of 0 is idle and gets zeros. `causal`: query `i` of `L` sees the keys up to
/// `context - L + i`. One dtype of Float32, Float16 and Bfloat16; computed in f32 and rounded once. D is at most 256. Lazy,
/// on the current stream; up to 8 query tokens take [`PagedPath::Decode`], more take [`PagedPath::Flash`]. Where D
/// is a multiple of 16 both give a query the same bits, whatever stands beside it.
///
/// Errors: `Dtype`, `Shape`; `InvalidArgument` about `query heads`, `D`, `page`, `scale`, `block_table` (not a page, a page
/// twice in a text, a page behind a -1) and `context_lens` (negative, more than the pages hold, with `causal` fewer than
/// the queries).
pub fn paged_attention(
    query: &Array,
    key_pages: &Array,
    value_pages: &Array,
    block_table: &Array,
    context_lens: &Array,
    scale: f32,
    causal: bool,
) -> Result<Array> {
    let few = query.ndim() != 4 || query.shape()[2] <= MOST_DECODED;
    let path = if few { PagedPath::Decode } else { PagedPath::Flash };
    paged_attention_by(path, query, key_pages, value_pages, block_table, context_lens, scale, causal)
}

/// [`paged_attention`] by a path of the caller's choice; both give the same values, and the same bits where D is a
/// multiple of 16.
#[expect(clippy::too_many_arguments, reason = "the path and the seven of paged_attention")]
pub fn paged_attention_by(
    path: PagedPath,
    query: &Array,
    key_pages: &Array,
    value_pages: &Array,
    block_table: &Array,
    context_lens: &Array,
    scale: f32,
    causal: bool,
) -> Result<Array> {
    check_float("paged_attention: query", query)?;
    check_shape("paged_attention: query", query, "(B, Hq, L, D)", &[ANY; 4])?;
    let &[batch, query_heads, length, dims] = query.shape() else {
        return Err(Error::Other("paged_attention: query has not four axes".to_string()));
    };
    check_dtype("paged_attention: key_pages", key_pages, query.dtype())?;
    check_shape("paged_attention: key_pages", key_pages, "(P, H, page, D)", &[ANY, ANY, ANY, dims])?;
    check_dtype("paged_attention: value_pages", value_pages, query.dtype())?;
    check_shape("paged_attention: value_pages", value_pages, "(P, H, page, D)", key_pages.shape())?;
    check_dtype("paged_attention: block_table", block_table, Dtype::Int32)?;
    check_shape("paged_attention: block_table", block_table, "(B, M)", &[batch, ANY])?;
    check_dtype("paged_attention: context_lens", context_lens, Dtype::Int32)?;
    check_shape("paged_attention: context_lens", context_lens, "(B,)", &[batch])?;
    let (heads, page) = (key_pages.shape()[1], key_pages.shape()[2]);
    if heads == 0 || query_heads % heads != 0 {
        let must = format!("be a multiple of the key heads, {heads}");
        return Err(invalid("query heads", &query_heads.to_string(), &must));
    }
    if !(1..=MOST_DIMS).contains(&dims) {
        return Err(invalid("D", &dims.to_string(), &format!("be from 1 to {MOST_DIMS}")));
    }
    if page == 0 {
        return Err(invalid("page", "0", "be at least 1 token"));
    }
    if !scale.is_finite() {
        return Err(invalid("scale", &scale.to_string(), "be a number"));
    }
    let queries = if causal { length } else { 0 };
    check_texts(block_table, context_lens, [key_pages.shape()[0], page], queries)?;
    let (query, key_pages, value_pages) = (query.as_ptr(), key_pages.as_ptr(), value_pages.as_ptr());
    let (block_table, context_lens) = (block_table.as_ptr(), context_lens.as_ptr());
    let path = path as c_int;
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe {
        c_paged_attention(result, query, key_pages, value_pages, block_table, context_lens, scale, causal, path, stream)
    })
}

/// Each text's pages, and its number of keys against them. `queries` is how many of its keys are queries too.
fn check_texts(block_table: &Array, context_lens: &Array, [pages, page]: [i32; 2], queries: i32) -> Result<()> {
    let columns = block_table.shape()[1] as usize;
    let (table, contexts) = (numbers(block_table)?, numbers(context_lens)?);
    let mut seen = vec![false; pages as usize];
    for (text, &keys) in contexts.iter().enumerate() {
        let row = &table[text * columns..(text + 1) * columns];
        let listed = pages_of_row("block_table", row, pages, &mut seen)?;
        if keys < 0 || i64::from(keys) > listed as i64 * i64::from(page) {
            let must = format!("be from 0 to what its {listed} pages of {page} hold");
            return Err(invalid("context_lens", &format!("{keys} at {text}"), &must));
        }
        if (1..queries).contains(&keys) {
            let must = format!("be 0 or at least the queries, {queries}");
            return Err(invalid("context_lens", &format!("{keys} at {text}"), &must));
        }
    }
    Ok(())
}
