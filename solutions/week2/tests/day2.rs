//! Runs the master tests of Day 2 on the reference.
extern crate solution_week2 as week2;
extern crate week1 as solution_week1;
#[path = "cases/day2.rs"]
mod cases;
