//! Runs the master tests of decode attention on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/attention.rs"]
mod cases;
