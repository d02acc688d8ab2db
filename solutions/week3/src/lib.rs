//! Week 3: a small serving engine, with continuous batching, paged caches and speculative decoding.
//!
//! It begins on Day 1 with a scheduler that answers several requests at once, on top of the engine of Week 2. Its tasks
//! come with a later version of the course; until then `cargo xtask status` shows the days without tasks.

pub mod device_law;
pub mod speculative;

// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week1 as week1;
// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week2 as week2;
