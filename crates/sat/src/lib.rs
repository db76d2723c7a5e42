//! The SAT solver behind a safe interface.
