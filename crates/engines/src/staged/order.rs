//! A formula with an order of units: what the encoding of the staged engine is written for.
//!
//! `compose.rs`, `races.rs`, `deadlocks.rs` and `contexts.rs` say what holds; two implementations
//! find out whether it can: `theory.rs` (the order theory inside CaDiCaL) and `clocks.rs` (the
//! paper's clocks, for SMT solvers). The order is that of [`raddle_order::OrderTheory`]: units of a
//! thread are a chain, some edges are fixed, some hold under a literal, and a read sees the last
//! write before it that hits its location.

use raddle_sat::Lit;

use crate::bounded::before::Unit;
use crate::bounded::formula::Formula;

/// A read in the order, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadIx(pub u32);

/// A write in the order, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteIx(pub u32);

/// A formula over literals that also order units. The order must be complete before the first
/// search; then only literals and clauses may be added.
pub trait Order: Formula {
    /// `a` comes before `b`.
    fn fixed_edge(&mut self, a: Unit, b: Unit);
    /// `a` comes before `b` if the condition holds.
    fn guarded_edge(&mut self, condition: Lit, a: Unit, b: Unit);
    /// A read at a position of its unit.
    fn read_at(&mut self, unit: Unit, position: u32) -> ReadIx;
    /// A write at a position of its unit.
    fn write_at(&mut self, unit: Unit, position: u32) -> WriteIx;
    /// The write may be seen by the read (then `reads_from` says that it is), or may hide other
    /// writes from it: `hits` says that it occurs and writes where the read reads. At most one call
    /// for each pair.
    fn may_read(&mut self, read: ReadIx, write: WriteIx, reads_from: Option<Lit>, hits: Lit);
    /// All units in an order that the model allows.
    fn order(&mut self) -> Vec<Unit>;
}
