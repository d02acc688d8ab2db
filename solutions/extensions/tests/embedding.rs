//! Runs the master tests of the packed lookup on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/embedding.rs"]
mod cases;
