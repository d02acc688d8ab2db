//! Runs the master tests of the flash path on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/flash_attention.rs"]
mod cases;
