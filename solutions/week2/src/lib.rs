//! Week 2: fast for one user, with a KV cache, quantised weights and kernels of your own.
//!
//! It begins on Day 1 with a cache for keys and values, on top of the engine of Week 1. Its tasks come with a later
//! version of the course; until then `cargo xtask status` shows the days without tasks.

// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week1 as week1;
