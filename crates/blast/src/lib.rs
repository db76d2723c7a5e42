//! From terms to clauses.
//!
//! Reading order: [`ClauseSink`] (`sink.rs`, where clauses go), `gates.rs` (single gates, shared),
//! [`Blaster`] (`blaster.rs`, terms to literals, by the circuits of `raddle_aig`) and `assert.rs`
//! (facts to clauses, without gates for their top).
//!
//! **Invariant:** every clause but the asserted ones defines gate outputs by gate inputs, so each
//! assignment of the variables of the terms extends to exactly one of all gates, and unit
//! propagation finds it.

mod assert;
mod blaster;
mod gates;
mod sink;

pub use blaster::Blaster;
pub use gates::{Circuit, Tables};
pub use sink::ClauseSink;
