//! Week 1: from matmul to text, on array operations alone.
//!
//! Token ids flow in, logits and then text flow out. Read the modules in the order in which data flows: `basics`,
//! `attention`, `rope`, `mask`, `grouped_attention`, `qwen3_attention`, `rms_norm`, `mlp`.

pub mod attention;
pub mod basics;
pub mod grouped_attention;
pub mod mask;
pub mod mlp;
pub mod qwen3_attention;
pub mod rms_norm;
pub mod rope;
