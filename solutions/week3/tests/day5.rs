//! Runs the master tests of Day 5 on the reference.
extern crate solution_week3 as week3;
#[path = "cases/day5.rs"]
mod cases;
