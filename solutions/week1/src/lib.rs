//! Week 1: from matmul to text, on array operations alone.
//!
//! Token ids flow in, logits and then text flow out. Read the modules in the order in which data flows: `basics`,
//! `attention`, `rope`, `mask`, `grouped_attention`, `qwen3_attention`, `rms_norm`, `mlp`, `embedding`, `block`, `model`,
//! `generate`, `detokenizer`, `sampler`, `law`; `engine` puts them behind the command line.

pub mod attention;
pub mod basics;
pub mod block;
pub mod detokenizer;
pub mod embedding;
pub mod engine;
pub mod generate;
pub mod grouped_attention;
pub mod law;
pub mod mask;
pub mod mlp;
pub mod model;
pub mod qwen3_attention;
pub mod rms_norm;
pub mod rope;
pub mod sampler;

pub use engine::load;
