//! Judging the tests: one copy of a learner's package holds every body of every region, and an environment variable
//! picks one body a region at run time. One compilation, then one short process for each wrong answer.
//!
//! `wrong_answers` reads them, `switch` writes sources that hold all bodies, `package` puts them under `target/grade`
//! and compiles them in a workspace of their own (`copied_manifest`), `process` runs the tests with a choice of bodies,
//! `judge` decides with which, `verdicts` counts.

pub mod copied_manifest;
pub mod judge;
pub mod package;
pub mod process;
pub mod switch;
pub mod verdicts;
pub mod wrong_answers;
