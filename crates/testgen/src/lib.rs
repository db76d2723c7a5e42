//! Random small programs on which all engines must give the same answer; for tests only.
//!
//! Reading order: [`generate`] (random programs of the program model, by kinds), [`c_text`] (random
//! programs in C), [`limits`] (how much is compared), [`compare`] (the referee against all engines),
//! [`jobs`] (the default engine with one job and with several), [`shrink`] (making a failing program small),
//! [`linear`] (formulas about infinite executions).
//!
//! **Invariant:** a program depends on its seed and options alone, so a seed is a complete bug
//! report.

pub mod c_text;
pub mod compare;
pub mod generate;
pub mod jobs;
pub mod limits;
pub mod linear;
pub mod shrink;
