//! The temper-first law on MLX arrays: a batch of rows of logits to probabilities and draws, without leaving the device.
//!
//! In: logits (B, V) in f32, f16 or bf16, settings and history for each row, and for a draw one random key for each row.
//! Out: probabilities, or token ids (B,). The law is that of [`kit::law`]: penalties, softmax at a temperature, nucleus
//! ∩ top-k of the whole vocabulary's mass, one renormalisation, ties to the lowest id. The arithmetic is f32 and u32, as
//! every device has it; no f64. Only the refusal of bad rows, and a nucleus that no top-k bounds, wait for the device.
//!
//! What is promised against the f64 law, for the same logits: the same support, except where the mass before a token is
//! within 1e-5 of p or where penalties bring two logits so close that f32 does not tell them apart; and probabilities that
//! differ by at most 2e-6. Never the same bytes. Two limits of f32: a temperature below 1.2e-38 is read as that, one above
//! 3.4e38 as that, and a probability below 1e-38 may be given as 0, its token listed all the same. And two of f64, beyond
//! which the lanes decide differently: two logits may have one probability there, as 0 and 1e-30 at any temperature or 1
//! and 2 at 1e20, and then the host goes by id, the device by logit; and a penalty is lost beside a logit above 1e16.
//!
//! A row never sees its batch. Sums are made in an order that neither the batch nor the width of a neighbour's support
//! changes, and the masses that are compared with p or with a random number are integers, whose sums have no order.

mod batch;
mod draw;
mod mass;
mod penalties;
mod ranking;
mod rows;
mod support;

pub use batch::{BatchedLaw, host_sparse_distribution, mlx_distribution_from_logits, sample_token_ids_from_mlx_logits};
pub use draw::row_keys;
pub use penalties::apply_penalties_mlx;
pub use ranking::deterministic_mlx_top_k_support;
pub use rows::Row;
