//! A fast `cblas_sgemm` for MLX on Linux, whose wheel brings the slow reference BLAS.
//!
//! libmlx imports `cblas_sgemm` by name, and the dynamic linker takes the first library that exports it, which is the
//! program itself. So a program that holds this crate (`extern crate blas as _;` names it, so that it is linked)
//! multiplies f32 matrices with the gemm crate. The wheel's own serve the rest: f64, complex numbers and LAPACK.
//!
//! macOS has Apple's Accelerate and needs none of this: there the crate is empty.

#[cfg(target_os = "linux")]
mod sgemm;

#[cfg(target_os = "linux")]
pub use sgemm::{calls, cblas_sgemm};
