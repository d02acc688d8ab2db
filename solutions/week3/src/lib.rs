//! Week 3: a small serving engine, with continuous batching, paged caches and speculative decoding.
//!
//! Requests flow in at any time, tokens and texts flow out, many at once. Read the modules in the order in which data
//! flows: `sequence` is one request; `batch_cache`, `slot_cache`, `batch_attention`, `batch_model` carry many through the
//! model; `scheduler` decides who takes part in a step, `budget` what it reads, `admission` and `room` who is let in;
//! `page_pool`, `block_table`, `page_arrays`, `paged_cache`, `prefix` keep texts in pages, and `paged_attention` reads them
//! there; `tiles` counts what attention visits; `moe` is another model; `engine` puts it behind the command line, in the
//! stages of `stage`, and `serving` behind a server.
//! Beside it stands what needs nothing but Week 1: `speculative`, drafts and the loop that judges them, and `device_law`, the
//! sampler of Week 1's law for batches of requests. `reader` and `drafted_engine` run that loop on two models of this week.

// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week1 as week1;
// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week2 as week2;
// STARTER-ONLY:
pub mod admission;
pub mod batch_attention;
pub mod batch_cache;
pub mod batch_model;
pub mod block_table;
pub mod budget;
pub mod device_law;
pub mod drafted_engine;
pub mod engine;
pub mod moe;
pub mod page_arrays;
pub mod page_pool;
pub mod paged_attention;
pub mod paged_cache;
pub mod prefix;
pub mod reader;
mod room;
pub mod scheduler;
pub mod sequence;
pub mod serving;
pub mod slot_cache;
pub mod speculative;
pub mod stage;
pub mod tiles;

pub use engine::load;
