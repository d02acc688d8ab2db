//! Runs the master tests of Day 2 on the reference.
extern crate solution_week3 as week3;
extern crate week1 as solution_week1;
extern crate week2 as solution_week2;
#[path = "cases/day2.rs"]
mod cases;
