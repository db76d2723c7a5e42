//! Acquisitions of mutexes after which their threads do nothing.
//!
//! Idea: a thread that waits on a condition variable acquires its mutex again, and then most often does
//! what it did before ([`crate::purity`]): it stops there. To acquire a mutex and stop is to stop before
//! it, since nobody gains from a mutex that is held for ever by a thread that waits for nothing:
//! neither violations nor races need it, and in a deadlock such a thread has no part. So these
//! acquisitions are left out of the skeleton, and with them all pairs of critical sections they would be in.
//! Whether a thread acquires a mutex is a variable; an acquisition leads on if that variable occurs in
//! anything else. From the last to the first, so that one that only leads to others that are
//! left out is left out, too.
//! Invariant: that the thread waits for the mutex stays recorded; it may do so for ever.

use raddle_term::{TermId, Terms};
use rustc_hash::FxHashSet;

use crate::skeleton::{Skeleton, WaitKind};

/// What a thread does to acquire a mutex with a shared word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acquisition {
    /// The variable that says whether it does.
    pub acquired: TermId,
    /// When it comes there.
    pub path: TermId,
    /// The first event of it, and of what comes after it.
    pub events: [usize; 2],
    /// The first waiting point of it, and of what comes after it.
    pub waits: [usize; 2],
    /// The first of the events that happen only if it acquires the mutex.
    pub first: usize,
}

/// Leaves out acquisitions that lead nowhere. They stand in the order in which they were recorded.
pub(crate) fn leave_out(skeleton: &mut Skeleton, terms: &Terms, all: &[Acquisition]) {
    if all.is_empty() {
        return;
    }
    let mut used = Used { terms, seen: vec![false; terms.len()], work: Vec::new() };
    used.skeleton(skeleton, all);
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    for acquisition in all.iter().rev() {
        let Acquisition { acquired, path, events: [_, end], first, .. } = *acquisition;
        debug_assert!(first <= end && end <= skeleton.events.len(), "its events are recorded");
        used.term(path);
        if used.seen[acquired.index()] {
            skeleton.events[first..end].iter().for_each(|e| used.term(e.guard));
        } else {
            dropped.extend(first..end);
        }
    }
    let mut place = 0..;
    skeleton.events.retain(|_| place.next().is_some_and(|i| !dropped.contains(&i)));
}

/// The terms that occur in what matters.
struct Used<'a> {
    terms: &'a Terms,
    seen: Vec<bool>,
    work: Vec<TermId>,
}

impl Used<'_> {
    fn term(&mut self, t: TermId) {
        self.work.push(t);
        while let Some(t) = self.work.pop() {
            if !std::mem::replace(&mut self.seen[t.index()], true) {
                self.work.extend_from_slice(self.terms.args(t));
            }
        }
    }

    /// All but acquisitions and the waits for them.
    fn skeleton(&mut self, skeleton: &Skeleton, all: &[Acquisition]) {
        let within = |ranges: &mut dyn Iterator<Item = [usize; 2]>| -> FxHashSet<usize> {
            ranges.flat_map(|[from, to]| from..to).collect()
        };
        let own_events = within(&mut all.iter().map(|a| a.events));
        let own_waits = within(&mut all.iter().map(|a| a.waits));
        for (i, e) in skeleton.events.iter().enumerate() {
            // Addresses and values of an acquisition are known before it.
            [e.address, e.value].into_iter().for_each(|t| self.term(t));
            if !own_events.contains(&i) {
                [e.guard, e.reached].into_iter().for_each(|t| self.term(t));
            }
        }
        for (i, wait) in skeleton.waits.iter().enumerate() {
            match wait.kind {
                WaitKind::Lock(t) | WaitKind::Join(t) => self.term(t),
                WaitKind::Condition | WaitKind::Loop => {}
            }
            if !own_waits.contains(&i) {
                [wait.guard, wait.stuck].into_iter().for_each(|t| self.term(t));
            }
        }
        for thread in &skeleton.threads {
            [thread.ended, thread.result].into_iter().for_each(|t| self.term(t));
            thread.choices.iter().for_each(|c| self.term(c.guard));
        }
        skeleton.marks.iter().for_each(|m| self.term(m.guard));
        for join in &skeleton.joins {
            [join.guard, join.target].into_iter().for_each(|t| self.term(t));
        }
        for v in &skeleton.violations {
            self.term(v.condition);
            v.leaks.iter().for_each(|l| self.term(l.1));
            v.access.iter().for_each(|a| self.term(a.0));
        }
        skeleton.cuts.iter().for_each(|c| self.term(c.condition));
        skeleton.images.iter().for_each(|i| self.term(i.guard));
        skeleton.assumptions.iter().for_each(|&t| self.term(t));
    }
}
