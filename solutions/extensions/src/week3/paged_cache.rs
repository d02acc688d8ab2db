//! New keys or values go into pages. The node is in src/paged_cache_update.cpp.

use std::ffi::c_int;

use kit::{ANY, Result, check_dtype, check_float, check_shape};
use mlx_rs::{Array, Dtype};
use mlx_sys::{mlx_array, mlx_stream};

use super::whole_numbers::{invalid, numbers, pages_of_row};
use crate::border;

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "paged_cache_update")]
    fn c_paged_cache_update(
        result: *mut mlx_array,
        pages: mlx_array,
        values: mlx_array,
        page_ids: mlx_array,
        start: c_int,
        stream: mlx_stream,
    ) -> c_int;
}

/// `pages` (P, H, page, D) with the L tokens of `values` (1, H, L, D) in them, from slot `start` of the pages `page_ids` on.
///
/// `page_ids` (n,) i32 are the pages of one text in its order; -1 behind them stands for none. Token `t` goes to slot
/// `(start + t) % page` of page `page_ids[(start + t) / page]`. One dtype of Float32, Float16 and Bfloat16. Lazy, on the
/// current stream.
///
/// Whoever still holds `pages` reads the old values: the result takes over their memory only when nobody else can see it
/// at the time of the evaluation, and is a copy otherwise. So give the result the place of `pages` and drop them.
///
/// Errors: `Dtype`, `Shape`; `InvalidArgument` about `page_ids` (not a page, a page twice, a page behind a -1), about
/// `start` when it is negative or the tokens reach over the last page.
pub fn paged_cache_update(pages: &Array, values: &Array, page_ids: &Array, start: i32) -> Result<Array> {
    check_float("paged_cache_update: pages", pages)?;
    check_shape("paged_cache_update: pages", pages, "(P, H, page, D)", &[ANY; 4])?;
    let (count, heads, page, dims) = (pages.shape()[0], pages.shape()[1], pages.shape()[2], pages.shape()[3]);
    check_dtype("paged_cache_update: values", values, pages.dtype())?;
    check_shape("paged_cache_update: values", values, "(1, H, L, D)", &[1, heads, ANY, dims])?;
    check_dtype("paged_cache_update: page_ids", page_ids, Dtype::Int32)?;
    check_shape("paged_cache_update: page_ids", page_ids, "(n,)", &[ANY])?;
    if page == 0 {
        return Err(invalid("page", "0", "be at least 1 token"));
    }
    let listed = pages_of_row("page_ids", &numbers(page_ids)?, count, &mut vec![false; count as usize])?;
    let (room, tokens) = (listed as i64 * i64::from(page), values.shape()[2]);
    if start < 0 {
        return Err(invalid("start", &start.to_string(), "not be negative"));
    }
    if i64::from(start) + i64::from(tokens) > room {
        let must = format!("leave room for {tokens} tokens in {listed} pages of {page}");
        return Err(invalid("start", &start.to_string(), &must));
    }
    let (pages, values, page_ids) = (pages.as_ptr(), values.as_ptr(), page_ids.as_ptr());
    // SAFETY: the handles live through the call, and the C side keeps its own references to the arrays.
    border::array(|result, stream| unsafe { c_paged_cache_update(result, pages, values, page_ids, start, stream) })
}
