//! Runs the master tests of the Metal kernels on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/pages_metal.rs"]
mod cases;
