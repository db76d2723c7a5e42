//! Mutexes: a word that is 0 when free, else the number of the thread that holds it.
//!
//! Idea: locking is a read of 0 and a write of the own number in one unit. Where the word is
//! shared, that it was 0 is not read but demanded: the thread goes on by a free choice, and then
//! the read has the constant value 0, so mutexes cost no value bits. Which mutexes a thread
//! certainly holds is kept along each path (`holding.rs`), for pruning too; releasing one that is
//! not certainly held makes it useless for that ([`crate::Skeleton::broken_locks`]).

use raddle_ir::{Access, InstrRef, Operand, Order, RegId};
use raddle_term::TermId;

use crate::access::Manner;
use crate::atomics::Exchange;
use crate::dead_ends::Acquisition;
use crate::knowledge::Target;
use crate::purity::{Effect, Entered, Waiting};
use crate::skeleton::Trail;
use crate::state::State;
use crate::step::Here;
use crate::walk::Walk;

/// The width of the word.
const WORD: u32 = 32;

impl Walk<'_> {
    /// Executes a lock; `wait`: after waiting on a condition variable.
    pub fn lock(&mut self, here: &mut Here, mutex: Operand, wait: bool) -> bool {
        let (at, how) = (here.at, lock_word(here.at));
        let mutex = self.operand(mutex, here.regs);
        let Some(mutex) = self.settle(here.state, mutex, WORD / 8, at) else { return false };
        let own = self.terms.constant(u128::from(self.thread.number), WORD);
        let free = self.terms.constant(0, WORD);
        let place = self.shared_place(here.state, mutex, WORD / 8);
        let taken = self.atomically(here.state, |walk, state| match place {
            Some(place) => walk.acquire(state, place, mutex, at),
            None => {
                // Looking at the word of a mutex that is held is no step.
                let look = Manner { trail: Trail::None, ..how };
                let Some(word) = walk.load(state, mutex, WORD / 8, look) else { return false };
                let is_free = walk.terms.eq(word, free);
                walk.wait_for_word(at, word, is_free, state);
                walk.wait_for(state, is_free) && walk.store(state, mutex, own, how)
            }
        });
        self.lock_effect(here.state, wait.then_some(Waiting { mutex, released_after: None }));
        self.hold(here.state, mutex);
        let entered = Entered { mutex, when: self.terms.tru() };
        here.state.entered = (here.state.atomic == 0).then_some(entered);
        taken
    }

    /// Acquires a mutex with a shared word. The thread may stop before it; if it goes on, the word was 0.
    fn acquire(&mut self, state: &mut State, place: Target, mutex: TermId, at: InstrRef) -> bool {
        let [free, own] = [0, self.thread.number].map(|k| self.terms.constant(u128::from(k), WORD));
        let (how, path) = (lock_word(at), state.path.term(&self.terms));
        let (event, wait) = (self.recorder.event_count(), self.recorder.wait_count());
        let acquired = self.terms.fresh(1);
        self.wait_for_lock(at, place, mutex, acquired, state);
        let (first, next_wait) = (self.recorder.event_count(), self.recorder.wait_count());
        if !self.wait_for(state, acquired) {
            return false;
        }
        self.read_known(state, place, mutex, free, how);
        let done = self.store(state, mutex, own, how);
        let (events, waits) = ([event, self.recorder.event_count()], [wait, next_wait]);
        self.recorder.acquisition(Acquisition { acquired, path, events, waits, first });
        done
    }

    /// Executes an unlock.
    pub fn unlock(&mut self, here: &mut Here, mutex: Operand, wait: bool) -> bool {
        let mutex = self.operand(mutex, here.regs);
        let settled = self.settle(here.state, mutex, WORD / 8, here.at);
        let Some(mutex) = settled else { return false };
        let free = self.terms.constant(0, WORD);
        self.release(here.state, mutex);
        let released_after = Some(here.state.last);
        let done = self.store(here.state, mutex, free, lock_word(here.at));
        self.lock_effect(here.state, wait.then_some(Waiting { mutex, released_after }));
        done
    }

    /// Executes a lock that may fail.
    pub fn try_lock(&mut self, here: &mut Here, dst: RegId, mutex: Operand) -> bool {
        let address = self.operand(mutex, here.regs);
        let expected = self.terms.constant(0, WORD);
        let new = self.terms.constant(u128::from(self.thread.number), WORD);
        let exchange = Exchange { address, expected, new, width: WORD, weak: false };
        let found = self.exchange_if_equal(here.state, exchange, lock_word(here.at));
        let Some(found) = found else { return false };
        std::rc::Rc::make_mut(&mut here.state.holding).may_acquire(address);
        here.regs[dst.index()] = self.terms.zext(found.exchanged, WORD);
        let taken = self.state_if(here.state, found.exchanged);
        self.lock_effect(&taken, None);
        true
    }

    fn lock_effect(&mut self, state: &State, wait: Option<Waiting>) {
        let changed = self.terms.tru();
        self.thread.effects.push(Effect { path: state.path.clone(), changed, wait });
    }
}

/// How mutex operations access the word.
pub(crate) fn lock_word(at: InstrRef) -> Manner {
    let access = Access { atomic: Some(Order::SeqCst), hidden: true, ..Access::default() };
    Manner { at, access, lock: true, trail: Trail::Address }
}
