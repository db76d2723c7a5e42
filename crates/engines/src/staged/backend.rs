//! What the encoding is written for: literals and clauses, terms, an order of units, and a search.
//!
//! `compose.rs`, `races.rs`, `deadlocks.rs` and `contexts.rs` say what holds; a back end finds out whether it can.
//! There are two: `builtin.rs` (CaDiCaL, bit-blasting and the order theory) and `smtlib.rs` (the paper's clocks in
//! SMT-LIB 2). The order is that of [`raddle_order::OrderTheory`]: units of a thread are a chain, some edges are
//! fixed, some hold under a literal, and a read sees the last write before it that hits its location.

pub use raddle_sat::{Answer, Lit};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::before::Unit;

/// A read in the order, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadIx(pub u32);

/// A write in the order, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteIx(pub u32);

/// Sizes and effort, for statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Effort {
    /// Boolean variables.
    pub variables: u64,
    /// Clauses, or assertions.
    pub clauses: u64,
    /// Conflicts met by the solver, if it tells.
    pub conflicts: u64,
}

/// A formula under construction and the solver that decides it. Everything but literals and clauses must be added
/// before the first search. All calls must pass the same pool of terms.
pub trait Backend {
    /// A literal of a new variable.
    fn new_lit(&mut self) -> Lit;
    /// One of these literals holds.
    fn clause(&mut self, lits: &[Lit]);
    /// The literal that is always true.
    fn tru(&self) -> Lit;
    /// The literal of a Boolean term.
    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit;
    /// If all premises hold, so does the Boolean `conclusion`.
    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId);

    /// `a` comes before `b`.
    fn fixed_edge(&mut self, a: Unit, b: Unit);
    /// `a` comes before `b` if the condition holds.
    fn guarded_edge(&mut self, condition: Lit, a: Unit, b: Unit);
    /// A read at a position of its unit.
    fn read_at(&mut self, unit: Unit, position: u32) -> ReadIx;
    /// A write at a position of its unit.
    fn write_at(&mut self, unit: Unit, position: u32) -> WriteIx;
    /// The write may be seen by the read (then `reads_from` says that it is), or may hide other writes from it:
    /// `hits` says that it occurs and writes where the read reads. At most one call for each pair.
    fn may_read(&mut self, read: ReadIx, write: WriteIx, reads_from: Option<Lit>, hits: Lit);

    /// Looks for a model in which this literal holds.
    fn solve(&mut self, assumption: Lit) -> Answer;
    /// Whether a literal holds in the model.
    fn value(&mut self, lit: Lit) -> bool;
    /// The variables of terms in the model, of which there are `count`; those that nothing depends on are missing.
    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128>;
    /// All units in an order that the model allows.
    fn order(&mut self) -> Vec<Unit>;

    /// Sizes and effort so far.
    fn effort(&self) -> Effort;
    /// Why [`Backend::solve`] was interrupted, if not by time.
    fn failure(&self) -> Option<&str>;
}

/// A literal that implies that one of these holds.
pub fn any_of(backend: &mut dyn Backend, lits: &[Lit]) -> Lit {
    if let [one] = lits {
        return *one;
    }
    let any = backend.new_lit();
    let mut clause = vec![!any];
    clause.extend_from_slice(lits);
    backend.clause(&clause);
    any
}
