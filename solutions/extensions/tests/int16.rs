//! Runs the master tests of the product in 16-bit integers on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/int16.rs"]
mod cases;
