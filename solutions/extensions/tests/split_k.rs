//! Runs the master tests of the split product on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/split_k.rs"]
mod cases;
