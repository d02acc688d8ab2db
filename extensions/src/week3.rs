//! The kernels of week 3, announced: each passes its arguments to a C symbol that refuses with the id of its task.
//!
//! Nothing is checked here yet; the checks come with the kernels. Packed weights are those of [`crate::week2`]; pages
//! are (P, H, page, D), P pages of `page` tokens.

use std::ffi::c_int;

use kit::Result;
use mlx_rs::Array;
use mlx_sys::{mlx_array, mlx_stream};

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
        stream: mlx_stream,
    ) -> c_int;
    #[link_name = concat!(env!("EXT_PREFIX"), "grouped_quantized_matmul")]
    fn c_grouped_quantized_matmul(
        result: *mut mlx_array,
        x: mlx_array,
        weight: mlx_array,
        scales: mlx_array,
        biases: mlx_array,
        expert_ids: mlx_array,
        group_size: c_int,
        bits: c_int,
        stream: mlx_stream,
    ) -> c_int;
}

/// Writes `values` (1, H, L, D) into `pages` (P, H, page, D), from slot `start` of the first of `page_ids` (i32) on.
///
/// Errors: `NotImplemented` with task 3.3.1.
pub fn paged_cache_update(pages: &Array, values: &Array, page_ids: &Array, start: i32) -> Result<Array> {
    let (pages, values, page_ids) = (pages.as_ptr(), values.as_ptr(), page_ids.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe { c_paged_cache_update(result, pages, values, page_ids, start, stream) })
}

/// Attention over pages: `query` (B, Hq, L, D), `block_table` (B, M) i32 padded with -1, `context_lens` (B,) i32.
///
/// Errors: `NotImplemented` with task 3.4.2.
pub fn paged_attention(
    query: &Array,
    key_pages: &Array,
    value_pages: &Array,
    block_table: &Array,
    context_lens: &Array,
    scale: f32,
    causal: bool,
) -> Result<Array> {
    let (query, key_pages, value_pages) = (query.as_ptr(), key_pages.as_ptr(), value_pages.as_ptr());
    let (block_table, context_lens) = (block_table.as_ptr(), context_lens.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe {
        c_paged_attention(result, query, key_pages, value_pages, block_table, context_lens, scale, causal, stream)
    })
}

/// Row `i` of `x` (N, I) times the packed weight of expert `expert_ids[i]`: `weight` E×O×I/8 u32 → (N, O).
///
/// Errors: `NotImplemented` with task 3.6.1.
pub fn grouped_quantized_matmul(
    x: &Array,
    weight: &Array,
    scales: &Array,
    biases: &Array,
    expert_ids: &Array,
    group_size: i32,
    bits: i32,
) -> Result<Array> {
    let (x, weight, scales, biases) = (x.as_ptr(), weight.as_ptr(), scales.as_ptr(), biases.as_ptr());
    // SAFETY: the handles live through the call; the C side reads nothing of them yet.
    border::array(|result, stream| unsafe {
        c_grouped_quantized_matmul(result, x, weight, scales, biases, expert_ids.as_ptr(), group_size, bits, stream)
    })
}
