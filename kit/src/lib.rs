//! What the course gives to a learner: everything an inference engine needs that no chapter teaches.
//!
//! A week's crate takes from here the error type, the stub macro, checkpoints, the tokenizer and the command-line
//! front end, and gives back an [`Engine`]. Nothing here depends on a week.

// Named so that it is linked into every program: MLX then multiplies f32 matrices with it.
#[cfg(target_os = "linux")]
extern crate blas as _;

mod check;
mod checkpoint;
mod engine;
mod error;
pub mod front_end;
pub mod law;
pub mod mlx;
pub mod models;
pub mod serving;
mod stub;
pub mod testing;
mod tokenizer;

pub use check::{ANY, check_axes, check_broadcast, check_dtype, check_float, check_shape};
pub use checkpoint::{Checkpoint, Config, Experts, LinearWeights, Quantization, Weights};
pub use engine::{
    BatchEvent, BatchSettings, CausalLm, Ceiling, Detokenizer, Drafts, Engine, Generation, PageReport, Request,
    Sampling, SamplingLaw, StopReason,
};
pub use error::{Error, Result};
pub use mlx::{activation_dtype, bitwise_and, device, right_shift};
pub use tokenizer::{Message, Tokenizer};
