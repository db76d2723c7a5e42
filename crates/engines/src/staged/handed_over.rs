//! Values that are handed over from one critical section to another.
//!
//! Idea: a place that is written once while others run, in a section of a mutex, and read in
//! a section of the same mutex by another thread holds what was written if the writer's section came
//! first, and else what was there at the start. Which of the two came first is one literal for
//! all such places, so the values that are read become terms over it, `ite(first, written, at the
//! start)`: equal values that were written together are equal terms when they are read, and
//! nothing is left for the solver. The order theory need not know of such a read at all.
//! Limits: before anything else is encoded, since a variable can be defined only as long as nothing
//! depends on it. Only reads of one known place with one write in question.

use super::compose::Composer;
use crate::bounded::cells::{Group, Piece};
use crate::bounded::initial;

/// Groups with more writes than this are not looked at.
const MOST_WRITES: usize = 4;

impl Composer<'_> {
    /// Defines the reads of a group that can be defined.
    pub(super) fn define_by_sections(&mut self, group: &Group) {
        if !self.pruning.mutexes || !self.pruning.locksets || group.writes.len() > MOST_WRITES {
            return;
        }
        let overwritten = self.overwritten(group);
        for read in &group.reads {
            let event = self.event(read);
            let plain = !event.atomic && !event.locks.is_empty() && !self.is_settled(read.event);
            if plain && self.terms.as_var(read.value).is_some() {
                self.define(group, read, &overwritten);
            }
        }
    }

    fn define(&mut self, group: &Group, read: &Piece, overwritten: &[Vec<u64>]) {
        let event = self.event(read);
        let (mut candidates, initial) = self.candidates(group, read);
        self.prune_sections(group, read, overwritten, &mut candidates);
        let ([candidate], [(_, Some(_))], true) = (&candidates[..], &event.targets[..], initial)
        else {
            return;
        };
        let write = &group.writes[candidate.write];
        let Some(first) = self.sections_in_order(write, read).first().copied() else { return };
        let contents = initial::contents(self.scene, self.terms, &mut self.initial, event, read);
        let [(_, at_start)] = contents[..] else { unreachable!("a known place has one value") };
        let guard = self.occurs_for(read, write);
        let hit = self.terms.and(guard, candidate.same);
        let overwritten = self.terms.and(first.term, hit);
        let value = self.terms.ite(overwritten, write.value, at_start);
        self.order.define(self.terms, read.value, value);
        self.defined.insert(read.event);
        self.sizes.reads_from += 2;
    }
}
