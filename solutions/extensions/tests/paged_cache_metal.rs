//! Runs the master tests of the Metal kernels on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/paged_cache_metal.rs"]
mod cases;
