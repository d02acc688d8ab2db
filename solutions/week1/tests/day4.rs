//! Runs the master tests of Day 4 on the reference.
extern crate solution_week1 as week1;
#[path = "cases/day4.rs"]
mod cases;
