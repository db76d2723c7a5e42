//! What critical sections rule out.
//!
//! Idea: two sections of one mutex never overlap. So for a read r under mutex m, (1) a write of
//! another section that is followed by another write to the same place in that section is never
//! seen; (2) if r's own section has written the place before r, no write of another section lies in
//! between; (3) if r's own section has read the place before, and only other sections of m write
//! it, r finds the same value again and needs no reads-from of its own. Two events are in one
//! section if their thread has held the mutex since the same unit. Invariant: a mutex counts only
//! if nobody releases it without holding it and nobody overwrites its word.

use raddle_summary::{Event, EventKind, Skeleton};
use raddle_term::Terms;
use rustc_hash::FxHashSet;

/// Which mutexes can be relied upon.
pub struct Sections {
    /// Mutexes that exclude nobody. Address 0 stands for all.
    broken: FxHashSet<u64>,
}

impl Sections {
    /// Looks for mutexes whose words are also written by ordinary stores (initialised again, say):
    /// they protect nothing, like those that are released by others than their holders.
    pub fn new(skeleton: &Skeleton, terms: &Terms) -> Sections {
        let mut broken = skeleton.broken_locks.clone();
        let word = |e: &Event| terms.as_const(e.address).map(|k| k as u64);
        let locks = || skeleton.events.iter().filter(|e| e.lock);
        let words: FxHashSet<u64> = locks().filter_map(word).collect();
        debug_assert!(locks().all(|e| e.bytes == 4), "the word of a mutex has four bytes");
        for e in skeleton.events.iter().filter(|e| !e.lock && e.kind == EventKind::Write) {
            match word(e) {
                Some(at) => {
                    let end = at + u64::from(e.bytes);
                    broken.extend((at.saturating_sub(3)..end).filter(|a| words.contains(a)));
                }
                None => {
                    let meets = |l: &&Event| {
                        l.targets.iter().any(|t| e.targets.iter().any(|own| own.0 == t.0))
                    };
                    broken.extend(locks().filter(meets).filter_map(word));
                }
            }
        }
        Sections { broken }
    }

    /// The mutexes under which both events are in one section.
    pub fn common(&self, a: &Event, b: &Event) -> Vec<u64> {
        if a.thread != b.thread {
            return Vec::new();
        }
        let both = a.locks.iter().filter(|l| b.locks.contains(l));
        both.map(|l| l.address).filter(|&l| self.protects(l)).collect()
    }

    /// Whether two threads that hold these mutexes have one in common, so that one of them keeps
    /// the other out.
    pub fn exclude(&self, a: &[u64], b: &[u64]) -> bool {
        a.iter().any(|&l| b.contains(&l) && self.protects(l))
    }

    /// Whether holding a mutex keeps others out.
    pub fn protects(&self, mutex: u64) -> bool {
        !self.broken.contains(&0) && !self.broken.contains(&mutex)
    }
}

/// Whether a thread certainly holds one of these mutexes at an event.
pub fn under(e: &Event, mutexes: &[u64]) -> bool {
    e.locks.iter().any(|l| mutexes.contains(&l.address))
}
