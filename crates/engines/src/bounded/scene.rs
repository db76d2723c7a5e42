//! What is composed: a program within a bound, what is known of its memory, and what its threads
//! do.
//!
//! All of it is fixed once the threads are summarised. What a composition adds is its own: terms in
//! the pool beside the skeleton, and what memory holds at the start
//! ([`super::initial::InitialMemory`]).

use raddle_ir::Program;
use raddle_summary::{Knowledge, Skeleton, ThreadIx};
use raddle_term::{TermId, Terms};

/// A summarised program.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its objects.
    pub knowledge: &'a Knowledge,
    /// Its threads.
    pub skeleton: &'a Skeleton,
}

impl Scene<'_> {
    /// The threads that a number may mean to a thread that joins it, each with the condition that
    /// it is meant and has ended. Nobody can join itself.
    pub fn joined(
        self,
        terms: &mut Terms,
        by: ThreadIx,
        number: TermId,
    ) -> Vec<(ThreadIx, TermId)> {
        debug_assert_eq!(terms.width(number), self.program.pointer_bits, "as wide as a pointer");
        let mut all = Vec::new();
        for (child, thread) in (0..).map(ThreadIx).zip(&self.skeleton.threads) {
            let own = terms.constant(u128::from(thread.number), self.program.pointer_bits);
            let meant = terms.eq(number, own);
            let ended = terms.and(meant, thread.ended);
            if child != by && !terms.is_false(ended) {
                all.push((child, ended));
            }
        }
        all
    }
}
