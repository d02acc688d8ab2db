//! Runs the master tests of Day 4 on the reference.
extern crate solution_week2 as week2;
extern crate week1 as solution_week1;
#[path = "cases/day4.rs"]
mod cases;
