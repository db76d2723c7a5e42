//! May happen in parallel: whether two threads can be about to execute two instructions at the same
//! time.
//!
//! Idea: they can unless (1) no two different threads run the functions they stand in, (2) main
//! runs one of them, only before it created (an ancestor of) the thread that runs the other, or (3)
//! both hold a mutex in common.
//! Source: the filters of Naik, Aiken & Whaley, PLDI 2006, without their order.
//! Limits: joins are not looked at, as thread numbers live in memory; the summaries of bounded
//! programs know them exactly.

use raddle_ir::InstrRef;

use crate::locks::Locks;
use crate::threads::{ClassId, Multiplicity, Threads};

/// Answers the question; no state of its own.
#[derive(Clone, Copy, Debug)]
pub struct Mhp<'a> {
    threads: &'a Threads,
    locks: &'a Locks,
}

impl<'a> Mhp<'a> {
    /// Combines the analyses.
    pub fn new(threads: &'a Threads, locks: &'a Locks) -> Mhp<'a> {
        Mhp { threads, locks }
    }

    /// Whether two different threads may be about to execute these at the same time.
    pub fn parallel(&self, a: InstrRef, b: InstrRef) -> bool {
        !self.locks.exclude(a, b)
            && self.threads.running(a.func).any(|ca| {
                self.threads.running(b.func).any(|cb| self.classes_parallel((a, ca), (b, cb)))
            })
    }

    /// The same for threads of given classes, locks left aside.
    pub fn classes_parallel(&self, a: (InstrRef, ClassId), b: (InstrRef, ClassId)) -> bool {
        let before = |x: (InstrRef, ClassId), y: (InstrRef, ClassId)| {
            x.1 == ClassId::MAIN && y.1 != x.1 && self.threads.before_creation_of(x.0, y.1)
        };
        let two = a.1 != b.1 || self.threads.class(a.1).multiplicity == Multiplicity::Many;
        two && !before(a, b) && !before(b, a)
    }
}
