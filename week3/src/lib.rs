//! Week 3: a small serving engine, with continuous batching, paged caches and speculative decoding.
//!
//! It begins on Day 1 with a scheduler that answers several requests at once, on top of the engine of Week 2. Its tasks
//! come with a later version of the course; until then `cargo xtask status` shows the days without tasks.

#[cfg(feature = "ref-base")]
extern crate solution_week1 as week1;
#[cfg(feature = "ref-base")]
extern crate solution_week2 as week2;
