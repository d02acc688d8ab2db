//! Runs the master tests of the Metal kernels on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/flash_attention_metal.rs"]
mod cases;
