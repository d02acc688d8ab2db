//! Runs the master tests of writing into pages on the reference.
extern crate solution_extensions as extensions;
#[path = "cases/paged_cache.rs"]
mod cases;
