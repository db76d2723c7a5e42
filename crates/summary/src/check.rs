//! What holds of every skeleton, checked.
//!
//! Idea: each invariant that an engine relies on is one assertion here, with its reason. Shape
//! (numbers in range, widths, order) is checked as it stands. What is said about conditions (an
//! event occurs only if it is reached, a child does nothing unless it was created, exclusive paths)
//! would need a solver to be proved; it is tried on a few assignments of the variables instead,
//! with small values often, since those decide most branches. Debug builds, and
//! runs on generated programs, check what every [`crate::summarise`] returns.
//! Limits: a condition that is false in all samples is not told from one that is always false.

use raddle_term::{Evaluator, Op, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::beginning::Image;
use crate::knowledge::{Knowledge, ObjectIx};
use crate::skeleton::{ChoiceKind, Event, MarkKind, Skeleton, Thread, ThreadIx, Trail, WaitKind};

/// Assignments on which conditions are compared.
const SAMPLES: u64 = 4;

impl Skeleton {
    /// Panics if an invariant of the skeleton is broken. About linear in its size and that of its
    /// terms.
    pub fn check_invariants(&self, terms: &Terms, knowledge: &Knowledge) {
        let check = Check { skeleton: self, terms, knowledge };
        check.threads();
        check.events();
        check.marks();
        check.joins_and_waits();
        check.violations_and_cuts();
        check.memory();
        let implications = check.implications();
        let exclusive = check.exclusive();
        for sample in 0..SAMPLES {
            check.sample(sample, &implications, &exclusive);
        }
    }
}

/// That one condition implies another, and of what.
struct Implication {
    strong: TermId,
    weak: TermId,
    what: &'static str,
}

struct Check<'a> {
    skeleton: &'a Skeleton,
    terms: &'a Terms,
    knowledge: &'a Knowledge,
}

impl Check<'_> {
    fn boolean(&self, t: TermId, what: &str) {
        self.vector(t, 1, what);
    }

    fn vector(&self, t: TermId, width: u32, what: &str) {
        assert!(t.index() < self.terms.len(), "{what} is a term of the pool");
        assert_eq!(self.terms.width(t), width, "{what} has the right width");
    }

    fn variable(&self, t: TermId, width: u32, what: &str) {
        self.vector(t, width, what);
        assert_eq!(self.terms.op(t), Op::Var, "{what} is free");
    }

    fn object(&self, o: ObjectIx, what: &str) {
        assert!(o.index() < self.knowledge.len(), "{what} is a known object");
    }

    fn record(&self, thread: ThreadIx) -> &Thread {
        assert!(thread.index() < self.skeleton.threads.len(), "{thread:?} exists");
        &self.skeleton.threads[thread.index()]
    }

    /// Unit 0 is the thread's existence: what happens in it has units from 1, so that each has one
    /// before it.
    fn unit(&self, thread: ThreadIx, unit: u32, what: &str) {
        let units = self.record(thread).units;
        assert!(unit >= 1, "{what} of {thread:?} has a unit before it");
        assert!(unit < units, "{what} of {thread:?} in unit {unit} of {units}");
    }

    fn threads(&self) {
        let mut numbers = FxHashSet::default();
        for (i, thread) in self.skeleton.threads.iter().enumerate() {
            let me = ThreadIx(i as u32);
            assert!(numbers.insert(thread.number), "thread number {} is used once", thread.number);
            assert!(thread.number > 0, "0 is the word of a free mutex, not the number of a thread");
            self.boolean(thread.ended, "the end of a thread");
            let all = thread.variables.clone();
            assert!(all.end <= self.terms.variable_count(), "variables of a thread exist");
            match thread.parent {
                None => assert_eq!(i, 0, "only the main thread has no parent"),
                Some(parent) => {
                    assert!(parent < me, "a parent stands before its children");
                    let around = &self.record(parent).variables;
                    let inside = around.start <= all.start && all.end <= around.end;
                    assert!(inside, "a child is executed while its parent is");
                }
            }
            for choice in &thread.choices {
                self.boolean(choice.guard, "the guard of a choice");
                match choice.kind {
                    ChoiceKind::Input(value, _) => {
                        assert_eq!(self.terms.op(value), Op::Var, "an input is free");
                    }
                    ChoiceKind::Alloc(o) => self.object(o, "what is allocated"),
                    ChoiceKind::Thread(child) => {
                        assert_eq!(self.record(child).parent, Some(me), "a thread names its child");
                    }
                }
            }
        }
    }

    fn events(&self) {
        let mut last: FxHashMap<ThreadIx, u32> = FxHashMap::default();
        for event in &self.skeleton.events {
            self.unit(event.thread, event.unit, "an event");
            let before = last.insert(event.thread, event.position);
            assert!(before < Some(event.position), "positions of a thread ascend");
            assert!(event.bytes > 0, "an access has bytes");
            self.vector(event.value, event.bytes * 8, "the value of an event");
            self.boolean(event.guard, "the guard of an event");
            self.boolean(event.reached, "the condition for reaching an event");
            assert!(event.alignment <= 4, "objects are aligned to 16 bytes, no address to more");
            assert!(!event.lock || (event.hidden && event.atomic), "lock words never race");
            self.targets(event);
            let sorted = event.locks.windows(2).all(|two| two[0].address < two[1].address);
            assert!(sorted, "mutexes that are held are sorted");
            for held in event.locks.iter() {
                assert!(held.since <= event.unit, "a mutex is held after it was acquired");
            }
        }
    }

    /// Targets lie in their objects; a constant address has one, which is just there.
    fn targets(&self, event: &Event) {
        assert!(!event.targets.is_empty(), "an access goes somewhere");
        for &(o, offset) in &event.targets {
            self.object(o, "a target");
            let end = offset.unwrap_or(0) + u64::from(event.bytes);
            assert!(end <= self.knowledge.object(o).size, "an access fits into its object");
        }
        let distinct: FxHashSet<_> = event.targets.iter().collect();
        assert_eq!(distinct.len(), event.targets.len(), "a target is named once");
        match (self.terms.as_const(event.address), &event.targets[..]) {
            (Some(address), [(o, Some(offset))]) => {
                let base = self.knowledge.object(*o).base;
                assert_eq!(address, u128::from(base + offset), "the target is at the address");
            }
            (Some(_), other) => panic!("a constant address has one place, not {other:?}"),
            (None, [(_, Some(_))]) => panic!("an access to one place has a constant address"),
            (None, _) => {}
        }
    }

    fn marks(&self) {
        let mut created = vec![0; self.skeleton.threads.len()];
        let mut begun = FxHashSet::default();
        for mark in &self.skeleton.marks {
            self.unit(mark.thread, mark.unit, "a mark");
            self.boolean(mark.guard, "the guard of a mark");
            match mark.kind {
                MarkKind::Create(child) => {
                    let parent = self.record(child).parent;
                    assert_eq!(parent, Some(mark.thread), "a thread is created by its parent");
                    created[child.index()] += 1;
                }
                MarkKind::Join(child) => {
                    assert!(child != mark.thread, "a thread that joins itself never goes on");
                    assert!(self.record(child).units > 0, "who is joined at once is summarised");
                }
                MarkKind::SectionBegin => {
                    let new = begun.insert((mark.thread, mark.unit));
                    assert!(new, "a section has a unit of its own");
                }
                MarkKind::SectionEnd => {
                    let open = begun.contains(&(mark.thread, mark.unit));
                    assert!(open, "a section ends after it began");
                }
                MarkKind::End => {}
            }
        }
        for (i, &times) in created.iter().enumerate() {
            assert_eq!(
                times,
                usize::from(i > 0),
                "thread {i} is created once, the first one never"
            );
        }
    }

    fn joins_and_waits(&self) {
        for join in &self.skeleton.joins {
            self.unit(join.thread, join.unit, "a join");
            self.boolean(join.guard, "the guard of a join");
            self.variable(join.done, 1, "whether a thread was joined");
            self.variable(
                join.result,
                self.terms.width(join.target),
                "what a joined thread returned",
            );
        }
        for wait in &self.skeleton.waits {
            self.unit(wait.thread, wait.unit, "a wait");
            self.boolean(wait.guard, "the guard of a wait");
            self.boolean(wait.stuck, "the condition for being stuck");
            assert!(!self.terms.is_false(wait.stuck), "a wait that never lasts is not recorded");
            match wait.kind {
                WaitKind::Lock(word) => self.vector(word, 32, "the word of a mutex"),
                WaitKind::Join(target) => assert!(target.index() < self.terms.len(), "a number"),
                WaitKind::Loop => assert!(wait.reads, "a loop ends by what others write"),
                WaitKind::Condition => {}
            }
        }
    }

    fn violations_and_cuts(&self) {
        for violation in &self.skeleton.violations {
            self.unit(violation.thread, violation.unit, "a violation");
            self.boolean(violation.condition, "the condition of a violation");
            let possible = !self.terms.is_false(violation.condition);
            assert!(possible, "a violation that is impossible is not recorded");
            for &(o, alive) in &violation.leaks {
                assert!(self.skeleton.heap.contains_key(&o), "what leaks was allocated");
                self.boolean(alive, "whether an object is left");
            }
            if let Some((address, bytes)) = violation.access {
                assert!(address.index() < self.terms.len() && bytes > 0, "a wrong access is one");
            }
        }
        for cut in &self.skeleton.cuts {
            self.unit(cut.thread, cut.unit, "a cut");
            self.boolean(cut.condition, "the condition of a cut");
        }
    }

    fn memory(&self) {
        for Image { guard, memory } in &self.skeleton.images {
            self.boolean(*guard, "the condition of an image");
            for (o, contents) in memory.objects() {
                self.object(o, "part of an image");
                let mut end = 0;
                for (offset, bytes, value) in contents.cells() {
                    assert!(offset >= end, "cells do not overlap");
                    end = offset + u64::from(bytes);
                    self.vector(value, bytes * 8, "the contents of a cell");
                }
            }
        }
        for (&(o, _), &value) in &self.skeleton.initial_bytes {
            self.object(o, "what is arbitrary at the start");
            self.variable(value, 8, "an arbitrary byte");
        }
        for &assumption in &self.skeleton.assumptions {
            self.boolean(assumption, "an assumption");
        }
        for &o in self.skeleton.heap.keys() {
            self.object(o, "what is on the heap");
        }
    }

    /// What must imply what, whatever the variables are.
    fn implications(&self) -> Vec<Implication> {
        let mut created = vec![self.terms.tru(); self.skeleton.threads.len()];
        for mark in &self.skeleton.marks {
            if let MarkKind::Create(child) = mark.kind {
                created[child.index()] = mark.guard;
            }
        }
        let mut all: Vec<Implication> = Vec::new();
        let mut add = |strong: TermId, weak: TermId, what: &'static str| {
            if strong != weak && !self.terms.is_true(weak) && !self.terms.is_false(strong) {
                all.push(Implication { strong, weak, what });
            }
        };
        let born = |thread: ThreadIx| created[thread.index()];
        for event in &self.skeleton.events {
            // A look goes with an access that comes after it.
            if event.trail != Trail::Look {
                add(event.guard, event.reached, "an event occurs only where it is reached");
            }
            add(event.reached, born(event.thread), "an event needs its thread");
            add(event.guard, born(event.thread), "an event needs its thread");
        }
        for mark in &self.skeleton.marks {
            add(mark.guard, born(mark.thread), "a mark needs its thread");
        }
        for (i, thread) in self.skeleton.threads.iter().enumerate() {
            add(thread.ended, created[i], "a thread that ends was created");
            for choice in &thread.choices {
                add(choice.guard, created[i], "a choice needs its thread");
            }
        }
        for join in &self.skeleton.joins {
            add(join.guard, born(join.thread), "a join needs its thread");
        }
        for wait in &self.skeleton.waits {
            add(wait.stuck, wait.guard, "a thread is stuck only at a point that it reached");
            add(wait.guard, born(wait.thread), "a wait needs its thread");
        }
        for violation in &self.skeleton.violations {
            add(violation.condition, born(violation.thread), "a violation needs its thread");
        }
        for cut in &self.skeleton.cuts {
            add(cut.condition, born(cut.thread), "a cut needs its thread");
        }
        all
    }

    /// Groups of conditions of which at most one holds.
    fn exclusive(&self) -> Vec<(Vec<TermId>, &'static str)> {
        let images = self.skeleton.images.iter().map(|image| image.guard).collect();
        let mut groups = vec![(images, "memory is given to others once")];
        for i in 0..self.skeleton.threads.len() {
            let marks = self.skeleton.marks.iter();
            let ends = marks.filter(|m| m.thread.index() == i && m.kind == MarkKind::End);
            groups.push((ends.map(|m| m.guard).collect(), "a thread ends once"));
        }
        groups
    }

    fn sample(
        &self,
        sample: u64,
        implications: &[Implication],
        exclusive: &[(Vec<TermId>, &'static str)],
    ) {
        let mut evaluator = Evaluator::new();
        let mut value_of = |v: VarId| arbitrary(sample, v);
        let mut holds = |t: TermId| evaluator.value(self.terms, t, &mut value_of) == 1;
        for Implication { strong, weak, what } in implications {
            assert!(!holds(*strong) || holds(*weak), "{what} ({strong:?} implies {weak:?})");
        }
        for (group, what) in exclusive {
            let several = group.iter().filter(|t| holds(**t)).count() > 1;
            assert!(!several, "{what}");
        }
    }
}

/// A value of a variable: 0, 1, small or anything, one as often as the other.
fn arbitrary(sample: u64, v: VarId) -> u128 {
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    let mut z = (sample << 32 | v.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    match z & 3 {
        0 => 0,
        1 => 1,
        2 => u128::from(z >> 2 & 7),
        _ => u128::from(z),
    }
}
