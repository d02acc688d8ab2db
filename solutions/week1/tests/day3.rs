//! Runs the master tests of Day 3 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day3.rs"]
mod cases;
