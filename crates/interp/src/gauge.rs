//! How far a search through all executions has come, for those who wait for it.
//!
//! Idea: a depth-first search goes to the end of one execution first, and then comes back, place by
//! place: when it leaves a place for good it knows all that can happen from there. If it has met n
//! states on its way back over j of the d places where somebody else could have gone on, each place
//! has multiplied them by the j-th root of n, and if that goes on there will be n^(d/j).
//! Source: Chen, "Heuristic sampling: a method for predicting the performance of tree searching
//! programs", SIAM J. Comput. 1992, estimates growth by levels as well, from samples; one path has
//! to do here. Measured: `engines/src/choice.rs`.
//! Who waits can let the search rest, and go on later: it loses nothing. It rests if there is
//! somebody who waits, and all of them want it to rest.
//! Invariant: nothing that is said about a program depends on a gauge, only who gets the time.
//! Limits: choices of inputs multiply states as well, and are not seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// After so many transitions and ways back a search tells how far it is.
const TURNS: u32 = 512;
/// How often a search that rests looks whether to go on.
const REST: Duration = Duration::from_millis(5);

/// What a search says of itself while it runs, and what it is told.
#[derive(Debug, Default)]
pub struct Gauge {
    states: AtomicU64,
    microseconds: AtomicU64,
    deep: AtomicU32,
    back: AtomicU32,
    cut: AtomicBool,
    /// How many wait for it, and how many of them want it to go on.
    waiting: AtomicU32,
    eager: AtomicU32,
}

/// What a gauge shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// How many states were met.
    pub states: u64,
    /// What that has taken.
    pub busy: Duration,
    /// Places on the longest path where several threads could go on.
    pub deep: u32,
    /// How many of them were left for good.
    pub back: u32,
    /// Something was left out: there may be findings, but there will be no proof.
    pub cut: bool,
}

impl Reading {
    /// How many states there will be, if it goes on like this.
    pub fn estimate(&self) -> f64 {
        let levels = f64::from(self.deep) / f64::from(self.back.max(1));
        (self.states as f64).powf(levels.max(1.0))
    }
}

impl Gauge {
    /// What it shows now.
    pub fn read(&self) -> Reading {
        Reading {
            states: self.states.load(Ordering::Relaxed),
            busy: Duration::from_micros(self.microseconds.load(Ordering::Relaxed)),
            deep: self.deep.load(Ordering::Relaxed),
            back: self.back.load(Ordering::Relaxed),
            cut: self.cut.load(Ordering::Relaxed),
        }
    }

    /// What the search has come to.
    pub fn show(&self, reading: Reading) {
        let microseconds = u64::try_from(reading.busy.as_micros()).unwrap_or(u64::MAX);
        self.states.store(reading.states, Ordering::Relaxed);
        self.microseconds.store(microseconds, Ordering::Relaxed);
        self.deep.store(reading.deep, Ordering::Relaxed);
        self.back.store(reading.back, Ordering::Relaxed);
        self.cut.store(reading.cut, Ordering::Relaxed);
    }

    /// Whether the search is to rest.
    pub fn rests(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0 && self.eager.load(Ordering::Relaxed) == 0
    }
}

/// How a search goes, as it sees it itself.
pub struct Course {
    /// Places of the path where several threads could go on.
    branching: u32,
    /// The most that there were, and the fewest since the first way back.
    deep: u32,
    low: u32,
    began: Instant,
    rested: Duration,
    turns: u32,
}

impl Default for Course {
    fn default() -> Course {
        let (began, rested) = (Instant::now(), Duration::ZERO);
        Course { branching: 0, deep: 0, low: u32::MAX, began, rested, turns: 0 }
    }
}

impl Course {
    /// The path has one more place, where several threads can go on or not.
    pub fn goes_deeper(&mut self, branches: bool) {
        self.branching += u32::from(branches);
        self.deep = self.deep.max(self.branching);
    }

    /// Its last place is left for good.
    pub fn comes_back(&mut self, branches: bool) {
        self.branching -= u32::from(branches);
        self.low = self.low.min(self.branching);
    }

    /// Whether it is time to tell how far the search is. To be asked after each transition.
    pub fn has_news(&mut self) -> bool {
        self.turns = self.turns.wrapping_add(1);
        self.turns.is_multiple_of(TURNS)
    }

    /// What a gauge is to show.
    pub fn reading(&self, states: u64, cut: bool) -> Reading {
        let busy = self.began.elapsed().saturating_sub(self.rested);
        let back = self.deep - self.low.min(self.deep);
        Reading { states, busy, deep: self.deep, back, cut }
    }

    /// Does nothing as long as it is to rest, and is not over.
    pub fn rest(&mut self, gauge: &Gauge, over: impl Fn() -> bool) {
        while gauge.rests() && !over() {
            let since = Instant::now();
            thread::sleep(REST);
            self.rested += since.elapsed();
        }
    }
}

/// What one of those who wait for a search wants.
#[derive(Debug)]
pub struct Wish {
    gauge: Arc<Gauge>,
    eager: bool,
}

impl Wish {
    /// It is to go on.
    pub fn new(gauge: Arc<Gauge>) -> Wish {
        gauge.eager.fetch_add(1, Ordering::Relaxed);
        gauge.waiting.fetch_add(1, Ordering::Relaxed);
        Wish { gauge, eager: true }
    }

    /// It is to rest, or to go on.
    pub fn rest(&mut self, rest: bool) {
        match (self.eager, rest) {
            (true, true) => _ = self.gauge.eager.fetch_sub(1, Ordering::Relaxed),
            (false, false) => _ = self.gauge.eager.fetch_add(1, Ordering::Relaxed),
            (true, false) | (false, true) => {}
        }
        self.eager = !rest;
    }
}

impl Drop for Wish {
    fn drop(&mut self) {
        self.rest(true);
        self.gauge.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_multiply_on_the_way_back() {
        let reading = |states, back, deep| Reading { states, deep, back, ..Reading::default() };
        // All places were left: what there is was met.
        assert_eq!(reading(1000, 30, 30).estimate().round(), 1000.0);
        // A tenth of the way: each tenth multiplies by as much.
        assert_eq!(reading(10, 3, 30).estimate().log10().round(), 10.0);
        // Before the first end of an execution nothing is known: as if one place had been left.
        assert_eq!(reading(10, 0, 5).estimate().log10().round(), 5.0);
        assert_eq!(Reading::default().estimate(), 0.0);
    }

    #[test]
    fn a_search_rests_if_all_want_it() {
        let gauge = Arc::new(Gauge::default());
        assert!(!gauge.rests(), "nobody waits");
        let mut first = Wish::new(Arc::clone(&gauge));
        assert!(!gauge.rests());
        first.rest(true);
        assert!(gauge.rests());
        let second = Wish::new(Arc::clone(&gauge));
        assert!(!gauge.rests(), "one wants it");
        drop(second);
        assert!(gauge.rests(), "who has gone wants nothing");
        first.rest(false);
        assert!(!gauge.rests());
        drop(first);
        assert!(!gauge.rests(), "nobody waits");
    }
}
