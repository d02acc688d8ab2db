//! The kernels of week 2: packed weights, fused operators, attention of a few queries.
//!
//! Arrays are checked here, shapes, dtypes and ranges, and go to C symbols of this package (src/*.cpp), which build nodes
//! of MLX's lazy graph. A view of any layout may come in: on the CPU a view whose elements do not lie in a row is copied
//! first, except keys and values, which are read where a cache keeps them.

mod attention;
mod fused;
mod quantized;

pub use attention::{Mask, decode_attention};
pub use fused::{rms_norm, rope, swiglu};
pub use quantized::{Path, quantized_embedding, quantized_matmul};
