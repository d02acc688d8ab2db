//! Runs the master tests of Day 1 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day1.rs"]
mod cases;
