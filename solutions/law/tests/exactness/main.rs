//! The written law is the target's own: every path of the loop, added up, against the target decoding alone.
//!
//! Nothing is sampled. A procedure runs once for every way in which its coins and draws can fall, and probabilities of
//! equal results are added. `table` holds the models, `paths` the laws that are compared; `whole` enumerates
//! completions, `faults` shows what the same sums say of procedures that are wrong.

mod faults;
mod paths;
mod table;
mod whole;
