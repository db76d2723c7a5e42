//! Conditional stubborn sets: which threads the scheduler may choose.
//!
//! Idea: in each state take a set of threads such that, whatever the others do while these stand
//! still, what these are about to do stays the same; only threads of the set may be chosen. Thread i
//! *conflicts* with thread j in a state if i's next step touches a variable now that j may touch now
//! or later, and one of them writes it (`touches.rs`, `later.rs`). A set that is closed under
//! conflicts is stubborn. Gates are what j cannot pass while i stands still (`gates.rs`); what lies
//! behind them does not count: that is a transaction of i. All this is terms over the state, and so
//! is the transitive closure; of the closures of threads that can make a step the constraint takes
//! the one with fewest threads that can.
//! Source: paper 003 §3 and §4.2; Godefroid 1996, conditional stubborn sets.
//! We differ: a disabled thread in the set conflicts like an enabled one, so that who enables it is
//! in the set; sizes count enabled threads; sticky states are found on every cycle.
//!
//! **What is preserved:** violations, ends of automata and races, each with at least one execution.
//! Let w be a shortest execution from a state to one in which a goal holds, J the set chosen in the
//! state. (1) If a thread of J makes a step in w, take its first: nothing before it in w is of J, so
//! nothing before it touches what it touches, and it can be made at once, with the same result; the
//! rest is shorter. (2) Otherwise no thread of J moves in w. If all threads that the goal is about
//! are in J, all that the goal looks at is as it was, and the goal holds now. A race of a thread in
//! J with one that is not would be a conflict. (3) So the goal is about others. J has a thread that
//! can make a step b. The steps of w do not touch what b touches, and neither does the goal: its
//! threads only look at what they may touch later. So w goes on existing after b. This could go on
//! for ever only if some thread went round a cycle again and again; but each cycle has a sticky
//! state, in which a thread conflicts with all, so that J is everybody and (1) or (2) applies.
//! Inputs are free in each step: a step stands for all its inputs, so conditions do not speak of
//! them, and a thread whose ability to move depends on inputs counts as one that perhaps cannot.
//!
//! *Atomic sections* of several states are one step: who is in one goes on alone. Before it enters,
//! a thread conflicts with all, because it might not come to the end of the section.
//! Limits: not for deadlocks, leaks and properties of infinite executions; no restriction with more than
//! [`MOST_THREADS`] threads.

use std::collections::BTreeMap;

use raddle_automaton::{StateIx, ThreadIx};
use raddle_ir::{Property, PropertySet};
use raddle_term::TermId;

use super::compose::{Composition, Name};
use super::gates::AllGates;
use super::later::{Gates, How, Later, later, sticky};
use super::touches::{Shared, Touches};

/// Most threads: the closure has a gate for each three of them.
const MOST_THREADS: usize = 24;

/// Width of numbers of threads.
const COUNT_BITS: u32 = 8;

/// Which reductions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// Stubborn sets at all.
    pub stubborn: bool,
    /// With transactions.
    pub transactions: bool,
}

impl Reductions {
    /// Pure interleaving.
    pub const NONE: Reductions = Reductions { stubborn: false, transactions: false };
}

/// Those of the reductions that preserve what is checked: none for deadlocks (`deadlocks.rs`), for what is left
/// at the end of the program (steps do not touch what only the end looks at), and for infinite executions.
pub fn that_preserve(checked: PropertySet, reductions: Reductions) -> Reductions {
    let others = checked.contains(Property::Deadlocks) || checked.looks_at_heap();
    match others || checked.is_linear() {
        true => Reductions::NONE,
        false => reductions,
    }
}

/// By thread the condition that it may be chosen; none if all threads may be in all states.
pub fn allowed(composition: &mut Composition, reductions: Reductions) -> Option<Vec<TermId>> {
    let mut scheduler = Scheduler::new(composition, reductions)?;
    let closures = scheduler.closures();
    Some(scheduler.smallest(&closures))
}

/// What a choice of threads depends on.
pub struct Scheduler<'a> {
    composition: &'a mut Composition,
    touches: Touches,
    gates: AllGates,
    /// By thread and state.
    later: Vec<Vec<Later>>,
}

impl<'a> Scheduler<'a> {
    /// Unless all threads may be chosen in all states.
    pub fn new(composition: &'a mut Composition, reductions: Reductions) -> Option<Scheduler<'a>> {
        let threads = 2..=MOST_THREADS;
        if !reductions.stubborn || !threads.contains(&composition.steps.len()) {
            return None;
        }
        let touches = Touches::new(composition);
        let gates = match reductions.transactions {
            true => AllGates::new(composition, &touches),
            false => AllGates::none(&touches),
        };
        let all = touches.steps.iter().zip(&gates.passed).map(|(s, g)| later(s, g)).collect();
        Some(Scheduler { composition, touches, gates, later: all })
    }

    /// By two threads: the condition that the second one is in the smallest set with the first.
    pub fn closures(&mut self) -> Vec<Vec<TermId>> {
        let threads = self.touches.steps.len();
        let mut closures: Vec<Vec<TermId>> = Vec::new();
        for i in 0..threads {
            let full = self.conflicts_with_all(ThreadIx(i as u32));
            let row = (0..threads).map(|j| match i == j {
                true => self.composition.terms.tru(),
                false => self.conflict(ThreadIx(i as u32), ThreadIx(j as u32), full),
            });
            closures.push(row.collect());
        }
        self.close(&mut closures);
        closures
    }

    fn at(&self, thread: ThreadIx, state: usize) -> TermId {
        self.composition.now(Name::At(thread, StateIx(state as u32)))
    }

    /// The condition that a thread conflicts with all others.
    fn conflicts_with_all(&mut self, thread: ThreadIx) -> TermId {
        let steps = &self.touches.steps[thread.index()];
        let marked = sticky(steps, |s| self.rivals(thread, s));
        let in_section = |s: usize| self.composition.steps[thread.index()][s].in_section();
        let enters =
            |s: usize| !in_section(s) && steps[s].targets.iter().any(|t| in_section(t.index()));
        let here = (1..steps.len()).filter(|&s| marked[s] || enters(s));
        let here: Vec<TermId> = here.map(|s| self.at(thread, s)).collect();
        self.composition.terms.or_all(&here)
    }

    /// With how many threads a step conflicts in some state.
    fn rivals(&self, thread: ThreadIx, state: StateIx) -> usize {
        let step = &self.touches.steps[thread.index()][state.index()];
        let start = StateIx::START.index();
        let meets = |later: &Later| {
            let has = |x: &Shared, how: How| later.contains_key(&(*x, how));
            let writes = step.writes.keys().any(|x| has(x, How::Reads) || has(x, How::Writes));
            writes || step.reads.keys().any(|x| has(x, How::Writes))
        };
        let others = self.later.iter().enumerate().filter(|(t, _)| *t != thread.index());
        others.filter(|(_, later)| meets(&later[start])).count()
    }

    /// The condition that a thread, about to make its step, conflicts with another one.
    fn conflict(&mut self, i: ThreadIx, j: ThreadIx, full: TermId) -> TermId {
        let mut all = vec![full];
        for x in 0..self.touches.variables.len() {
            let reads = self.touches_now(i, x, How::Reads);
            let writes = self.touches_now(i, x, How::Writes);
            let pairs = [(reads, How::Writes), (writes, How::Reads), (writes, How::Writes)];
            for (now, how) in pairs {
                if !self.composition.terms.is_false(now) {
                    let later = self.touches_later(j, (x, how), i);
                    all.push(self.composition.terms.and(now, later));
                }
            }
        }
        self.composition.terms.or_all(&all)
    }

    /// `touch-now`.
    fn touches_now(&mut self, thread: ThreadIx, x: Shared, how: How) -> TermId {
        let mut all = Vec::new();
        for (s, step) in self.touches.steps[thread.index()].iter().enumerate() {
            let touches = match how {
                How::Reads => &step.reads,
                How::Writes => &step.writes,
            };
            if let Some(touch) = touches.get(&x) {
                all.push((s, touch.cond));
            }
        }
        let mut now = self.composition.terms.fals();
        for (s, cond) in all {
            let at = self.at(thread, s);
            let here = self.composition.terms.and(at, cond);
            now = self.composition.terms.or(now, here);
        }
        now
    }

    /// `touch-now-later` of a thread, while another one stands still.
    fn touches_later(&mut self, j: ThreadIx, key: (Shared, How), still: ThreadIx) -> TermId {
        let mut states: BTreeMap<Gates, Vec<TermId>> = BTreeMap::new();
        for (s, later) in self.later[j.index()].iter().enumerate().skip(1) {
            for &pattern in later.get(&key).into_iter().flatten() {
                states.entry(pattern).or_default().push(self.at(j, s));
            }
        }
        let mut any = self.composition.terms.fals();
        for (pattern, states) in states {
            let terms = &mut self.composition.terms;
            let mut cond = terms.or_all(&states);
            for (g, shut_by) in self.gates.shut_by.iter().enumerate() {
                if pattern >> g & 1 == 1 {
                    let open = terms.not(shut_by[still.index()]);
                    cond = terms.and(cond, open);
                }
            }
            any = terms.or(any, cond);
        }
        any
    }

    /// The transitive closure.
    fn close(&mut self, reach: &mut [Vec<TermId>]) {
        let terms = &mut self.composition.terms;
        for k in 0..reach.len() {
            let through = reach[k].clone();
            for row in reach.iter_mut() {
                for j in 0..through.len() {
                    let both = terms.and(row[k], through[j]);
                    row[j] = terms.or(row[j], both);
                }
            }
        }
    }

    /// By thread: whether it can make a step, perhaps and certainly.
    fn enabled(&mut self) -> (Vec<TermId>, Vec<TermId>) {
        let (mut perhaps, mut certain) = (Vec::new(), Vec::new());
        for t in 0..self.touches.steps.len() {
            let (mut may, mut must) = (Vec::new(), Vec::new());
            for s in 1..self.touches.steps[t].len() {
                let at = self.at(ThreadIx(t as u32), s);
                match self.touches.steps[t][s].enabled {
                    None => may.push(at),
                    Some(cond) => {
                        let here = self.composition.terms.and(at, cond);
                        may.push(here);
                        must.push(here);
                    }
                }
            }
            perhaps.push(self.composition.terms.or_all(&may));
            certain.push(self.composition.terms.or_all(&must));
        }
        (perhaps, certain)
    }

    /// The smallest closure of a thread that can make a step; everybody if there is none, or while
    /// somebody is in an atomic section and goes on alone anyway.
    pub fn smallest(&mut self, reach: &[Vec<TermId>]) -> Vec<TermId> {
        let (perhaps, certain) = self.enabled();
        let sections = self.composition.in_section.clone();
        let terms = &mut self.composition.terms;
        let mut best = vec![terms.tru(); reach.len()];
        let mut least = terms.constant(u128::from(u8::MAX), COUNT_BITS);
        for (row, &goes) in reach.iter().zip(&certain) {
            let mut size = terms.constant(0, COUNT_BITS);
            for (&inside, &goes) in row.iter().zip(&perhaps) {
                let counts = terms.and(inside, goes);
                let counts = terms.zext(counts, COUNT_BITS);
                size = terms.add(size, counts);
            }
            let smaller = terms.ult(size, least);
            let better = terms.and(goes, smaller);
            least = terms.ite(better, size, least);
            for (allowed, &inside) in best.iter_mut().zip(row) {
                *allowed = terms.ite(better, inside, *allowed);
            }
        }
        let section = terms.or_all(&sections);
        best.into_iter().map(|allowed| terms.or(allowed, section)).collect()
    }
}
