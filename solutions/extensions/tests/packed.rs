//! Runs the master tests of the products with packed weights on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/packed.rs"]
mod cases;
