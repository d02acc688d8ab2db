//! Exact sampling in one place: the temper-first law of Week 1, the speculative rules and the device lane of Week 3.
//!
//! Logits flow in, probabilities and token ids flow out. The files of Week 3 are compiled here a second time, from the
//! same source: this package needs neither kernels nor CMake, so that the law can be looked at on any day of the course.

pub mod bench;
pub mod check;
#[path = "../../week3/src/device_law/mod.rs"]
pub mod device_law;
pub mod mlx_lm;
#[path = "../../week3/src/speculative/mod.rs"]
pub mod speculative;

pub use speculative::*;
pub use week1::law::*;
