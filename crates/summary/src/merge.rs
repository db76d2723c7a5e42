//! Paths that join: one state for both.
//!
//! Idea: the joined path is the common part of both and a disjunction of what came after
//! ([`Path::join`]); a value that differs becomes a choice on a condition that tells the paths
//! apart. Only cells that differ are looked at, and only objects that were written since the paths
//! parted.
//! Invariants: the paths are exclusive; what is certainly true afterwards (mutexes held) was so on
//! both.
//! Limits: paths in different atomic sections, or one of them in none, cannot go on together. They
//! are cut off there, and the sections have done nothing, as if they waited.

use std::rc::Rc;

use raddle_ir::{Place, Unmodelled};
use raddle_term::TermId;

use crate::holding;
use crate::memory::{Memory, Part, common_ranges};
use crate::path::Path;
use crate::purity::Entered;
use crate::skeleton::CutKind;
use crate::state::{State, common_joined, common_locks};
use crate::walk::Walk;

/// What a function gives back on some of its paths.
pub(crate) struct Returned {
    pub state: State,
    pub value: Option<TermId>,
}

/// Why the atomic sections of two paths cannot be one from here on: what a section does is one
/// unit, and what was recorded keeps the unit that it has.
fn unlike_sections(a: &State, b: &State) -> Option<Unmodelled> {
    if a.atomic != b.atomic {
        return Some(Unmodelled::HalfOpenSection);
    }
    (a.atomic > 0 && a.section != b.section).then_some(Unmodelled::ScatteredSection)
}

impl Walk<'_> {
    /// Joins two states of exclusive paths; the condition picks the first. `None` if they cannot
    /// go on together.
    pub fn merge(&mut self, mut a: State, mut b: State) -> Option<(State, TermId)> {
        debug_assert!(!a.is_dead(&self.terms) && !b.is_dead(&self.terms), "dead paths do not join");
        if let Some(what) = unlike_sections(&a, &b) {
            for state in [&a, &b] {
                self.cut(state, CutKind::Unsupported(what.clone()), Place::UNKNOWN);
            }
            return None;
        }
        if a.concurrent != b.concurrent {
            if a.concurrent {
                self.publish(&mut b);
            } else {
                self.publish(&mut a);
            }
        }
        let (path, pick) = Path::join(&mut self.terms, &a.path, &b.path);
        let memory = self.merge_memories(&a.memory, &b.memory, pick);
        let own = self.merge_memories(&a.own, &b.own, pick);
        let facts = self.merge_facts(&a.facts, &b.facts, pick);
        let merged = State {
            path,
            memory,
            own,
            facts,
            concurrent: a.concurrent,
            atomic: a.atomic,
            // Outside of sections it says nothing.
            section: a.section.max(b.section),
            locks: common_locks(&a.locks, &b.locks),
            holding: holding::joined(&a.holding, &b.holding),
            joined: common_joined(&a.joined, &b.joined),
            last: a.last.max(b.last),
            entered: self.merge_entered([a.entered, b.entered], pick),
        };
        debug_assert_eq!(self.terms.width(pick), 1, "a condition tells the paths apart");
        Some((merged, pick))
    }

    /// The mutex that was acquired last on one of two paths; `pick` tells which.
    fn merge_entered(&mut self, either: [Option<Entered>; 2], pick: TermId) -> Option<Entered> {
        let [a, b] = either;
        let mutex = a.or(b)?.mutex;
        let never = self.terms.fals();
        let [x, y] = either.map(|e| e.filter(|e| e.mutex == mutex).map_or(never, |e| e.when));
        Some(Entered { mutex, when: self.terms.ite(pick, x, y) })
    }

    /// One memory for two paths; the condition picks the first.
    fn merge_memories(&mut self, a: &Rc<Memory>, b: &Rc<Memory>, pick: TermId) -> Rc<Memory> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut merged = a.clone();
        for o in a.differences(b) {
            let (x, y) = (a.contents(o).cloned(), b.contents(o).cloned());
            for (offset, bytes) in common_ranges(x.as_deref(), y.as_deref()) {
                let part = Part { object: o, offset, bytes };
                let (of_a, of_b) = (self.value_in(a, part), self.value_in(b, part));
                let value = self.choose_value(pick, of_a, of_b);
                Rc::make_mut(&mut merged).store(&mut self.terms, part, value);
            }
        }
        merged
    }

    /// Joins what a function gives back on two exclusive paths, if there is something already.
    pub fn merge_returned(&mut self, before: Option<Returned>, now: Returned) -> Option<Returned> {
        let Some(before) = before else { return Some(now) };
        let (state, pick) = self.merge(before.state, now.state)?;
        let value = match (before.value, now.value) {
            (Some(a), Some(b)) => Some(self.choose_value(pick, a, b)),
            (a, b) => a.or(b),
        };
        Some(Returned { state, value })
    }
}
