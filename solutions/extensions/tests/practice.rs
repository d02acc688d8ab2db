//! Runs the master tests of the practice kernels on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/practice.rs"]
mod cases;
