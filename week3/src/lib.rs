//! Week 3: a small serving engine, with continuous batching, paged caches and speculative decoding.
//!
//! It begins on Day 1 with a scheduler that answers several requests at once, on top of the engine of Week 2. Days 1 to
//! 6 come with a later version of the course. Day 7 is here as far as it needs nothing but Week 1: `speculative`, whose
//! laws of p and q are the day's tasks, and `device_law`, the sampler of Week 1's law for batches of requests.

pub mod device_law;
pub mod speculative;

#[cfg(feature = "ref-base")]
extern crate solution_week1 as week1;
#[cfg(feature = "ref-base")]
extern crate solution_week2 as week2;
