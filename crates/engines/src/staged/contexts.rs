//! Context-bounded search: executions in which the running thread changes at most N times up to a
//! violation.
//!
//! Idea (paper 004, appendix): each unit is in one context. Between contexts lie the units of a
//! pseudo-thread, the *boundaries*: boundary k comes before context k + 1. A literal for each unit
//! and boundary says that the unit comes after it, and gives the edge one way or the other; so the
//! order itself keeps the contexts apart, whichever back end decides it. Each of the N + 1 contexts
//! has an owner, a thread's number in binary, and a unit in a context owns it. What follows the
//! last boundary is free: an execution up to a violation can be continued somehow. We differ from
//! the paper: it counts the switches that data flow makes necessary, we count those of the
//! schedule. A thread that did anything, were it only to come to its end or to stand before a lock,
//! was scheduled. Units in which nothing happens do no harm: they can stand next to another one of
//! their thread.

use raddle_sat::Lit;
use raddle_summary::{Skeleton, ThreadIx};

use super::order::Order;
use crate::bounded::before::Unit;

/// The boundaries of a bounded search.
pub struct Contexts {
    /// The pseudo-thread.
    thread: ThreadIx,
    /// How many boundaries there are.
    count: u32,
}

impl Contexts {
    /// If the condition holds, the unit lies in one of the contexts: before the last boundary.
    pub fn reach(&self, order: &mut dyn Order, condition: Lit, unit: Unit) {
        order.guarded_edge(condition, unit, (self.thread, self.count - 1));
    }

    /// A literal that implies `goal` and that the unit lies in one of the contexts.
    pub fn within(&self, order: &mut dyn Order, goal: Lit, unit: Unit) -> Lit {
        let within = order.new_lit();
        order.clause(&[!within, goal]);
        self.reach(order, within, unit);
        within
    }
}

/// Encodes a bound on context switches. The pseudo-thread has `switches + 1` units.
pub fn encode(
    skeleton: &Skeleton,
    order: &mut dyn Order,
    thread: ThreadIx,
    switches: u32,
) -> Contexts {
    let contexts = Contexts { thread, count: switches + 1 };
    assert!(thread.index() >= skeleton.threads.len(), "boundaries are no thread's units");
    let bits = usize::BITS - skeleton.threads.len().leading_zeros();
    let owners: Vec<Vec<Lit>> =
        (0..contexts.count).map(|_| (0..bits).map(|_| order.new_lit()).collect()).collect();
    for (t, of) in skeleton.threads.iter().enumerate() {
        assert!(t < 1 << bits, "an owner has a number for each thread");
        let owned: Vec<Lit> = owners.iter().map(|owner| owned_by(order, owner, t)).collect();
        // Of the last unit: it comes after each of the boundaries.
        let mut earlier: Option<Vec<Lit>> = None;
        for index in 0..of.units {
            let after = place(order, &contexts, (ThreadIx(t as u32), index));
            let mut inside = order.tru();
            for (&after, &owned) in after.iter().zip(&owned) {
                order.clause(&[!inside, after, owned]);
                inside = after;
            }
            for (&before, &now) in earlier.iter().flatten().zip(&after) {
                order.clause(&[!before, now]);
            }
            earlier = Some(after);
        }
    }
    contexts
}

/// A literal that implies that this thread owns the context.
fn owned_by(order: &mut dyn Order, owner: &[Lit], thread: usize) -> Lit {
    let owned = order.new_lit();
    for (i, &bit) in owner.iter().enumerate() {
        order.clause(&[!owned, if thread >> i & 1 == 1 { bit } else { !bit }]);
    }
    owned
}

/// For each boundary a literal: the unit comes after it.
fn place(order: &mut dyn Order, contexts: &Contexts, unit: Unit) -> Vec<Lit> {
    let mut lits: Vec<Lit> = Vec::new();
    for k in 0..contexts.count {
        let (after, boundary) = (order.new_lit(), (contexts.thread, k));
        order.guarded_edge(after, boundary, unit);
        order.guarded_edge(!after, unit, boundary);
        if let Some(&earlier) = lits.last() {
            order.clause(&[!after, earlier]);
        }
        lits.push(after);
    }
    lits
}
