//! Runs the master tests of products by expert on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/grouped.rs"]
mod cases;
