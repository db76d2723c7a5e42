//! Places that nobody else changes for a while: reads of them are values, not events.
//!
//! Idea: two threads disagree about a shared place only at the moments when one can see what
//! another did. (1) A place that only one thread writes while others run is like private memory to
//! that thread: it knows what it wrote last. (2) In a critical section of a mutex that all other
//! threads hold when they write a place, the section reads it once, and from then on knows what is
//! there, its own writes included. (3) What the first read of a section finds is what an earlier
//! section left: if that is one of a few constants, the value is a choice among them instead of an
//! unknown number, so that an index or a pointer read there has few targets.
//! All writes stay events, since others may read them; only reads are saved, and an event less
//! hides no race: whoever writes such a place in parallel holds the mutex, or there is nobody.
//!
//! What is needed for that is learned ([`crate::writers`], [`crate::values`]) from pass to pass:
//! in an execution, take the first access that breaks what was learned. Up to it the walk describes
//! the execution, so it has met that access, and the pass was not the last one.
//!
//! A remembered value stands for a look at the time of the first read, so for loops that wait it
//! counts as a look (`Walk::note_step`): a thread that remembers something over a wait might not
//! as well have come later.
//!
//! Invariants: a fact about a place holds while its mutex is held without interruption. A value
//! that a thread wrote there is added to what is left in that place before the thread releases any
//! mutex, and at the latest when the fact is dropped, unless the thread has overwritten it.
//! Limits: only plain accesses of known places. A write to one of several places drops the facts
//! about all of them. Where a mutex is not certainly held (after a `trylock`, by a symbolic address)
//! it protects nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_term::TermId;

use crate::access::Manner;
use crate::knowledge::{ObjectIx, ObjectKey, Range, Target, overlap};
use crate::memory::Part;
use crate::skeleton::Held;
use crate::state::State;
use crate::values;
use crate::walk::Walk;

/// What a thread knows of a place while it holds a mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    bytes: u32,
    value: TermId,
    /// Why nobody changes it.
    mutex: Held,
    /// Written by this thread, and not yet among what is left there.
    unpublished: bool,
}

/// Facts by place. They do not overlap.
pub(crate) type Facts = BTreeMap<(ObjectIx, u64), Fact>;

impl Walk<'_> {
    /// Whether facts are used for an access. Lives of objects have rules of their own
    /// (`lifetime.rs`), and what a step reads in an atomic section it reads where it waits.
    fn may_know(&self, state: &State, object: ObjectIx, how: Manner) -> bool {
        let grave = matches!(self.knowledge.object(object).key, ObjectKey::Grave(_));
        let plain = how.access.atomic.is_none() && !how.lock;
        plain && !grave && (state.atomic == 0 || self.lifetime_unit)
    }

    /// The value of a shared place, if the thread knows it without looking.
    pub fn known(&mut self, state: &State, part: Part, how: Manner) -> Option<TermId> {
        let Part { object, offset, bytes } = part;
        if !self.may_know(state, object, how) {
            return None;
        }
        if self.knowledge.is_own(object, (offset, bytes), self.thread.number) {
            let value = self.value_in(&state.own, part);
            return Some(state.path.resolve(&mut self.terms, value));
        }
        let fact = state.facts.get(&(object, offset)).filter(|fact| fact.bytes == bytes)?;
        let (value, held) = (fact.value, state.locks.contains(&fact.mutex));
        self.remembered |= held;
        held.then(|| state.path.resolve(&mut self.terms, value))
    }

    /// A value for a read of a shared place, as narrow as is known.
    pub fn value_to_read(&mut self, state: &State, part: Part, how: Manner) -> TermId {
        self.choice_of_left(state, part, how).unwrap_or_else(|| self.terms.fresh(part.bytes * 8))
    }

    /// One of the few values that threads leave in a place which a held mutex protects.
    fn choice_of_left(&mut self, state: &State, part: Part, how: Manner) -> Option<TermId> {
        let Part { object, offset, bytes } = part;
        if !self.may_know(state, object, how) {
            return None;
        }
        self.protecting(state, object, (offset, bytes))?;
        let mut left = self.knowledge.left(object, (offset, bytes))?.to_vec();
        let initial = self.initial(part);
        for value in values::of(&self.terms, initial) {
            left.push(value?);
        }
        left.sort_unstable();
        left.dedup();
        let mut all = left.into_iter().map(|value| self.terms.constant(value, bytes * 8));
        let first = all.next()?;
        let rest: Vec<TermId> = all.collect();
        Some(rest.into_iter().fold(first, |choice, value| {
            let picked = self.terms.fresh(1);
            self.terms.ite(picked, value, choice)
        }))
    }

    fn protecting(&self, state: &State, object: ObjectIx, range: Range) -> Option<Held> {
        self.knowledge.protecting(object, range, self.thread.number, &state.locks)
    }

    /// The thread has read a place.
    pub fn learn_read(&mut self, state: &mut State, part: Part, value: TermId, how: Manner) {
        if self.may_know(state, part.object, how)
            && let Some(mutex) = self.protecting(state, part.object, (part.offset, part.bytes))
        {
            let fact = Fact { bytes: part.bytes, value, mutex, unpublished: false };
            self.forget(state, &[(part.object, Some(part.offset))], part.bytes);
            Rc::make_mut(&mut state.facts).insert((part.object, part.offset), fact);
        }
    }

    /// The thread writes a place.
    pub fn learn_write(&mut self, state: &mut State, part: Part, value: TermId) {
        let Part { object, offset, bytes } = part;
        // What it wrote there before, and has not shown to anybody, is gone.
        if state.facts.get(&(object, offset)).is_some_and(|fact| fact.bytes == bytes) {
            Rc::make_mut(&mut state.facts).remove(&(object, offset));
        }
        self.forget(state, &[(object, Some(offset))], bytes);
        Rc::make_mut(&mut state.own).store(&mut self.terms, part, value);
        match self.protecting(state, object, (offset, bytes)) {
            Some(mutex) => {
                let fact = Fact { bytes, value, mutex, unpublished: true };
                Rc::make_mut(&mut state.facts).insert((object, offset), fact);
            }
            None => self.leave(object, (offset, bytes), value),
        }
    }

    /// The thread writes one of several places.
    pub fn learn_writes(&mut self, state: &mut State, targets: &[Target], bytes: u32) {
        self.forget(state, targets, bytes);
        for &(object, offset) in targets {
            if let Some(offset) = offset {
                self.knowledge.leave(object, (offset, bytes), &[None]);
            }
        }
    }

    /// A thread may find this value in a place.
    fn leave(&mut self, object: ObjectIx, range: Range, value: TermId) {
        let values = values::of(&self.terms, value);
        self.knowledge.leave(object, range, &values);
    }

    /// Others may find what a fact says, if the thread wrote it.
    fn publish_fact(&mut self, (object, offset): (ObjectIx, u64), fact: &Fact) {
        if fact.unpublished {
            self.leave(object, (offset, fact.bytes), fact.value);
        }
    }

    /// Drops the facts that a write may change.
    fn forget(&mut self, state: &mut State, targets: &[Target], bytes: u32) {
        let mut gone: Vec<(ObjectIx, u64)> = Vec::new();
        for &(object, offset) in targets {
            let facts = state.facts.range((object, 0)..=(object, u64::MAX));
            let meets = |at: u64, size: u32| {
                offset.is_none_or(|offset| overlap((at, size), (offset, bytes)))
            };
            gone.extend(facts.filter(|(at, fact)| meets(at.1, fact.bytes)).map(|(&at, _)| at));
        }
        for place in gone {
            if let Some(fact) = Rc::make_mut(&mut state.facts).remove(&place) {
                self.publish_fact(place, &fact);
            }
        }
    }

    /// The thread has released a mutex: others may see what it wrote.
    pub fn publish_facts(&mut self, state: &mut State) {
        if state.facts.is_empty() {
            return;
        }
        let mut facts = (*state.facts).clone();
        for (&place, fact) in &mut facts {
            self.publish_fact(place, fact);
            fact.unpublished = false;
        }
        facts.retain(|_, fact| state.locks.contains(&fact.mutex));
        state.facts = Rc::new(facts);
    }

    /// What is known on both of two paths; the condition picks the first.
    pub fn merge_facts(&mut self, a: &Rc<Facts>, b: &Rc<Facts>, pick: TermId) -> Rc<Facts> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut merged = Facts::new();
        for (&place, fact) in a.iter() {
            match b.get(&place).filter(|other| fact.agrees(other)) {
                Some(other) => {
                    let value = self.choose_value(pick, fact.value, other.value);
                    let unpublished = fact.unpublished || other.unpublished;
                    merged.insert(place, Fact { value, unpublished, ..*fact });
                }
                None => self.publish_fact(place, fact),
            }
        }
        for (&place, fact) in b.iter().filter(|(place, _)| !merged.contains_key(place)) {
            self.publish_fact(place, fact);
        }
        Rc::new(merged)
    }
}

impl Fact {
    /// Whether two facts about one place have the same reason.
    fn agrees(&self, other: &Fact) -> bool {
        (self.bytes, self.mutex) == (other.bytes, other.mutex)
    }
}
