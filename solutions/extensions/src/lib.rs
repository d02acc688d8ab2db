//! C++ and Metal kernels, and the safe Rust functions over them.
//!
//! Arrays flow in and are checked here: shapes, dtypes, ranges. A C symbol of this package (`src/*.cpp`) turns them into
//! a node of MLX's lazy graph, and the array of that node flows out. MLX runs the node's C++ on the CPU or its Metal
//! kernel (`kernels/*.metal`) on the GPU when somebody asks for the values.
//!
//! [`axpby`] is ready and shows every part. [`exp`], [`sin`] and [`cos`] are practice (task 1.7.6, optional). The
//! kernels of [`week2`] and [`week3`] have their loops in `src/loops`, compiled once for every set of instructions;
//! [`tuning`] picks one, the threads and the step of a kernel's ladder. [`metal`] runs the Metal kernels on a machine
//! without a GPU.

mod axpby;
mod border;
pub mod metal;
pub mod tuning;
mod unary;
pub mod week2;
pub mod week3;

pub use axpby::axpby;
pub use border::package;
pub use unary::{cos, exp, sin};
