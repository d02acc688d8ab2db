//! Runs the master tests of attention over pages on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/paged_attention.rs"]
mod cases;
