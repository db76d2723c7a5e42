//! What tests of several crates need: random numbers that are the same everywhere, and a builder of programs.
//!
//! Its own crate, because the crates at the bottom use it in their tests, and `testgen` stands on all of them.

pub mod build;
pub mod random;

pub use random::Random;
