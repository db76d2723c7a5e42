//! What is known of how a program protects its memory: enough to take critical sections as a whole.
//!
//! Idea: [`crate::transaction`] takes it for granted that nobody disturbs a thread between two of its
//! accesses, until the contrary is seen. What was seen is kept here, and the search begins again with
//! it; each time more accesses stand alone, and so it ends. What is seen:
//! - *open bytes*: in some state two threads stand before transitions that touch these bytes, one of
//!   them writes, and no mutex is held at both accesses. From then on every access to them begins a
//!   transition;
//! - *outer mutexes*: somebody stopped between two transitions while holding the mutex, or locked
//!   another one. Locking such a mutex can block for long, and who waits for it with a lock in hand
//!   must be seen standing there;
//! - *weak mutexes*: somebody overwrites the word of a mutex that another may hold. Such a mutex
//!   protects nothing;
//! - *late accesses*: what a transition reads, and which mutexes it releases, behind its first release
//!   (or behind its access to open bytes) is not seen by the first rule: whoever notices the release
//!   may be anywhere by then. Bytes that are read so and written by another thread that has not joined
//!   the reader become open as well, and words of mutexes that another thread looks at otherwise
//!   than by locking.
//!
//! Sources: Lipton, "Reduction: a method of proving properties of parallel programs", CACM 1975;
//! Stoller & Cohen, "Optimistic synchronization-based state-space reduction", TACAS 2003, who also
//! trust a discipline until the search itself refutes it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::future::{Set, bit};

/// After so many new beginnings whole objects become open.
const PATIENCE: u32 = 8;

/// Mutexes by address.
pub type Held = SmallVec<[u64; 2]>;

/// Why memory is touched that may be the word of a mutex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Look {
    /// For whatever is there.
    Data,
    /// To lock the mutex if it is free.
    Try,
    /// To see whether the thread itself holds the mutex.
    Own,
}

/// Memory that a transition touches otherwise than by locking and unlocking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Guarded {
    /// First byte.
    pub from: u64,
    /// Behind the last byte.
    pub to: u64,
    /// Whether it is written.
    pub write: bool,
    /// What for.
    pub look: Look,
    /// The mutexes held.
    pub held: Held,
}

/// What of a transition must be protected.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exposed {
    /// The data that it touches.
    pub data: Vec<Guarded>,
    /// The words of mutexes that it locks, tries to lock or unlocks.
    pub words: SmallVec<[u64; 2]>,
    /// Reads and releases behind its first release.
    pub late: Vec<Guarded>,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub struct Discipline {
    /// Open bytes: ranges that do not touch each other.
    open: BTreeMap<u64, u64>,
    outer: FxHashSet<u64>,
    weak: FxHashSet<u64>,
    restarts: u32,
    seen: Seen,
}

/// What was seen in one search.
#[derive(Clone, Debug, Default)]
struct Seen {
    open: Vec<(u64, u64)>,
    outer: FxHashSet<u64>,
    weak: FxHashSet<u64>,
    /// Mutexes that were locked inside a transition that had locked another, or held one.
    inner: FxHashSet<u64>,
    /// Late accesses, with the threads that made them.
    late: FxHashMap<Guarded, Set>,
    /// All accesses, with the threads that were not known to be over.
    all: FxHashSet<(Guarded, Set)>,
}

/// For each thread, which threads it knows to be over because it has joined them.
#[derive(Clone, Debug)]
pub struct Over(SmallVec<[Set; 4]>);

impl Default for Over {
    fn default() -> Over {
        Over(SmallVec::from_slice(&[0]))
    }
}

impl Over {
    /// The threads that a thread does not know to be over, without itself.
    pub fn others(&self, thread: usize) -> Set {
        let all = (0..self.0.len()).fold(0, |set, i| set | bit(i));
        all & !self.0[thread] & !bit(thread)
    }

    /// After two threads that nobody knows to be over have changed places.
    pub fn exchange(&mut self, a: usize, b: usize) {
        debug_assert!(self.0.iter().all(|over| over & (bit(a) | bit(b)) == 0));
        self.0.swap(a, b);
    }

    /// After a transition of a thread, perhaps with a join; now there are so many threads.
    pub fn after(&self, thread: usize, joined: Option<usize>, threads: usize) -> Over {
        let mut over = self.clone();
        over.0[thread] |= joined.map_or(0, bit);
        // A new thread knows what its creator knows.
        let known = over.0[thread];
        over.0.resize(threads, known);
        over
    }
}

fn disjoint(a: &Held, b: &Held) -> bool {
    !a.iter().any(|m| b.contains(m))
}

impl Guarded {
    fn overlaps(&self, other: &Guarded) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Whether both may happen next to each other and one of them writes.
    fn clashes(&self, other: &Guarded) -> bool {
        (self.write || other.write) && self.overlaps(other) && disjoint(&self.held, &other.held)
    }
}

impl Exposed {
    /// Adds what another choice would touch.
    pub fn join(&mut self, other: Exposed) {
        for guarded in other.data {
            if !self.data.contains(&guarded) {
                self.data.push(guarded);
            }
        }
        for word in other.words {
            if !self.words.contains(&word) {
                self.words.push(word);
            }
        }
    }
}

impl Discipline {
    /// Whether some byte of a range is open.
    pub fn is_open(&self, from: u64, to: u64) -> bool {
        self.open.range(..to).next_back().is_some_and(|(_, &end)| end > from)
    }

    /// Whether all bytes of a range are open.
    fn all_open(&self, from: u64, to: u64) -> bool {
        self.open.range(..=from).next_back().is_some_and(|(_, &end)| end >= to)
    }

    /// Whether threads stop while they hold this mutex.
    pub fn is_outer(&self, mutex: u64) -> bool {
        self.outer.contains(&mutex)
    }

    /// Whether somebody releases this mutex who does not hold it: it protects nothing.
    pub fn is_weak(&self, mutex: u64) -> bool {
        self.weak.contains(&mutex)
    }

    /// A thread stopped, or locked another mutex, while it held this one.
    pub fn note_outer(&mut self, mutex: u64) {
        self.seen.outer.insert(mutex);
    }

    /// A mutex was locked behind another one in one transition.
    pub fn note_inner(&mut self, mutex: u64) {
        self.seen.inner.insert(mutex);
    }

    /// Whether something was seen that the search did not reckon with.
    pub fn is_refuted(&self) -> bool {
        !self.seen.open.is_empty()
            || !self.seen.weak.is_empty()
            || !self.seen.inner.is_disjoint(&self.seen.outer)
    }

    /// Compares what so many threads would do next in one state, as far as these are concerned.
    pub fn compare_all<'e>(
        &mut self,
        threads: usize,
        fresh: Set,
        exposed: impl Fn(usize) -> &'e Exposed,
    ) {
        for i in (0..threads).filter(|i| fresh & bit(*i) != 0) {
            for j in (0..threads).filter(|j| *j < i || *j > i && fresh & bit(*j) == 0) {
                self.compare(exposed(i), exposed(j));
            }
        }
    }

    /// Compares what two threads would do next in one state.
    fn compare(&mut self, one: &Exposed, other: &Exposed) {
        for a in &one.data {
            for b in other.data.iter().filter(|b| a.clashes(b)) {
                let (from, to) = (a.from.max(b.from), a.to.min(b.to));
                if !self.all_open(from, to) {
                    self.seen.open.push((a.from.min(b.from), a.to.max(b.to)));
                }
            }
        }
        self.compare_words(one, other);
        self.compare_words(other, one);
    }

    /// A lock word that somebody looks at without holding the mutex.
    fn compare_words(&mut self, one: &Exposed, other: &Exposed) {
        for &word in &one.words {
            let end = word.saturating_add(4);
            let touches = |g: &&Guarded| g.from < end && word < g.to && !g.held.contains(&word);
            for looked in other.data.iter().filter(touches) {
                if looked.look != Look::Own && !self.all_open(word, end) {
                    self.seen.open.push((word, end));
                }
                if looked.look == Look::Data && looked.write && !self.weak.contains(&word) {
                    self.seen.weak.insert(word);
                }
            }
        }
    }

    /// Notes what a transition did that one of these threads may take, and that does not know these
    /// others to be over.
    pub fn note(&mut self, by: Set, exposed: &Exposed, others: Set) {
        let mut found = Vec::new();
        for late in &exposed.late {
            let threads = self.seen.late.entry(late.clone()).or_default();
            if by & !*threads == 0 {
                continue;
            }
            *threads |= by;
            let clash = |(a, others): &&(Guarded, Set)| others & by != 0 && a.clashes(late);
            found.extend(self.seen.all.iter().filter(clash).map(|_| (late.from, late.to)));
        }
        for access in exposed.data.iter().filter(|g| g.look != Look::Own) {
            if !self.seen.all.insert((access.clone(), others)) {
                continue;
            }
            let clash = |(late, by): &(&Guarded, &Set)| **by & others != 0 && access.clashes(late);
            found.extend(self.seen.late.iter().filter(clash).map(|(late, _)| (late.from, late.to)));
        }
        found.retain(|&(from, to)| !self.all_open(from, to));
        self.seen.open.append(&mut found);
    }

    /// What the next search takes for granted; `object` gives the bounds of the object at an address.
    pub fn refined(mut self, object: impl Fn(u64) -> Option<(u64, u64)>) -> Discipline {
        let seen = std::mem::take(&mut self.seen);
        self.restarts += 1;
        for (from, to) in seen.open {
            let whole = if self.restarts > PATIENCE { object(from) } else { None };
            let (from, to) = whole.unwrap_or((from, to));
            self.open_up(from, to);
        }
        self.outer.extend(seen.outer);
        self.weak.extend(seen.weak);
        self
    }

    fn open_up(&mut self, mut from: u64, mut to: u64) {
        while let Some((&start, &end)) = self.open.range(..=to).next_back() {
            if end < from {
                break;
            }
            (from, to) = (from.min(start), to.max(end));
            self.open.remove(&start);
        }
        self.open.insert(from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: u64 = 100;
    const M: u64 = 200;

    fn data(from: u64, write: bool, held: &[u64]) -> Exposed {
        let held = held.iter().copied().collect();
        let data = vec![Guarded { from, to: from + 4, write, look: Look::Data, held }];
        Exposed { data, ..Exposed::default() }
    }

    #[test]
    fn bytes_without_a_common_mutex_become_open() {
        let mut d = Discipline::default();
        d.compare(&data(X, true, &[M]), &data(X, false, &[M]));
        d.compare(&data(X, false, &[]), &data(X, false, &[]));
        assert!(!d.is_refuted());
        d.compare(&data(X, true, &[M]), &data(X + 2, false, &[]));
        assert!(d.is_refuted());
        let d = d.refined(|_| None);
        assert!(d.is_open(X, X + 1) && d.is_open(X + 5, X + 6) && !d.is_open(X + 6, X + 7));
        let mut again = d.clone();
        again.compare(&data(X, true, &[M]), &data(X + 2, false, &[]));
        assert!(!again.is_refuted(), "it is known already");
    }

    #[test]
    fn ranges_grow_together() {
        let mut d = Discipline::default();
        for (from, to) in [(0, 4), (8, 12), (4, 8), (20, 24), (2, 21)] {
            d.open_up(from, to);
        }
        assert_eq!(d.open.into_iter().collect::<Vec<_>>(), [(0, 24)]);
    }

    #[test]
    fn a_word_that_others_look_at_is_open() {
        let lock = Exposed { words: [M].into_iter().collect(), ..Exposed::default() };
        let mut d = Discipline::default();
        d.compare(&lock, &lock);
        d.compare(&lock, &data(M, false, &[M]));
        assert!(!d.is_refuted());
        d.compare(&data(M, false, &[]), &lock);
        assert!(d.is_refuted());
    }

    #[test]
    fn late_reads_and_writes_meet_in_any_order() {
        let read = Exposed { late: data(X, false, &[]).data, ..Exposed::default() };
        for reader_lives in [false, true] {
            let others = if reader_lives { bit(1) } else { bit(2) };
            for turn in [false, true] {
                let mut d = Discipline::default();
                for read_now in [turn, !turn] {
                    if read_now {
                        d.note(bit(1), &read, bit(0));
                    } else {
                        d.note(bit(0), &data(X, true, &[]), others);
                    }
                }
                assert_eq!(d.is_refuted(), reader_lives);
            }
        }
    }

    #[test]
    fn mutexes_are_inner_or_outer() {
        let mut d = Discipline::default();
        d.note_inner(M);
        d.note_outer(X);
        assert!(!d.is_refuted());
        d.note_outer(M);
        assert!(d.is_refuted());
        let d = d.refined(|_| None);
        assert!(d.is_outer(M) && d.is_outer(X) && !d.is_refuted());
    }
}
