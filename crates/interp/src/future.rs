//! What can happen after a state, as far as it decides which threads must be explored before it.
//!
//! Idea: for each thread, what it may be about to touch in some state ahead, and what of the way
//! there happens before that thread. Going back over one step of another thread, the step either
//! happens before it, too (the way contains something that depends on the step), or the two are in
//! no order: then, if they depend on each other, both orders have to be explored from the state
//! before the step. So a state that is met again needs no second exploration to find out what the
//! states before it must do.
//! Source: Yang, Chen, Gopalakrishnan & Kirby, "Efficient stateful dynamic partial order
//! reduction", SPIN 2008, whose summaries hold what is touched; what happens before it is ours, and
//! keeps critical sections from being interrupted.
//!
//! Several ways to the same end are one entry, with what all of them have in common. To forget
//! something of `after` or `past`, and to touch more, is always allowed: it only adds threads to be
//! explored. That is used where lists would become long.
//! Invariant: a set of marks has one number, so numbers are compared instead of sets.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::footprint::{Footprint, Mark};

/// A set of threads by index.
pub type Set = u128;

/// The set of one thread.
pub fn bit(index: usize) -> Set {
    1 << index
}

/// Most marks that are kept of what happens before something.
const MOST_PAST: usize = 128;
/// Most entries for one thread; beyond it they are joined.
const MOST_ENTRIES: usize = 48;

/// A set of marks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marks(u32);

/// Something that a thread may be about to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Act {
    /// The thread's index.
    pub thread: usize,
    /// What it would touch.
    pub marks: Marks,
    /// The mutex, if it is a plain `Lock`.
    pub lock: Option<u64>,
}

/// What happens before an act, on the way to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Before {
    /// Threads whose steps on the way all happen before it; its own thread is one.
    pub after: Set,
    /// What the steps that happen before it touch.
    pub past: Marks,
}

/// What can happen after a state.
pub type Future = Rc<[(Act, Before)]>;

/// A future in the making.
pub type Draft = BTreeMap<Act, Before>;

/// A step, as far as futures care.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    /// The thread that takes it.
    pub thread: usize,
    /// What it touched.
    pub touched: Marks,
    /// What it might have touched with other choices; holds `touched`.
    pub might_touch: Marks,
    /// The mutex that it released, if it was the thread's own.
    pub released: Option<u64>,
    /// The thread that it joined.
    pub joined: Set,
    /// Those that it might have joined instead ([`crate::alike`]): what comes after it is after the
    /// one that it joined only if it is after all of these as well.
    pub instead: Set,
    /// The threads that it created.
    pub created: Set,
}

/// All sets of marks and all futures that occur.
pub struct Futures {
    sets: Vec<Rc<[Mark]>>,
    numbers: FxHashMap<Rc<[Mark]>, Marks>,
    dependent: FxHashMap<(Marks, Marks), bool>,
    joined: FxHashMap<(Marks, Marks), Marks>,
    common: FxHashMap<(Marks, Marks), Marks>,
    futures: FxHashSet<Future>,
    bytes: u64,
}

impl Futures {
    /// No marks.
    pub const NOTHING: Marks = Marks(0);

    /// Tables with the empty set only.
    pub fn new() -> Futures {
        let mut futures = Futures {
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            dependent: FxHashMap::default(),
            joined: FxHashMap::default(),
            common: FxHashMap::default(),
            futures: FxHashSet::default(),
            bytes: 0,
        };
        let nothing = futures.number(Vec::new());
        debug_assert_eq!(nothing, Futures::NOTHING);
        futures
    }

    /// About how much memory the tables take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the marks of a footprint.
    pub fn marks(&mut self, footprint: &Footprint) -> Marks {
        self.number(footprint.marks.to_vec())
    }

    fn number(&mut self, mut marks: Vec<Mark>) -> Marks {
        marks.sort_unstable();
        marks.dedup();
        if let Some(&found) = self.numbers.get(marks.as_slice()) {
            return found;
        }
        let number = Marks(self.sets.len() as u32);
        self.bytes += 24 * marks.len() as u64 + 80;
        let marks: Rc<[Mark]> = marks.into();
        self.sets.push(Rc::clone(&marks));
        self.numbers.insert(marks, number);
        number
    }

    fn set(&self, marks: Marks) -> &Rc<[Mark]> {
        &self.sets[marks.0 as usize]
    }

    /// Whether two sets of marks have something in common whose order matters.
    pub fn dependent(&mut self, a: Marks, b: Marks) -> bool {
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.dependent.get(&pair) {
            return known;
        }
        let (x, y) = (self.set(a), self.set(b));
        let result = x.iter().any(|m| y.iter().any(|n| m.dependent(n)));
        self.dependent.insert(pair, result);
        self.bytes += 24;
        result
    }

    /// Both sets; if that is too large, the first alone.
    fn join(&mut self, past: Marks, more: Marks) -> Marks {
        if let Some(&known) = self.joined.get(&(past, more)) {
            return known;
        }
        let marks: Vec<Mark> =
            self.set(past).iter().chain(self.set(more).iter()).copied().collect();
        let all = self.number(marks);
        let result = if self.set(all).len() > MOST_PAST { past } else { all };
        self.joined.insert((past, more), result);
        self.bytes += 24;
        result
    }

    /// What two sets have in common.
    fn common(&mut self, a: Marks, b: Marks) -> Marks {
        if a == b {
            return a;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.common.get(&pair) {
            return known;
        }
        let y = Rc::clone(self.set(b));
        let marks = self.set(a).iter().filter(|m| y.contains(m)).copied().collect();
        let result = self.number(marks);
        self.common.insert(pair, result);
        self.bytes += 24;
        result
    }

    /// Adds one more way to an act.
    pub fn add(&mut self, draft: &mut Draft, act: Act, way: Before) {
        debug_assert!(way.after & bit(act.thread) != 0, "a thread comes after its own steps");
        let before = match draft.get(&act) {
            None => way,
            Some(&old) => {
                Before { after: old.after & way.after, past: self.common(old.past, way.past) }
            }
        };
        draft.insert(act, before);
    }

    /// Goes back over a step: how the way to an act begins if it begins with the step, and whether
    /// the two are to be explored in the other order as well.
    pub fn back(&mut self, stride: &Stride, act: Act, way: Before) -> (Before, bool) {
        let own = bit(stride.thread) | stride.created;
        if way.after & own != 0 || self.dependent(way.past, stride.touched) {
            let joined = if stride.instead & !way.after == 0 { stride.joined } else { 0 };
            let after = way.after | bit(stride.thread) | joined;
            return (Before { after, past: self.join(way.past, stride.touched) }, false);
        }
        // While the thread holds the mutex nobody can lock it: the two are never possible together.
        let excluded = act.lock.is_some() && act.lock == stride.released;
        (way, !excluded && self.dependent(act.marks, stride.might_touch))
    }

    /// A future with other indices for the threads: `to` says which.
    pub fn relabel(&mut self, future: &Future, to: impl Fn(usize) -> usize) -> Future {
        let moved = |set: Set| {
            let mut rest = set;
            let mut result = 0;
            while rest != 0 {
                result |= bit(to(rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
            result
        };
        let draft = future.iter().map(|&(act, way)| {
            let act = Act { thread: to(act.thread), ..act };
            (act, Before { after: moved(way.after), ..way })
        });
        let draft: Draft = draft.collect();
        debug_assert_eq!(draft.len(), future.len(), "different threads stay different");
        self.intern(draft.into_iter().collect())
    }

    /// A draft as a future of its own.
    pub fn finish(&mut self, mut draft: Draft) -> Future {
        if draft.len() > MOST_ENTRIES {
            draft = self.shorten(draft);
        }
        self.intern(draft.into_iter().collect())
    }

    fn intern(&mut self, future: Future) -> Future {
        if let Some(known) = self.futures.get(&future) {
            return Rc::clone(known);
        }
        self.bytes += 80 * future.len() as u64 + 48;
        self.futures.insert(Rc::clone(&future));
        future
    }

    /// Joins the entries of threads that have too many.
    fn shorten(&mut self, draft: Draft) -> Draft {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for act in draft.keys() {
            *counts.entry(act.thread).or_default() += 1;
        }
        let mut result = Draft::new();
        let mut joined: BTreeMap<usize, (Vec<Mark>, Before)> = BTreeMap::new();
        for (act, way) in draft {
            if counts[&act.thread] <= MOST_ENTRIES {
                result.insert(act, way);
                continue;
            }
            let marks = self.set(act.marks).to_vec();
            match joined.get_mut(&act.thread) {
                None => {
                    joined.insert(act.thread, (marks, way));
                }
                Some((all, before)) => {
                    all.extend(marks);
                    before.after &= way.after;
                    before.past = self.common(before.past, way.past);
                }
            }
        }
        for (thread, (marks, way)) in joined {
            let marks = self.number(coalesce(marks));
            self.add(&mut result, Act { thread, marks, lock: None }, way);
        }
        result
    }
}

/// Fewer marks that touch at least as much: neighbouring bytes become one range.
fn coalesce(mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort_unstable_by_key(|m| match *m {
        Mark::Bytes { from, to, write } => (write, from, to),
        Mark::Section { .. }
        | Mark::Await { .. }
        | Mark::NextThread
        | Mark::HeapChanged
        | Mark::HeapRead => (false, 0, 0),
    });
    let mut result: Vec<Mark> = Vec::new();
    for mark in marks {
        match (result.last_mut(), mark) {
            (Some(Mark::Bytes { to: end, write: before, .. }), Mark::Bytes { from, to, write })
                if *before == write && from <= end.saturating_add(64) =>
            {
                *end = to.max(*end)
            }
            (_, mark) => result.push(mark),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(from: u64, write: bool) -> Mark {
        Mark::Bytes { from, to: from + 4, write }
    }

    fn stride(thread: usize, touched: Marks) -> Stride {
        let (released, joined, instead, created) = (None, 0, 0, 0);
        Stride { thread, touched, might_touch: touched, released, joined, instead, created }
    }

    const X: u64 = 100;
    const M: u64 = 200;

    /// Thread 1 reads x inside a section of m; thread 0 writes x before it leaves its own section.
    #[test]
    fn sections_are_not_interrupted() {
        let mut futures = Futures::new();
        let (x, m) = (futures.number(vec![bytes(X, true)]), futures.number(vec![bytes(M, true)]));
        let read = futures.number(vec![bytes(X, false)]);
        let act = Act { thread: 1, marks: read, lock: None };
        let start = Before { after: bit(1), past: Futures::NOTHING };
        let (locked, race) = futures.back(&stride(1, m), act, start);
        assert!(!race && locked.past == m);
        let (after_unlock, race) = futures.back(&stride(0, m), act, locked);
        assert!(!race && after_unlock.after == bit(0) | bit(1));
        assert!(!futures.back(&stride(0, x), act, after_unlock).1, "ordered by the mutex");
        assert!(futures.back(&stride(0, x), act, locked).1, "ordered by nothing");
        assert!(!futures.back(&stride(0, read), act, locked).1, "reads commute");
    }

    #[test]
    fn a_mutex_is_not_locked_before_its_holder_releases_it() {
        let mut futures = Futures::new();
        let m = futures.number(vec![bytes(M, true)]);
        let act = Act { thread: 1, marks: m, lock: Some(M) };
        let start = Before { after: bit(1), past: Futures::NOTHING };
        let unlock = Stride { released: Some(M), ..stride(0, m) };
        assert!(!futures.back(&unlock, act, start).1);
        assert!(futures.back(&stride(0, m), act, start).1);
    }

    #[test]
    fn ways_are_joined_by_what_they_have_in_common() {
        let mut futures = Futures::new();
        let (x, m) = (futures.number(vec![bytes(X, true)]), futures.number(vec![bytes(M, true)]));
        let both = futures.number(vec![bytes(X, true), bytes(M, true)]);
        let act = Act { thread: 1, marks: x, lock: None };
        let mut draft = Draft::new();
        futures.add(&mut draft, act, Before { after: bit(0) | bit(1), past: both });
        futures.add(&mut draft, act, Before { after: bit(1) | bit(2), past: m });
        assert_eq!(draft[&act], Before { after: bit(1), past: m });
    }

    #[test]
    fn long_futures_become_short() {
        let mut futures = Futures::new();
        let mut draft = Draft::new();
        for i in 0..1000 {
            let marks = futures.number(vec![bytes(4 * i, i % 2 == 0)]);
            let way = Before { after: bit(1), past: Futures::NOTHING };
            futures.add(&mut draft, Act { thread: 1, marks, lock: None }, way);
        }
        let future = futures.finish(draft.clone());
        assert_eq!(future.len(), 1);
        for i in 0..1000 {
            let write = futures.number(vec![bytes(4 * i, true)]);
            assert!(futures.dependent(future[0].0.marks, write), "all that was touched still is");
        }
    }
}
