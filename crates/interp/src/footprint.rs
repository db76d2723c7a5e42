//! What a transition touches, and when two transitions depend on each other.
//!
//! Transitions of different threads are *dependent* if they touch common bytes and one of them writes;
//! if both create threads (numbers are given in order); if one ends the program and the other
//! changes what is left on the heap, where leaks are checked. Independent transitions commute and neither
//! enables nor disables the other: whether a lock, a section or an access goes through depends only
//! on bytes in its footprint. A critical section that is one transition leaves the word of its mutex
//! as it was: it depends neither on another such section nor on a thread that waits for the mutex.

use smallvec::SmallVec;

use crate::discipline::Exposed;
use crate::race::Upcoming;
use crate::step::{Sync, Touch};

/// One thing touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Bytes from the first up to, not including, the second.
    Bytes {
        /// First byte.
        from: u64,
        /// Behind the last byte.
        to: u64,
        /// Whether they are written.
        write: bool,
    },
    /// The word of a mutex that is locked and unlocked again.
    Section {
        /// First byte.
        from: u64,
        /// Behind the last byte.
        to: u64,
    },
    /// The word of a mutex whose release is waited for, or in which a thread looks for itself.
    Await {
        /// First byte.
        from: u64,
        /// Behind the last byte.
        to: u64,
    },
    /// The next thread number.
    NextThread,
    /// The set of heap objects was changed.
    HeapChanged,
    /// The set of heap objects was looked at.
    HeapRead,
}

/// A footprint.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Footprint {
    /// What decides dependence.
    pub marks: SmallVec<[Mark; 2]>,
    /// Data accesses, for races; collected only if races are checked.
    pub accesses: SmallVec<[Upcoming; 1]>,
    /// What was touched, if transitions are long.
    pub touches: SmallVec<[Touch; 1]>,
    /// Whether threads were created, joined or ended, if transitions are long.
    pub synchronises: bool,
    /// What must be protected, if transitions are long.
    pub exposed: Exposed,
}

impl Mark {
    /// Whether the order of these two matters.
    pub fn dependent(&self, other: &Mark) -> bool {
        let apart = |from: u64, to: u64, from2: u64, to2: u64| from >= to2 || from2 >= to;
        match (*self, *other) {
            (
                Mark::Bytes { from, to, write },
                Mark::Bytes { from: from2, to: to2, write: write2 },
            ) => (write || write2) && !apart(from, to, from2, to2),
            (Mark::Section { from, to }, Mark::Bytes { from: from2, to: to2, .. })
            | (Mark::Bytes { from: from2, to: to2, .. }, Mark::Section { from, to }) => {
                !apart(from, to, from2, to2)
            }
            (Mark::Await { from, to }, Mark::Bytes { from: from2, to: to2, write })
            | (Mark::Bytes { from: from2, to: to2, write }, Mark::Await { from, to }) => {
                write && !apart(from, to, from2, to2)
            }
            (
                Mark::Section { .. } | Mark::Await { .. },
                Mark::Section { .. } | Mark::Await { .. },
            ) => false,
            (Mark::NextThread, Mark::NextThread)
            | (Mark::HeapChanged, Mark::HeapRead)
            | (Mark::HeapRead, Mark::HeapChanged) => true,
            (Mark::NextThread | Mark::HeapChanged | Mark::HeapRead, _)
            | (_, Mark::NextThread | Mark::HeapChanged | Mark::HeapRead) => false,
        }
    }
}

impl Footprint {
    /// Adds memory that was touched.
    pub fn touch(&mut self, touch: &Touch) {
        let (from, to) = (touch.address, touch.address.saturating_add(touch.bytes.max(1)));
        self.mark(Mark::Bytes { from, to, write: touch.write });
    }

    /// Adds a mark.
    pub fn mark(&mut self, mark: Mark) {
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    /// Adds synchronisation; `leaks` says whether the heap is looked at in the end.
    pub fn sync(&mut self, sync: Sync, leaks: bool) {
        match sync {
            Sync::Create(_) => self.mark(Mark::NextThread),
            Sync::Heap if leaks => self.mark(Mark::HeapChanged),
            // The end of a thread and the join that waits for it are never possible at the same time.
            Sync::Heap | Sync::Join(_) | Sync::End | Sync::Exit => {}
        }
    }

    /// Adds what another choice would touch.
    pub fn join(&mut self, other: Footprint) {
        other.marks.into_iter().for_each(|mark| self.mark(mark));
        for access in other.accesses {
            if !self.accesses.contains(&access) {
                self.accesses.push(access);
            }
        }
        self.exposed.join(other.exposed);
    }

    /// Whether transitions of different threads depend on each other.
    pub fn dependent(&self, other: &Footprint) -> bool {
        self.marks.iter().any(|a| other.marks.iter().any(|b| a.dependent(b)))
    }
}

/// Which events of each thread happen before something: entry t is how many of thread t's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    /// How many events of a thread are known.
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Adds an event of a thread.
    pub fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }

    /// Adds everything that another clock knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = (*a).max(*b);
        }
    }
}
