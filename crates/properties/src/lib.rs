//! Passes that insert checks into a program.
