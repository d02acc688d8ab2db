//! What a comparison with other engines needs besides the engines.
//!
//! The same weights for them: a [`kit::Checkpoint`] flows in, a GGUF file flows out. The format is described in the
//! documentation of ggml; [`read`] reads the part of it that [`gguf`] writes, so that a test can compare the two ends.
//!
//! And what has been measured, for the book: lines of the ledger flow in, tables flow out.

mod drafts;
mod engines;
pub mod figures;
pub mod gguf;
mod kernels;
pub mod ledger;
pub mod metadata;
pub mod packing;
pub mod read;
pub mod tables;
mod workload;
