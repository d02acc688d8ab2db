//! Runs the master tests of Day 2 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day2.rs"]
mod cases;
