//! The slot of each unit, in unary.
//!
//! For each unit u and slot k a literal *after(u, k)*: the number of u is larger than k. Slots are
//! 0 to `slots - 1`; number `slots` is the look. Order along a thread, creation and joins are then
//! two-literal clauses, and "u is in slot k" is the conjunction of two neighbouring literals.
//!
//! **Invariants:** (1) after(u, k + 1) implies after(u, k); (2) after(u, k) implies after(v, k) for
//! later units v of the thread. Whoever makes the literals says so ([`Numbers::increase`] does it
//! for free ones); [`Numbers::of_model`] checks both in each model.

use raddle_summary::ThreadIx;
use rustc_hash::FxHashMap;

use super::gates::{and, clause};
use crate::bounded::before::Unit;
use crate::bounded::formula::{Formula, Lit};

/// How much later the second of two units is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// They may be in one slot.
    Same,
    /// It is in a later slot, or both are in the look.
    Later,
}

/// The numbers of all units.
pub struct Numbers {
    /// How many slots there are; this number is the look.
    slots: u32,
    /// By thread, unit and slot: the number is larger.
    after: Vec<Vec<Vec<Lit>>>,
    /// By thread, unit and number (slots and the look): it is this one.
    at: Vec<Vec<Vec<Lit>>>,
    /// Pairs of units of a thread: they have one number.
    same: FxHashMap<(Unit, Unit), Lit>,
}

impl Numbers {
    /// Numbers given by their literals: by thread, unit and slot.
    pub fn new(formula: &mut dyn Formula, slots: u32, after: Vec<Vec<Vec<Lit>>>) -> Numbers {
        assert!(slots > 0, "an execution begins in a slot");
        let at = after
            .iter()
            .map(|units| units.iter().map(|lits| exact(formula, slots, lits)).collect())
            .collect();
        Numbers { slots, after, at, same: FxHashMap::default() }
    }

    /// New literals for the number of each unit, which increases along each thread. Units of thread
    /// t have at least the number `first[t]`, and may only be in the slots that `allowed` lets
    /// them.
    pub fn increase(
        formula: &mut dyn Formula,
        units: &[u32],
        slots: u32,
        first: &[u32],
        allowed: impl Fn(ThreadIx, u32) -> bool,
    ) -> Vec<Vec<Vec<Lit>>> {
        assert_eq!(units.len(), first.len(), "a first slot for each thread");
        let mut all = Vec::with_capacity(units.len());
        for (t, &count) in units.iter().enumerate() {
            let allowed = |k| k >= first[t] && allowed(ThreadIx(t as u32), k);
            let mut of_thread: Vec<Vec<Lit>> = Vec::with_capacity(count as usize);
            for unit in 0..count as usize {
                let mut lits: Vec<Lit> = Vec::with_capacity(slots as usize);
                let mut earlier = formula.tru();
                for k in 0..slots {
                    // What is not in slot k comes after it as soon as it comes after the one
                    // before.
                    let later = if allowed(k) { formula.new_lit() } else { earlier };
                    clause(formula, &[!later, earlier]);
                    if let Some(before) = unit.checked_sub(1).map(|u| of_thread[u][k as usize]) {
                        clause(formula, &[!before, later]);
                    }
                    lits.push(later);
                    earlier = later;
                }
                of_thread.push(lits);
            }
            all.push(of_thread);
        }
        all
    }

    /// How many slots there are.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The unit's number is larger than k; false for the look.
    pub fn after(&self, formula: &dyn Formula, unit: Unit, k: u32) -> Lit {
        let lits = &self.after[unit.0.index()][unit.1 as usize];
        lits.get(k as usize).copied().unwrap_or(!formula.tru())
    }

    /// The unit is in slot k, or in the look.
    pub fn at(&self, unit: Unit, k: u32) -> Lit {
        self.at[unit.0.index()][unit.1 as usize][k as usize]
    }

    /// The unit is in the look: not part of the execution.
    pub fn in_look(&self, unit: Unit) -> Lit {
        self.at(unit, self.slots)
    }

    /// The unit is part of the execution.
    pub fn executed(&self, unit: Unit) -> Lit {
        !self.in_look(unit)
    }

    /// Two units of a thread, the first one earlier, have one number.
    pub fn same(&mut self, formula: &mut dyn Formula, earlier: Unit, later: Unit) -> Lit {
        assert!(earlier.0 == later.0 && earlier.1 < later.1, "units of one thread in their order");
        if let Some(&same) = self.same.get(&(earlier, later)) {
            return same;
        }
        let same = formula.new_lit();
        for k in 0..self.slots {
            let [a, b] = [earlier, later].map(|u| self.after(formula, u, k));
            if a != b {
                clause(formula, &[!same, !b, a]);
            }
        }
        for k in 0..=self.slots {
            clause(formula, &[!self.at(earlier, k), !self.at(later, k), same]);
        }
        self.same.insert((earlier, later), same);
        same
    }

    /// If the condition holds, the second unit does not come before the first.
    pub fn edge(&self, formula: &mut dyn Formula, condition: Lit, from: Unit, to: Unit, gap: Gap) {
        for k in 0..self.slots {
            let premise = match gap {
                Gap::Same => self.after(formula, from, k),
                Gap::Later if k == 0 => formula.tru(),
                Gap::Later => self.after(formula, from, k - 1),
            };
            let to = self.after(formula, to, k);
            clause(formula, &[!condition, !premise, to]);
        }
    }

    /// The number of each unit in the last model, by thread.
    pub fn of_model(&self, formula: &mut dyn Formula) -> Vec<Vec<u32>> {
        let mut all = Vec::with_capacity(self.after.len());
        for units in &self.after {
            let mut numbers: Vec<u32> = Vec::with_capacity(units.len());
            for lits in units {
                let values: Vec<bool> = lits.iter().map(|&l| formula.value(l)).collect();
                let number = values.iter().take_while(|v| **v).count();
                debug_assert!(values[number..].iter().all(|v| !v), "numbers are unary");
                let number = number as u32;
                debug_assert!(numbers.last().is_none_or(|&n| n <= number), "and do not decrease");
                numbers.push(number);
            }
            all.push(numbers);
        }
        all
    }
}

/// For each number a literal: it is this one.
fn exact(formula: &mut dyn Formula, slots: u32, after: &[Lit]) -> Vec<Lit> {
    assert_eq!(after.len(), slots as usize, "a literal for each slot");
    let tru = formula.tru();
    let larger = |k: usize| after.get(k).copied().unwrap_or(!tru);
    let mut exact = Vec::with_capacity(after.len() + 1);
    for k in 0..=after.len() {
        let from = if k == 0 { tru } else { larger(k - 1) };
        exact.push(and(formula, &[from, !larger(k)]));
    }
    exact
}
