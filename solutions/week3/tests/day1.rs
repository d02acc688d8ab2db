//! Runs the master tests of Day 1 on the reference.
extern crate solution_week3 as week3;
extern crate week1 as solution_week1;
extern crate week2 as solution_week2;
#[path = "cases/day1.rs"]
mod cases;
