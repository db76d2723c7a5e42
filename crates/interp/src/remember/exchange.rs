//! Where the search that remembers states lets threads change places ([`crate::alike`] says why it may).
//!
//! A node holds a state that its path leads to, with threads where the path has them. Right before a
//! join two threads may change places; from then on the path is the one with these two exchanged, from
//! when both were there. Futures are remembered with threads in sorted order and turned into the order of
//! a node when they are used there.
//! Invariant: with the exchanges applied, the path is an execution, and its last state is that of
//! the last node.

use std::rc::Rc;

use super::{At, Mode, Node, Search};
use crate::alike::{self, Exchange, Joiner, Kinship};
use crate::collect::deadlocks;
use crate::discipline::Over;
use crate::future::{Future, Set, bit};
use crate::key::Parts;
use crate::state::{State, Status};
use crate::transition::Taken;

impl Node {
    /// The threads that might be where a thread is, and those that they do not know to be over.
    pub(super) fn anybody_like(&self, thread: usize, alike: bool) -> (Set, Set) {
        let others = self.over.others(thread);
        if !alike {
            return (bit(thread), others);
        }
        let own = if self.kin.is_alone(thread) { 0 } else { bit(thread) };
        (self.kin.mates(thread), self.kin.spread(others | own))
    }

    /// The thread that a transition of a thread joined, and those that it might have joined instead. Who
    /// joins once more what was joined before is after the one that was joined then, whichever that was.
    pub(super) fn joined_by(&self, thread: usize, taken: &Taken) -> (Set, Set) {
        let Some(target) = taken.joined.and_then(|id| self.state.index(id)) else { return (0, 0) };
        match self.joiner.filter(|joiner| joiner.thread == thread) {
            Some(joiner) => {
                let went = joiner.ended.map_or(0, bit);
                (went, self.kin.free_mates(&self.state, joiner.target) & !went)
            }
            None if self.kin.is_joined_again(target) => (0, 0),
            None => (bit(target), 0),
        }
    }

    /// Who knows whom to be over, and who is alike, after an exchange and a transition to this state.
    pub(super) fn relations_after(
        &self,
        state: &State,
        thread: usize,
        joined: Option<usize>,
        exchange: Option<Exchange>,
        mode: Mode,
    ) -> (Over, Kinship) {
        let (mut over, mut kin) = (self.over.clone(), self.kin.clone());
        if let Some(Exchange(a, b)) = exchange {
            over.exchange(a, b);
            kin.exchange(a, b);
        }
        if mode.alike {
            kin = kin.after(thread, joined, state);
        }
        (over.after(thread, joined, state.threads.len()), kin)
    }
}

impl Search<'_> {
    /// Whether threads have just looked at numbers that others of their group do not have.
    pub(super) fn look_at_names(&mut self, kin: &Kinship) {
        let Some(watch) = &mut self.world.watch else { return };
        let asked = std::mem::take(&mut watch.asked);
        let alone = |i: usize| asked & bit(i) == 0 || kin.is_alone(i);
        self.unlike |= watch.looked || !(0..kin.threads()).all(alone);
    }

    /// Whether names were looked at that have not been thought about.
    pub(super) fn has_seen_names(&self) -> bool {
        self.unlike || self.world.watch.as_ref().is_some_and(|w| w.looked || w.asked != 0)
    }

    /// Whether a thread that can no longer change places, because addresses tell who it is, could have been
    /// another one of its group: after its transition from the last state it is in this one.
    pub(super) fn look_at_objects(&mut self, after: &Node, thread: usize) {
        let before = self.top();
        let was_free = self.mode.alike && before.kin.is_free(&before.state, thread);
        if was_free && !after.kin.is_free(&after.state, thread) {
            self.unlike |= !before.parts.are_one(before.kin.mates(thread));
        }
    }

    /// Whether threads that have just ended did so like others of their group.
    pub(super) fn look_at_ends(&mut self, node: &Node, threads: impl Iterator<Item = usize>) {
        for index in threads.filter(|i| self.mode.alike && !node.kin.is_alone(*i)) {
            let thread = &node.state.threads[index];
            let Status::Ended(value) = thread.status else { continue };
            let first = *self.results.entry(node.kin.group(index)).or_insert(value);
            self.unlike |= first != value || !alike::holds_nothing(&node.state.memory, thread);
        }
    }

    /// Finds the thread that is about to join one of several; it can go on if one of them has ended.
    pub(super) fn find_joiner(&mut self, node: &mut Node) {
        if !self.mode.alike {
            return;
        }
        match alike::joiner(self.world.code, &node.state, &node.kin) {
            Err(alike::TooMany) => self.unlike = true,
            Ok(None) => {}
            Ok(Some(joiner)) => {
                Rc::make_mut(&mut node.pending[joiner.thread]).enabled = joiner.ended.is_some();
                node.joiner = Some(joiner);
            }
        }
    }

    /// Deadlocks in which the thread that joins waits for one that has not ended, though its handle
    /// may also name one that has.
    pub(super) fn look_for_deadlock_before(&mut self, joiner: Joiner) {
        let node = self.top();
        let mut state = node.state.clone();
        let exchange = joiner.to_wait();
        if let Some(exchange) = exchange {
            alike::exchange(self.world.code, &mut state, exchange);
        }
        for finding in deadlocks(&self.world, &state, &node.pending.clone(), true) {
            self.report(&finding, exchange, At::State);
        }
    }

    /// A future with threads in the order in which a state is remembered.
    pub(super) fn in_order(&mut self, parts: &Parts, future: Future) -> Future {
        let Some(order) = parts.order() else { return future };
        let place = |index: usize| order.iter().position(|i| *i == index).unwrap_or(index);
        self.futures.relabel(&future, place)
    }

    /// The reverse.
    pub(super) fn out_of_order(&mut self, parts: &Parts, future: Future) -> Future {
        let Some(order) = parts.order() else { return future };
        self.futures.relabel(&future, |place| order.get(place).copied().unwrap_or(place))
    }
}
