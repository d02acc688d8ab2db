//! Runs the master tests of Day 5 on the reference.
extern crate solution_week2 as week2;
extern crate week1 as solution_week1;
#[path = "cases/day5.rs"]
mod cases;
