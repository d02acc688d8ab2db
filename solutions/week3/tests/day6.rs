//! Runs the master tests of Day 6 on the reference.
extern crate solution_week3 as week3;
#[path = "cases/day6.rs"]
mod cases;
