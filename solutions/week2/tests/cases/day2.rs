//! Day 2.
