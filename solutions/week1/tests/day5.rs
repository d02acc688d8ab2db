//! Runs the master tests of Day 5 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day5.rs"]
mod cases;
