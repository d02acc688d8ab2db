//! Runs the master tests of Day 7's window and loop on the reference.
extern crate solution_week3 as week3;
extern crate week1 as solution_week1;
#[path = "cases/day7_loop.rs"]
mod cases;
