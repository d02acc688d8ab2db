//! Runs the master tests of the fused operators on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/fused.rs"]
mod cases;
