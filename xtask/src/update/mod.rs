//! Taking a new version of the course into a learner's folder: what is merged, how it is written, what changed.

pub mod answers;
pub mod apply;
pub mod contract;
pub mod git;
pub mod merge;
