//! Runs the master tests of task 1.7.5, the temper-first law, on the reference.
extern crate solution_week1 as week1;
#[path = "cases/law.rs"]
mod cases;
