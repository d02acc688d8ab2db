//! Week 2: fast for one user, with a KV cache, quantised weights and kernels of your own.
//!
//! Token ids flow in, logits and then text flow out, as in Week 1; what a layer has computed once is kept. Read the
//! modules in the order in which data flows: `kv_cache`, `rung`, `quantized`, `dispatch`, `quantized_linear`,
//! `operators`, `attention`, `block`, `model`, `generate`; `engine` puts them behind the command line. Beside the way of the data stands what the rest of the week
//! is measured with: `samples`, `roofline`, `bandwidth`.

// STARTER-ONLY: #[cfg(feature = "ref-base")]
// STARTER-ONLY: extern crate solution_week1 as week1;
// STARTER-ONLY:
pub mod attention;
pub mod bandwidth;
pub mod block;
pub mod dispatch;
pub mod engine;
pub mod generate;
pub mod kv_cache;
pub mod model;
pub mod operators;
pub mod quantized;
pub mod quantized_linear;
pub mod roofline;
pub mod rung;
pub mod samples;

pub use engine::load;
/// The kernels of this week, for the week that builds on it, and the rung
/// that they run on.
pub use extensions::{metal, week2 as kernels};
