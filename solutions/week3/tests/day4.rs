//! Runs the master tests of Day 4 on the reference.
extern crate solution_week3 as week3;
#[path = "cases/day4.rs"]
mod cases;
