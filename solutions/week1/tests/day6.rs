//! Runs the master tests of Day 6 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day6.rs"]
mod cases;
