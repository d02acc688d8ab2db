//! Runs the master tests of Day 7 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day7.rs"]
mod cases;
