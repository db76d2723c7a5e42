//! The theory of event orders: sequential consistency for a skeleton of events, as a propagator.
//!
//! A caller describes threads as chains of atomic units, the reads and writes inside them, and
//! which literals say that a read takes its value from a write ([`OrderTheory`]). [`solve`] then
//! finds an assignment for which all units can be put into one total order, and that order.
//!
//! Reading order: `skeleton.rs` (the input), `index.rs` (the input sorted for lookup), `clock.rs`
//! (who precedes whom), `graph.rs` (edges and their reasons), `closure.rs` (the rules),
//! `explain.rs` (conflict clauses), `exclude.rs` (propagation), `linearise.rs` and `repair.rs`
//! (total orders), `theory.rs` (the propagator), `solve.rs` (the loop around the SAT solver).
//! Nothing here knows C, terms or values.

#[cfg(test)]
mod call_sequences;
mod clock;
mod closure;
mod exclude;
mod explain;
mod graph;
mod index;
mod linearise;
mod repair;
mod skeleton;
mod solve;
mod theory;

pub use skeleton::{ReadId, UnitId, WriteId};
pub use solve::solve;
pub use theory::{OrderStatistics, OrderTheory, Propagation, Settings};
