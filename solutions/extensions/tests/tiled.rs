//! Runs the master tests of the tiled product on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/tiled.rs"]
mod cases;
