//! Paths that join: one state for both.
//!
//! Idea: the joined path is the common part of both and a disjunction of what came after
//! ([`Path::join`]); a value that differs becomes a choice on a condition that tells the paths
//! apart. Only cells that differ are looked at, and only objects that were written since the paths
//! parted.
//! Invariants: the paths are exclusive; what is certainly true afterwards (mutexes held) was so on
//! both.

use std::rc::Rc;

use raddle_ir::{Place, Unmodelled};
use raddle_term::TermId;

use crate::holding;
use crate::memory::{Memory, Part, common_ranges};
use crate::path::Path;
use crate::skeleton::CutKind;
use crate::state::{State, common_joined, common_locks};
use crate::walk::Walk;

/// What a function gives back on some of its paths.
pub(crate) struct Returned {
    pub state: State,
    pub value: Option<TermId>,
}

impl Walk<'_> {
    /// Joins two states of exclusive paths; the condition picks the first.
    pub fn merge(&mut self, mut a: State, mut b: State) -> (State, TermId) {
        debug_assert!(!a.is_dead(&self.terms) && !b.is_dead(&self.terms), "dead paths do not join");
        if a.concurrent != b.concurrent {
            if a.concurrent {
                self.publish(&mut b);
            } else {
                self.publish(&mut a);
            }
        }
        let (path, pick) = Path::join(&mut self.terms, &a.path, &b.path);
        if a.atomic != b.atomic {
            let kind = CutKind::Unsupported(Unmodelled::HalfOpenSection);
            let condition = path.term(&self.terms);
            self.recorder.cut(condition, kind, Place::UNKNOWN);
        }
        let memory = self.merge_memory(&a, &b, pick);
        let merged = State {
            path,
            memory,
            concurrent: a.concurrent,
            atomic: a.atomic.max(b.atomic),
            section: a.section.max(b.section),
            locks: common_locks(&a.locks, &b.locks),
            holding: holding::joined(&a.holding, &b.holding),
            joined: common_joined(&a.joined, &b.joined),
        };
        debug_assert_eq!(self.terms.width(pick), 1, "a condition tells the paths apart");
        (merged, pick)
    }

    fn merge_memory(&mut self, a: &State, b: &State, pick: TermId) -> Rc<Memory> {
        if Rc::ptr_eq(&a.memory, &b.memory) {
            return a.memory.clone();
        }
        let differences = a.memory.differences(&b.memory);
        let mut merged = a.memory.clone();
        for o in differences {
            let (x, y) = (a.memory.contents(o).cloned(), b.memory.contents(o).cloned());
            for (offset, bytes) in common_ranges(x.as_deref(), y.as_deref()) {
                let part = Part { object: o, offset, bytes };
                let (of_a, of_b) = (self.load_private(a, part), self.load_private(b, part));
                let value = self.choose_value(pick, of_a, of_b);
                Rc::make_mut(&mut merged).store(&mut self.terms, part, value);
            }
        }
        merged
    }

    /// Joins what a function gives back on two exclusive paths, if there is something already.
    pub fn merge_returned(&mut self, before: Option<Returned>, now: Returned) -> Returned {
        let Some(before) = before else { return now };
        let (state, pick) = self.merge(before.state, now.state);
        let value = match (before.value, now.value) {
            (Some(a), Some(b)) => Some(self.choose_value(pick, a, b)),
            (a, b) => a.or(b),
        };
        Returned { state, value }
    }
}
