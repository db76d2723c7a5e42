//! Hash-consed Booleans and bit-vectors.
//!
//! There is one sort: bit-vectors of 1 to 128 bits; a Boolean is a vector of width 1. Reading
//! order: `node.rs` (what a term is), `pool.rs` (how terms are stored and shared), `build.rs` and
//! `overflow.rs` (the constructors), `float/` (IEEE arithmetic over them), `rules/` (what the
//! constructors simplify), `semantics.rs` and `evaluate.rs` (what a term means), `substitute.rs`,
//! `print.rs`.
//!
//! **Invariant:** every term is a pure function of its variables, the ids of arguments are smaller
//! than the id of the term that uses them, and no walk over terms recurses on their depth.

mod build;
mod evaluate;
mod float;
mod node;
mod overflow;
mod pool;
mod print;
mod rules;
mod semantics;
mod substitute;

pub use evaluate::{Evaluator, evaluate};
pub use float::{Format, Relations};
pub use node::{MAX_WIDTH, Node, Op, TermId, VarId};
pub use pool::Terms;
pub use semantics::{mask, to_signed};
