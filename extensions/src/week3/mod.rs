//! The kernels of week 3: caches in pages, attention that reads pages where they lie, a weight an expert.
//!
//! Arrays are checked here and go to C symbols of this package (src/*.cpp), as those of [`crate::week2`], whose packed
//! weights these are too. Pages are (P, H, page, D): P pages of `page` tokens for each of H heads. Tables of pages, numbers
//! of tokens and ids of experts are small and known before a step begins: they are evaluated and looked at by the call, so
//! that a wrong one is refused here.

mod grouped;
mod paged_attention;
mod paged_cache;
mod whole_numbers;

pub use grouped::grouped_quantized_matmul;
pub use paged_attention::{MOST_DECODED, PagedPath, TILE_KEYS, TILE_QUERIES, paged_attention, paged_attention_by};
pub use paged_cache::paged_cache_update;
