//! What the token carries besides memory: a clock for each thread, and marks.
//!
//! Idea: the clock of a thread counts the steps that it has made with the token. Whoever takes the
//! token before its k-th step finds k on its own clock. Clocks only grow, so passes make no circle
//! and keep the order of each thread; and with clocks and memory a slot has the whole state of the
//! program, so what follows from it does not depend on how it was reached. That is what makes
//! refutations short: with one number that counts passes (as was here before) a solver has to learn
//! the same for every order of the steps before.
//! Source: paper 000 §5.2 has a clock for each thread, too; there it counts passes. Marks are those
//! of `order.rs`.
//! Clocks have as many bits as are needed. A thread that begins later, or a bit more, is carried from
//! then on by all slots and in all passes there are.
//! Invariant: all slots with the token carry the same items.

use std::collections::hash_map::Entry;

use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::order::{Marks, Step};
use super::token::At;

/// Bits by which clocks grow.
const BITS: u32 = 3;

/// One thing that is carried.
#[derive(Clone)]
enum Item {
    /// Bits of the clock of a run, from this one on.
    Clock { run: usize, low: u32 },
    /// The marks of a thread.
    Marks { run: usize, marks: Marks },
}

/// Before and after a step.
#[derive(Clone)]
struct Carried {
    before: Vec<TermId>,
    after: Vec<TermId>,
}

/// Some bits of the clock of a run, in one slot.
#[derive(Clone, Copy, Debug)]
pub struct ClockPart {
    /// The run whose steps it counts.
    pub run: usize,
    /// The first of the bits.
    pub low: u32,
    /// Before the slot's step.
    pub before: TermId,
    /// And after it.
    pub after: TermId,
}

/// What is carried, by slot.
#[derive(Default)]
pub struct Load {
    items: Vec<Item>,
    at: FxHashMap<At, Vec<Carried>>,
    /// By slot: how many steps its thread has made with the token before.
    steps: FxHashMap<At, u32>,
    /// By run: the bits of its clock.
    bits: FxHashMap<usize, u32>,
}

/// A slot that carries something.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Where.
    pub at: At,
    /// Its step.
    pub step: Step<'a>,
    /// Whether it is main's first: nobody has done anything before.
    pub first: bool,
}

impl Load {
    /// Counts the step of a new slot; the thread's slot before it is given.
    pub fn count(&mut self, at: At, previous: Option<usize>) {
        let steps = previous.map_or(0, |p| self.steps[&(at.0, p)] + 1);
        self.steps.insert(at, steps);
    }

    /// What must be carried besides so that the steps up to a slot can be counted; with marks, if
    /// the thread needs them and has none.
    pub fn missing(&mut self, at: At, marks: impl FnOnce() -> Option<Marks>) -> Vec<usize> {
        let first = self.items.len();
        let after = self.steps[&at] + 1;
        if let Entry::Vacant(unknown) = self.bits.entry(at.0) {
            unknown.insert(0);
            if let Some(marks) = marks() {
                self.items.push(Item::Marks { run: at.0, marks });
            }
        }
        let bits = self.bits.get_mut(&at.0).expect("it was put there");
        while after >> *bits != 0 {
            self.items.push(Item::Clock { run: at.0, low: *bits });
            *bits += BITS;
        }
        (first..self.items.len()).collect()
    }

    /// A slot carries one more item, or a new slot all.
    pub fn put(&mut self, terms: &mut Terms, place: Place, items: &[usize]) {
        for &i in items {
            let carried = self.carried(terms, place, i);
            let all = self.at.entry(place.at).or_default();
            assert_eq!(all.len(), i, "items are carried in their order");
            all.push(carried);
        }
    }

    /// The numbers of all items.
    pub fn all(&self) -> Vec<usize> {
        (0..self.items.len()).collect()
    }

    fn carried(&self, terms: &mut Terms, place: Place, item: usize) -> Carried {
        match &self.items[item] {
            Item::Clock { run, low } => {
                let steps = self.steps[&place.at];
                let part = |steps: u32| u128::from(steps >> low & ((1 << BITS) - 1));
                if *run == place.at.0 {
                    let [before, after] =
                        [steps, steps + 1].map(|s| vec![terms.constant(part(s), BITS)]);
                    return Carried { before, after };
                }
                let before = match place.first {
                    true => vec![terms.constant(0, BITS)],
                    false => vec![terms.fresh(BITS)],
                };
                Carried { after: before.clone(), before }
            }
            Item::Marks { marks, .. } => {
                let before: Vec<TermId> = match place.first {
                    true => vec![terms.fals(); marks.len()],
                    false => (0..marks.len()).map(|_| terms.fresh(1)).collect(),
                };
                let after = marks.after(terms, &before, place.step);
                Carried { before, after }
            }
        }
    }

    /// Which terms are equal if the second slot finds what the first one leaves.
    pub fn handed(&self, from: At, to: At, items: &[usize]) -> Vec<(TermId, TermId)> {
        let (from, to) = (&self.at[&from], &self.at[&to]);
        let pairs = items.iter().flat_map(|&i| to[i].before.iter().zip(&from[i].after));
        pairs.map(|(&found, &left)| (found, left)).collect()
    }

    /// The condition that a slot's step could not have come before one of a later thread.
    pub fn in_order(&self, terms: &mut Terms, place: Place) -> Option<TermId> {
        let (i, marks) = self.marks_of(place.at.0)?;
        Some(marks.in_order(terms, &self.at[&place.at][i].before, place.step))
    }

    /// Whether a step may come right after that of another slot: it could not have come before it.
    pub fn may_follow(&self, terms: &mut Terms, from: At, place: Place) -> bool {
        let Some((i, marks)) = self.marks_of(place.at.0) else { return true };
        let found = &self.at[&from][i].after;
        place.step.section || {
            let right = marks.in_order(terms, found, place.step);
            !terms.is_false(right)
        }
    }

    /// The marks of a run, and which item they are.
    fn marks_of(&self, run: usize) -> Option<(usize, &Marks)> {
        self.items.iter().enumerate().find_map(|(i, item)| match item {
            Item::Marks { run: of, marks } if *of == run => Some((i, marks)),
            Item::Marks { .. } | Item::Clock { .. } => None,
        })
    }

    /// The clocks that a slot finds and leaves, in parts.
    pub fn clocks(&self, at: At) -> Vec<ClockPart> {
        let Some(all) = self.at.get(&at) else { return Vec::new() };
        let part = |(item, carried): (&Item, &Carried)| match *item {
            Item::Clock { run, low } => {
                let (before, after) = (carried.before[0], carried.after[0]);
                Some(ClockPart { run, low, before, after })
            }
            Item::Marks { .. } => None,
        };
        self.items.iter().zip(all).filter_map(part).collect()
    }
}
