//! Runs the master tests of Day 7 on the reference.
extern crate solution_week3 as week3;
#[path = "cases/day7.rs"]
mod cases;
