//! Who writes a byte while others may run, and which mutexes they hold.
//!
//! Idea: a thread may rely on what a place held a moment ago if nobody else can write it in between:
//! because no other thread ever does, or because all that do hold a mutex that this thread holds,
//! too (`protected.rs`). So for every byte the writers are learned, each with the mutexes that it
//! held at all of its writes. Writes at an unknown offset count for every byte of their object.
//! Invariant: writers are only added, and their mutexes only become fewer, so passes end.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::skeleton::Held;

/// A set of mutexes, by its place in [`Locksets`].
type LocksetId = u32;

/// Sets of mutexes that were held at writes, each once.
#[derive(Default, Debug)]
pub(crate) struct Locksets {
    sets: Vec<Vec<u64>>,
    ids: FxHashMap<Vec<u64>, LocksetId>,
}

impl Locksets {
    fn intern(&mut self, set: Vec<u64>) -> LocksetId {
        debug_assert!(set.is_sorted(), "sets of mutexes are sorted");
        let next = self.sets.len() as LocksetId;
        let id = *self.ids.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        });
        debug_assert!((id as usize) < self.sets.len(), "a set has a place");
        id
    }

    /// The set of what is held.
    pub fn of(&mut self, held: &[Held]) -> LocksetId {
        self.intern(held.iter().map(|l| l.address).collect())
    }

    fn common(&mut self, a: LocksetId, b: LocksetId) -> LocksetId {
        if a == b {
            return a;
        }
        let [x, y] = [a, b].map(|id| &self.sets[id as usize]);
        let both = x.iter().filter(|m| y.contains(m)).copied().collect();
        self.intern(both)
    }
}

/// A write by a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writing {
    /// The number of the thread.
    pub thread: u32,
    /// What it holds.
    pub locks: LocksetId,
    /// It goes to one known place, so that the thread knows afterwards what is there.
    pub certain: bool,
}

/// The writers of one byte.
#[derive(Clone, Default, Debug)]
pub(crate) struct Writers {
    by: SmallVec<[(u32, LocksetId); 2]>,
    /// Some write may also have gone elsewhere.
    uncertain: bool,
}

impl Writers {
    /// Notes a write; whether something was learned.
    pub fn note(&mut self, sets: &mut Locksets, write: Writing) -> bool {
        let learned = !write.certain && !self.uncertain;
        self.uncertain |= !write.certain;
        match self.by.iter_mut().find(|by| by.0 == write.thread) {
            None => {
                self.by.push((write.thread, write.locks));
                true
            }
            Some((_, before)) => {
                let both = sets.common(*before, write.locks);
                let fewer = std::mem::replace(before, both) != both;
                learned || fewer
            }
        }
    }

    /// Whether nobody writes it.
    pub fn is_empty(&self) -> bool {
        self.by.is_empty()
    }

    /// Whether only this thread writes it, and always knows that it does.
    pub fn is_own(&self, thread: u32) -> bool {
        !self.uncertain && self.by.iter().all(|by| by.0 == thread)
    }

    /// Leaves only the mutexes that every other thread holds when it writes.
    pub fn restrict(&self, sets: &Locksets, thread: u32, mutexes: &mut Vec<Held>) {
        for &(_, set) in self.by.iter().filter(|by| by.0 != thread) {
            mutexes.retain(|m| sets.sets[set as usize].contains(&m.address));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(addresses: &[u64]) -> Vec<Held> {
        addresses.iter().map(|&address| Held { address, since: 1 }).collect()
    }

    #[test]
    fn a_mutex_protects_only_if_every_write_of_others_is_under_it() {
        let (mut sets, mut byte) = (Locksets::default(), Writers::default());
        let mut write = |thread, addresses: &[u64], byte: &mut Writers| {
            let locks = sets.of(&held(addresses));
            byte.note(&mut sets, Writing { thread, locks, certain: true })
        };
        assert!(write(1, &[10, 20], &mut byte));
        assert!(!write(1, &[10, 20], &mut byte), "nothing new");
        assert!(byte.is_own(1) && !byte.is_own(2));
        assert!(write(1, &[20, 30], &mut byte), "one mutex less");
        assert!(write(2, &[], &mut byte));
        let mutexes = |byte: &Writers, thread| {
            let mut mutexes = held(&[10, 20, 30]);
            byte.restrict(&sets, thread, &mut mutexes);
            mutexes.iter().map(|m| m.address).collect::<Vec<u64>>()
        };
        assert_eq!(mutexes(&byte, 2), [20], "what thread 1 holds at each of its writes");
        assert!(mutexes(&byte, 1).is_empty(), "thread 2 writes without");
        assert!(!byte.is_own(1));
    }

    #[test]
    fn a_write_that_may_go_elsewhere_leaves_nobody_certain() {
        let (mut sets, mut byte) = (Locksets::default(), Writers::default());
        let locks = sets.of(&[]);
        assert!(byte.note(&mut sets, Writing { thread: 1, locks, certain: true }));
        assert!(byte.note(&mut sets, Writing { thread: 1, locks, certain: false }));
        assert!(!byte.is_own(1));
        assert!(!byte.note(&mut sets, Writing { thread: 1, locks, certain: false }));
    }
}
