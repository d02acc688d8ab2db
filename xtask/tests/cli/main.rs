//! The command line as a learner meets it: the built program in scratch copies of the course, without network and without MLX.

mod answers;
mod engines;
mod extensions;
mod going_on;
mod learning;
mod output;
mod scratch;
mod testing;
mod update;
mod usage;
mod watching;
