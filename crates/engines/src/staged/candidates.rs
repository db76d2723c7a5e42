//! Which writes a read may see.
//!
//! Idea: most pairs of a read and a write are ruled out before anything is encoded (paper 004 §6).
//! Each way can be switched off: `mhp` drops pairs that happen in the wrong order in every
//! execution, `kill` drops writes that are always overwritten before the read, `value` drops pairs
//! whose values never agree, `locksets` what critical sections rule out ([`sections`]).

use raddle_summary::ThreadIx;
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::compose::Composer;
use crate::bounded::cells::{Group, Piece};
use crate::bounded::{places, sections};

/// A write that a read may see or that may come in between.
pub(super) struct Candidate {
    /// Index into the group's writes.
    pub write: usize,
    /// Same location.
    pub same: TermId,
    /// May be seen, not only come in between.
    pub visible: bool,
    /// Certainly before the read.
    pub before: bool,
}

impl Composer<'_> {
    /// The writes that matter for a read, and whether it may see the initial value.
    pub(super) fn candidates(&mut self, group: &Group, read: &Piece) -> (Vec<Candidate>, bool) {
        let read_guard = self.event(read).guard;
        let mut found = Vec::new();
        for (i, write) in group.writes.iter().enumerate() {
            let same = places::same(self.terms, read, write);
            let guard = self.occurs_for(read, write);
            // A write after the read in every execution neither is seen nor comes in between.
            let after = if self.pruning.mhp {
                self.precedes(read, write)
            } else {
                self.place(read).0 == self.place(write).0 && self.precedes(read, write)
            };
            if self.terms.is_false(same)
                || after
                || self.facts.implication.excludes(self.terms, read_guard, guard)
            {
                continue;
            }
            let agree = self.terms.eq(read.value, write.value);
            let visible = !(self.pruning.value && self.terms.is_false(agree));
            let before = self.precedes(write, read);
            debug_assert!(!(before && self.precedes(read, write)), "nothing is before itself");
            debug_assert_eq!(read.bytes, write.bytes, "pieces meet wholly or not at all");
            found.push(Candidate { write: i, same, visible, before });
        }
        if !self.pruning.kill {
            return (found, true);
        }
        let killers = self.killers(group, read, &found);
        let initial = killers.is_empty();
        found.retain(|c| {
            !killers
                .iter()
                .any(|&k| k != c.write && self.precedes(&group.writes[c.write], &group.writes[k]))
        });
        debug_assert!(initial || !found.is_empty(), "the last of those that overwrite is left");
        (found, initial)
    }

    /// Whether a write certainly happens before the read and at its place, if the read happens.
    fn is_certain(&mut self, group: &Group, read: &Piece, c: &Candidate) -> bool {
        let (guard, occurs) =
            (self.event(read).guard, self.occurs_for(read, &group.writes[c.write]));
        c.before
            && self.terms.is_true(c.same)
            && self.facts.implication.holds(self.terms, guard, occurs)
    }

    /// The last certain write of each thread.
    fn killers(&mut self, group: &Group, read: &Piece, found: &[Candidate]) -> Vec<usize> {
        let mut last: FxHashMap<ThreadIx, usize> = FxHashMap::default();
        for c in found {
            if self.is_certain(group, read, c) {
                // Writes stand in program order, so a later one replaces an earlier one.
                last.insert(self.event(&group.writes[c.write]).thread, c.write);
            }
        }
        last.into_values().collect()
    }

    /// For each write the mutexes in whose section it is certainly overwritten.
    pub(super) fn overwritten(&mut self, group: &Group) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new(); group.writes.len()];
        if !self.pruning.locksets {
            return all;
        }
        for (i, pair) in group.writes.windows(2).enumerate() {
            let (a, b) = (self.event(&pair[0]), self.event(&pair[1]));
            let (guard, later) = (a.guard, b.guard);
            if a.thread == b.thread
                && pair[0].address == pair[1].address
                && self.facts.implication.holds(self.terms, guard, later)
            {
                all[i] = self.facts.sections.common(a, b);
            }
        }
        all
    }

    /// Leaves out the writes of other threads that the critical section of a read, or their own,
    /// rules out.
    pub(super) fn prune_sections(
        &mut self,
        group: &Group,
        read: &Piece,
        overwritten: &[Vec<u64>],
        candidates: &mut Vec<Candidate>,
    ) {
        let thread = self.event(read).thread;
        let own = candidates.iter().rev().find(|c| {
            self.event(&group.writes[c.write]).thread == thread && self.is_certain(group, read, c)
        });
        let here = self.event(read);
        let mutexes = own.map_or_else(Vec::new, |c| {
            self.facts.sections.common(here, self.event(&group.writes[c.write]))
        });
        candidates.retain(|c| {
            let write = self.event(&group.writes[c.write]);
            write.thread == thread
                || !(sections::under(write, &mutexes)
                    || sections::under(here, &overwritten[c.write]))
        });
    }

    /// A read whose section has read the same place before, with no write in between, finds the
    /// same value.
    pub(super) fn read_again(
        &mut self,
        group: &Group,
        earlier: &Piece,
        read: &Piece,
        candidates: &[Candidate],
    ) -> bool {
        let (a, b) = (self.event(earlier), self.event(read));
        if earlier.address != read.address || a.atomic || b.atomic {
            return false;
        }
        debug_assert!(self.precedes(earlier, read), "reads of a thread stand in program order");
        let mutexes = self.facts.sections.common(a, b);
        let (thread, guard, other) = (b.thread, b.guard, a.guard);
        let kept = !mutexes.is_empty()
            && candidates.iter().all(|c| {
                let write = &group.writes[c.write];
                let event = self.event(write);
                self.precedes(write, earlier)
                    || (event.thread != thread && sections::under(event, &mutexes))
            })
            && self.facts.implication.holds(self.terms, guard, other);
        if kept {
            let occurs = self.lit(guard);
            let same = self.terms.eq(earlier.value, read.value);
            self.order.assert_implies(self.terms, &[occurs], same);
        }
        kept
    }
}
