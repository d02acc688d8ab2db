//! The same weights for other engines: a [`kit::Checkpoint`] flows in, a GGUF file flows out.
//!
//! The format is described in the documentation of ggml; [`read`] reads the part of it that [`gguf`] writes, so that
//! a test can compare the two ends.

pub mod gguf;
pub mod metadata;
pub mod packing;
pub mod read;
