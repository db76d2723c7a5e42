//! The SAT solver behind a safe interface.
//!
//! Reading order: [`Lit`] and [`Var`] (`lit.rs`), [`Solver`] (`solver.rs`), then [`Theory`] and the
//! adapter that lets CaDiCaL call it (`propagator.rs`). Nothing here knows terms or threads.

mod lit;
mod propagator;
mod solver;

pub use lit::{Lit, Var};
pub use propagator::{ModelCheck, Theory};
pub use solver::{Answer, Solver, Statistics, StopFlag};
