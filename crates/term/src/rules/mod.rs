//! Simplification while building, one small function per rule.
//!
//! Each rule says `match → result` in its comment, matches on the arguments of the term to be built
//! and returns the simpler term. The rules of an operation stand in a table, in the order of trial.
//! Constants are folded before, and commutative arguments ordered: a constant is always the second
//! argument.
//!
//! Why it ends: a rule's result has fewer nodes, or the same nodes with constants merged or nearer
//! to the root (`Add`) or with narrower operations (`Concat`, `Extract`); and nesting is bounded
//! anyway, see `build.rs`.
//! Sources: the two-level rules follow Brummayer & Biere, "Local two-level and-inverter graph
//! minimization without blowup" (2006); the rest is common to bit-vector solvers.

pub(crate) mod arith;
pub(crate) mod boolean;
pub(crate) mod divide;
pub(crate) mod equality;
pub(crate) mod guards;
pub(crate) mod ite;
pub(crate) mod lift;
pub(crate) mod order;
pub(crate) mod shape;
pub(crate) mod shift;

use crate::node::TermId;

/// The result of the first rule that matches.
pub(crate) fn first<R: Copy>(
    rules: &[R],
    apply: impl FnMut(&R) -> Option<TermId>,
) -> Option<TermId> {
    rules.iter().find_map(apply)
}

/// Both orders of two arguments, for rules that look at one of them.
pub(crate) fn both_orders(a: TermId, b: TermId) -> [(TermId, TermId); 2] {
    [(a, b), (b, a)]
}
