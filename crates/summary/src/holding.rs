//! Whether the running thread holds a mutex, answered without a read where that is certain.
//!
//! Idea: the word of a mutex is the number of its holder, and nobody writes the number of another
//! thread there. So whether it is the own number depends on what the thread itself has done: along
//! each path we keep the mutexes that it certainly holds and those that it may hold, by the terms
//! of their addresses. Library models ask with a load that is marked so
//! ([`raddle_ir::Access::holder`]), and most questions are answered here; only the rest become
//! reads of a word that every thread writes. Misuse is looked for up to the first one, so before it
//! nobody has released a mutex of others.
//! Invariants: what is certain is possible; on a path that joins two others, what is certain was
//! so on both, and what was possible on one still is.
//! Limits: ordinary stores to the word (a mutex that is initialised while threads run), releases by
//! others than the holder are learned ([`Knowledge`]), and words may hold anything at the start:
//! such a mutex is read.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::address::Destination;
use crate::knowledge::{Knowledge, ObjectIx, Target, overlap};
use crate::memory::Part;
use crate::skeleton::{EventKind, Skeleton};
use crate::state::State;
use crate::walk::Walk;

/// The bytes of a mutex's word.
pub(crate) const WORD: u32 = 4;
/// The words of objects that are larger than this are not looked at one by one.
const MOST_WORDS: u64 = 16_384;

/// What a thread holds on a path, by addresses.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    certain: Vec<TermId>,
    possible: Vec<TermId>,
}

impl Holding {
    /// A mutex is acquired.
    pub fn acquire(&mut self, mutex: TermId) {
        insert(&mut self.certain, mutex);
        insert(&mut self.possible, mutex);
    }

    /// A mutex is acquired, or not.
    pub fn may_acquire(&mut self, mutex: TermId) {
        insert(&mut self.possible, mutex);
    }

    /// A mutex is released. `others` says which ones may be the same by another name.
    pub fn release(&mut self, mutex: TermId, mut others: impl FnMut(TermId) -> bool) {
        self.certain.retain(|&held| held != mutex && !others(held));
        self.possible.retain(|&held| held != mutex);
    }

    /// Whether a mutex is certainly held.
    pub fn is_certain(&self, mutex: TermId) -> bool {
        debug_assert!(
            self.certain.iter().all(|m| self.possible.contains(m)),
            "certain, so possible"
        );
        self.certain.contains(&mutex)
    }
}

fn insert(all: &mut Vec<TermId>, mutex: TermId) {
    if !all.contains(&mutex) {
        all.push(mutex);
    }
}

/// What is held on a path that joins two others.
pub(crate) fn joined(a: &Rc<Holding>, b: &Rc<Holding>) -> Rc<Holding> {
    if a == b {
        return a.clone();
    }
    let certain = a.certain.iter().filter(|m| b.certain.contains(m)).copied().collect();
    let mut possible = a.possible.clone();
    b.possible.iter().for_each(|&m| insert(&mut possible, m));
    Rc::new(Holding { certain, possible })
}

impl Walk<'_> {
    /// The thread acquires a mutex on this path.
    pub fn hold(&mut self, state: &mut State, mutex: TermId) {
        Rc::make_mut(&mut state.holding).acquire(mutex);
        if let Some(k) = self.terms.as_const(mutex) {
            state.acquire(k as u64);
        }
    }

    /// Forgets a mutex that is released; notes whether the thread is certain to hold it.
    pub fn release(&mut self, state: &mut State, mutex: TermId) {
        let certain = state.holding.is_certain(mutex);
        let mut holding = (*state.holding).clone();
        holding.release(mutex, |held| self.may_be_same(held, mutex));
        state.holding = Rc::new(holding);
        match self.terms.as_const(mutex).map(|k| k as u64) {
            Some(k) => {
                let held = state.release(k);
                debug_assert!(held || !certain, "what is certain is among the held mutexes");
                if !held {
                    self.recorder.break_lock(Some(k));
                }
            }
            None => {
                if !certain {
                    self.recorder.break_lock(None);
                }
                let width = self.program.pointer_bits;
                Rc::make_mut(&mut state.locks).retain(|l| {
                    let known = self.terms.constant(u128::from(l.address), width);
                    !self.may_be_same(known, mutex)
                });
            }
        }
        self.publish_facts(state);
    }

    /// An ordinary store: a mutex whose word it may change is not certainly held any more.
    pub fn forget_overwritten(&mut self, state: &mut State, address: TermId, bytes: u32) {
        let held = state.holding.certain.clone();
        let lost = held.into_iter().filter(|&mutex| self.may_meet(mutex, address, bytes));
        let lost: Vec<TermId> = lost.collect();
        if !lost.is_empty() {
            Rc::make_mut(&mut state.holding).certain.retain(|mutex| !lost.contains(mutex));
        }
    }

    /// Whether two addresses of mutexes may be equal.
    fn may_be_same(&mut self, a: TermId, b: TermId) -> bool {
        self.may_meet(a, b, WORD)
    }

    /// Whether the word of a mutex may have bytes in common with an access.
    fn may_meet(&mut self, mutex: TermId, address: TermId, bytes: u32) -> bool {
        if mutex == address {
            return true;
        }
        if let [Some(a), Some(b)] = [mutex, address].map(|t| self.terms.as_const(t)) {
            return overlap((a as u64, WORD), (b as u64, bytes));
        }
        let (of_a, of_b) = (self.targets(mutex), self.targets(address));
        let meets = |a: &Target| of_b.iter().any(|&b| meets_word(*a, b, bytes));
        of_a.is_empty() || of_b.is_empty() || of_a.iter().any(meets)
    }

    /// Whether the running thread holds the mutex with this word, if that is certain.
    pub fn is_holder(&mut self, state: &State, word: TermId) -> Option<bool> {
        let targets = match self.destination(word, WORD) {
            Destination::One(o, offset) => vec![(o, Some(offset))],
            Destination::Many(targets) => targets,
            Destination::Nowhere | Destination::Unknown => return None,
        };
        // What only this thread sees is a plain value.
        let mut events = targets.iter().map(|t| self.is_event(state, t.0));
        if !events.all(|is_event| is_event) {
            return None;
        }
        targets.iter().for_each(|&word| self.knowledge.ask_for_holder(word));
        let number = self.thread.number;
        if state.holding.is_certain(word) {
            let own = targets.iter().all(|&t| self.knowledge.keeps_holder(t));
            return own.then_some(true);
        }
        let held = state.holding.clone();
        if held.possible.iter().any(|&m| self.may_be_same(m, word)) {
            return None;
        }
        let never = targets.iter().all(|&(o, offset)| {
            self.knowledge.is_free_of_numbers(o) && !self.begins_with(o, offset, number)
        });
        never.then_some(false)
    }

    /// Whether a word of an object (`None`: any) may be this number at the start.
    fn begins_with(&mut self, o: ObjectIx, offset: Option<u64>, number: u32) -> bool {
        let size = self.knowledge.object(o).size;
        let places = match offset {
            Some(offset) => vec![offset],
            None if size > MOST_WORDS => return true,
            None => (0..=size.saturating_sub(u64::from(WORD))).step_by(WORD as usize).collect(),
        };
        places.into_iter().any(|offset| {
            let initial = self.initial(Part { object: o, offset, bytes: WORD });
            self.terms.as_const(initial).is_none_or(|k| k == u128::from(number))
        })
    }
}

/// Whether a word may have bytes in common with an access of so many.
fn meets_word((o, word): Target, (other, at): Target, bytes: u32) -> bool {
    o == other && word.zip(at).is_none_or(|(word, at)| overlap((word, WORD), (at, bytes)))
}

/// Learns which mutexes' words are changed by others than their holders.
pub(crate) fn learn(skeleton: &Skeleton, terms: &raddle_term::Terms, knowledge: &mut Knowledge) {
    for &address in &skeleton.broken_locks {
        knowledge.break_lock(address);
    }
    let locked = skeleton.events.iter().filter(|e| e.lock).flat_map(|e| e.targets.iter().copied());
    let mut words: FxHashMap<ObjectIx, BTreeSet<Target>> = FxHashMap::default();
    for word in locked.chain(knowledge.asked_words()) {
        words.entry(word.0).or_default().insert(word);
    }
    let stores = skeleton.events.iter().filter(|e| !e.lock && e.kind == EventKind::Write);
    for event in stores {
        for &target in &event.targets {
            let mut near = words.get(&target.0).into_iter().flatten();
            if near.any(|&word| meets_word(word, target, event.bytes)) {
                knowledge.overwrite_word(target.0, terms.as_const(event.value) == Some(0));
            }
        }
    }
}
