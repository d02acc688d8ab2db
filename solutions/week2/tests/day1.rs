//! Runs the master tests of Day 1 on the reference.
extern crate solution_week2 as week2;
extern crate week1 as solution_week1;
#[path = "cases/day1.rs"]
mod cases;
