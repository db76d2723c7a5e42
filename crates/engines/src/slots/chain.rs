//! One cell: what reads see, and what is left at the end of each slot.
//!
//! For each thread that accesses the cell its accesses form a chain. Before a unit u, the thread
//! *owns* the contents if it has written them in the slot of u: own(u) = same slot as its last
//! writing unit w, and w wrote or own(w). Then a read sees the value of that chain, otherwise what
//! memory held when the slot began. Writes of the read's own unit come first; they count as soon as
//! they are reached, also in an atomic section that is not completed, of which others see nothing.
//! A unit *leaves* its value if it writes and no later unit of its thread in the same slot does.
//! The unit that leaves its value in slot k decides the contents at the end of slot k; if there is
//! none they do not change. Source: paper 002 §3, stage 3. We differ: the paper compares a read
//! with one write, the last before it in program order, whose value is passed on if its guard is
//! false; here conditions are passed on, one literal for each write, and values only where they are
//! used. Cost: per access and slot two clauses for each bit, and per cell and slot again.

use raddle_summary::{EventKind, ThreadIx};
use raddle_term::{TermId, Terms};

use super::gates::{and, or};
use super::narrow;
use super::numbers::Numbers;
use crate::bounded::before::Unit;
use crate::bounded::formula::{Formula, Lit};

/// One access of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Where.
    pub unit: Unit,
    /// Read or write.
    pub kind: EventKind,
    /// When it occurs, at this cell.
    pub occurs: TermId,
    /// When its thread comes to it, and it is at this cell.
    pub reached: TermId,
    /// What it reads or writes.
    pub value: TermId,
    /// What a read certainly finds, if that is known.
    pub known: Option<TermId>,
}

/// What holds of one cell in time.
pub struct Cell {
    /// The contents before slot 0.
    pub initial: TermId,
    /// So many low bits may ever differ from 0; contents are of this width.
    pub bits: u32,
    /// The contents at the end of each slot; empty if one thread alone accesses the cell.
    pub contents: Vec<TermId>,
    /// For each slot: somebody writes there.
    pub written: Vec<Lit>,
}

impl Cell {
    /// A cell with these accesses, still without contents in time.
    pub fn new(terms: &Terms, initial: TermId, accesses: &[Access]) -> Cell {
        let bits = narrow::bits(terms, initial, accesses);
        Cell { initial, bits, contents: Vec::new(), written: Vec::new() }
    }

    /// The part of a value that is written down.
    pub fn low(&self, terms: &mut Terms, value: TermId) -> TermId {
        terms.extract(value, self.bits - 1, 0)
    }

    /// What memory holds when a slot, or the look, begins.
    pub fn before(&self, terms: &mut Terms, slot: u32) -> TermId {
        match slot.checked_sub(1) {
            None => self.low(terms, self.initial),
            Some(earlier) => self.contents[earlier as usize],
        }
    }
}

/// Where encodings go.
pub struct Encoder<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The formula.
    pub formula: &'a mut dyn Formula,
    /// The slots of units.
    pub numbers: &'a mut Numbers,
}

/// Units of a thread that may write the cell.
struct Writing {
    unit: Unit,
    /// It does.
    writes: Lit,
    /// What.
    value: TermId,
}

/// What a thread itself has written in the slot of a unit, before that unit.
#[derive(Clone, Copy)]
struct Own {
    /// It has.
    wrote: Lit,
    /// The last value; none before the first write.
    value: Option<TermId>,
}

impl Encoder<'_> {
    /// The literal of a Boolean term.
    pub fn lit(&mut self, t: TermId) -> Lit {
        self.formula.lit(self.terms, t)
    }

    /// If the premises hold the two terms are equal.
    pub fn equal(&mut self, premises: &[Lit], a: TermId, b: TermId) {
        let equal = self.terms.eq(a, b);
        self.formula.assert_implies(self.terms, premises, equal);
    }

    /// Encodes a cell with all its accesses, those of each thread in program order.
    pub fn cell(&mut self, initial: TermId, accesses: &[Access]) -> Cell {
        let mut threads: Vec<ThreadIx> = accesses.iter().map(|a| a.unit.0).collect();
        threads.sort_unstable();
        threads.dedup();
        let slots = self.numbers.slots();
        let alone = threads.len() < 2;
        let width = self.terms.width(initial);
        let fits = |a: &Access| self.terms.width(a.value) == width;
        debug_assert!(accesses.iter().all(fits), "accesses touch a cell wholly");
        let mut cell = Cell::new(self.terms, initial, accesses);
        if !alone {
            cell.contents = (0..slots).map(|_| self.terms.fresh(cell.bits)).collect();
        }
        // For each slot the units that leave a value.
        let mut leaving: Vec<Vec<Lit>> = vec![Vec::new(); slots as usize];
        for thread in threads {
            let own: Vec<Access> =
                accesses.iter().filter(|a| a.unit.0 == thread).copied().collect();
            debug_assert!(own.is_sorted_by_key(|a| a.unit), "in program order");
            let writings = self.chain(&cell, &own, alone);
            if !alone {
                self.leave(&cell, &writings, &mut leaving);
            }
        }
        if !alone {
            for (k, leaving) in leaving.iter().enumerate() {
                let written = or(self.formula, leaving);
                let before = cell.before(self.terms, k as u32);
                self.equal(&[!written], cell.contents[k], before);
                cell.written.push(written);
            }
        }
        assert_eq!(cell.written.len(), cell.contents.len(), "contents change by writing");
        cell
    }

    /// The accesses of one thread; gives back its units that write.
    fn chain(&mut self, cell: &Cell, accesses: &[Access], alone: bool) -> Vec<Writing> {
        let mut writings: Vec<Writing> = Vec::new();
        // What the thread has written in the slot of its last writing unit, that one included.
        let mut last = Own { wrote: !self.formula.tru(), value: None };
        for unit in accesses.chunk_by(|a, b| a.unit == b.unit) {
            let here = unit[0].unit;
            let own = match writings.last() {
                None => last,
                Some(_) if alone => last,
                Some(writing) => {
                    let same = self.numbers.same(self.formula, writing.unit, here);
                    Own { wrote: and(self.formula, &[same, last.wrote]), value: last.value }
                }
            };
            for (occurs, read) in self.reads_of_others(unit) {
                self.read(cell, read, occurs, own, alone);
            }
            let Some((writes, value)) = self.outcome(unit) else { continue };
            let lit = self.lit(writes);
            let value_after = own.value.map_or(value, |v| self.terms.ite(writes, value, v));
            last = Own { wrote: or(self.formula, &[lit, own.wrote]), value: Some(value_after) };
            writings.push(Writing { unit: here, writes: lit, value });
        }
        writings
    }

    /// The reads of one unit that may see what others wrote, and when they do. Those that see a
    /// write of their own unit are linked to it, those whose value is known have it.
    pub fn reads_of_others<'a>(&mut self, unit: &'a [Access]) -> Vec<(Lit, &'a Access)> {
        let mut inside: Option<(TermId, TermId)> = None;
        let mut others = Vec::new();
        for access in unit {
            match access.kind {
                EventKind::Write => {
                    inside = Some(match inside {
                        None => (access.reached, access.value),
                        Some((wrote, value)) => (
                            self.terms.or(wrote, access.reached),
                            self.terms.ite(access.reached, access.value, value),
                        ),
                    });
                }
                EventKind::Read => {
                    let mut sees_others = access.occurs;
                    if let Some((wrote, value)) = inside {
                        let sees_own = self.terms.and(sees_others, wrote);
                        let sees_own = self.lit(sees_own);
                        self.equal(&[sees_own], access.value, value);
                        let not = self.terms.not(wrote);
                        sees_others = self.terms.and(sees_others, not);
                    }
                    let sees_others = self.lit(sees_others);
                    match access.known {
                        Some(value) => self.equal(&[sees_others], access.value, value),
                        None => others.push((sees_others, access)),
                    }
                }
            }
        }
        others
    }

    /// A read that sees no write of its own unit.
    fn read(&mut self, cell: &Cell, access: &Access, occurs: Lit, own: Own, alone: bool) {
        if let Some(value) = own.value {
            self.equal(&[occurs, own.wrote], access.value, value);
        }
        let others = and(self.formula, &[occurs, !own.wrote]);
        if alone {
            self.equal(&[others], access.value, cell.initial);
            return;
        }
        let seen = self.seen(cell, access, others);
        for k in 0..=self.numbers.slots() {
            let at = self.numbers.at(access.unit, k);
            let before = cell.before(self.terms, k);
            self.equal(&[others, at], seen, before);
        }
    }

    /// The part of what a read sees that depends on time; if the condition holds the rest is 0.
    pub fn seen(&mut self, cell: &Cell, read: &Access, condition: Lit) -> TermId {
        let width = self.terms.width(read.value);
        if cell.bits < width {
            let high = self.terms.extract(read.value, width - 1, cell.bits);
            let zero = self.terms.constant(0, width - cell.bits);
            self.equal(&[condition], high, zero);
        }
        cell.low(self.terms, read.value)
    }

    /// The condition under which a unit writes, and what, if it ever does.
    pub fn outcome(&mut self, unit: &[Access]) -> Option<(TermId, TermId)> {
        let writes = unit.iter().filter(|a| a.kind == EventKind::Write);
        writes.fold(None, |before, a| match before {
            None => Some((a.occurs, a.value)),
            Some((writes, value)) => {
                Some((self.terms.or(writes, a.occurs), self.terms.ite(a.occurs, a.value, value)))
            }
        })
    }

    /// What a thread leaves at the end of each slot.
    fn leave(&mut self, cell: &Cell, writings: &[Writing], leaving: &mut [Vec<Lit>]) {
        // Some later unit writes in the same slot.
        let mut overwritten = !self.formula.tru();
        for (i, w) in writings.iter().enumerate().rev() {
            if let Some(next) = writings.get(i + 1) {
                let same = self.numbers.same(self.formula, w.unit, next.unit);
                let later = or(self.formula, &[next.writes, overwritten]);
                overwritten = and(self.formula, &[same, later]);
            }
            let leaves = and(self.formula, &[w.writes, !overwritten]);
            let value = cell.low(self.terms, w.value);
            for (k, all) in leaving.iter_mut().enumerate() {
                let at = self.numbers.at(w.unit, k as u32);
                let here = and(self.formula, &[leaves, at]);
                if here != !self.formula.tru() {
                    self.equal(&[here], cell.contents[k], value);
                    all.push(here);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_sat::Answer;
    use raddle_term::Evaluator;

    use super::*;
    use crate::Budget;
    use crate::bounded::builtin::BuiltIn;

    const SLOTS: u32 = 2;

    /// An access of the test: thread, unit, kind, and the number of its guard.
    type Given = (u32, u32, EventKind, usize);

    /// What the reads see if units have these numbers and guards these values; writes write 1, 2, …
    /// in turn.
    fn simulate(given: &[Given], numbers: &[Vec<u32>], guards: &[bool]) -> Vec<Option<u128>> {
        let mut seen = vec![None; given.len()];
        let mut memory = 0;
        for slot in 0..=SLOTS {
            let at_begin = memory;
            for (thread, of_thread) in numbers.iter().enumerate() {
                // In the look everybody starts from the same memory.
                let mut view = at_begin;
                for (i, &(t, unit, kind, guard)) in given.iter().enumerate() {
                    let here = t as usize == thread && of_thread[unit as usize] == slot;
                    match (here && guards[guard], kind) {
                        (true, EventKind::Read) => seen[i] = Some(view),
                        (true, EventKind::Write) => view = i as u128 + 1,
                        (false, _) => {}
                    }
                }
                if of_thread.contains(&slot) {
                    memory = view;
                }
            }
        }
        seen
    }

    /// Compares the encoding of a cell with the simulation, for all numbers (threads in different
    /// slots) and guards.
    fn check(given: &[Given], units: u32, guards: usize) {
        let (mut formula, mut terms) = (BuiltIn::new(&Budget::default(), true), Terms::new());
        let after = Numbers::increase(&mut formula, &[units, units], SLOTS, &[0, 0], |_, _| true);
        let mut numbers = Numbers::new(&mut formula, SLOTS, after);
        let guard_terms: Vec<TermId> = (0..guards).map(|_| terms.fresh(1)).collect();
        let mut accesses = Vec::new();
        for (i, &(t, unit, kind, guard)) in given.iter().enumerate() {
            let value = match kind {
                EventKind::Read => terms.fresh(8),
                EventKind::Write => terms.constant(i as u128 + 1, 8),
            };
            let occurs = guard_terms[guard];
            let unit = (ThreadIx(t), unit);
            accesses.push(Access { unit, kind, occurs, reached: occurs, value, known: None });
        }
        let zero = terms.constant(0, 8);
        let mut encoder =
            Encoder { terms: &mut terms, formula: &mut formula, numbers: &mut numbers };
        let cell = encoder.cell(zero, &accesses);
        let guard_lits: Vec<Lit> = guard_terms.iter().map(|&g| formula.lit(&terms, g)).collect();
        let mut cases = 0;
        for code in 0..(SLOTS + 1).pow(2 * units) {
            let number = |i: u32| code / (SLOTS + 1).pow(i) % (SLOTS + 1);
            let these: Vec<Vec<u32>> =
                (0..2).map(|t| (0..units).map(|u| number(t * units + u)).collect()).collect();
            let apart = (0..SLOTS).all(|k| !(these[0].contains(&k) && these[1].contains(&k)));
            if !apart || !these.iter().all(|n| n.is_sorted()) {
                continue;
            }
            for row in 0..1 << guards {
                let values: Vec<bool> = (0..guards).map(|g| row >> g & 1 == 1).collect();
                let mut assumed: Vec<Lit> = guard_lits.clone();
                for (lit, &value) in assumed.iter_mut().zip(&values) {
                    *lit = if value { *lit } else { !*lit };
                }
                for (t, of_thread) in (0..).zip(&these) {
                    assumed.extend(
                        (0..).zip(of_thread).map(|(u, &k)| numbers.at((ThreadIx(t), u), k)),
                    );
                }
                assert_eq!(formula.solve(&assumed), Answer::Satisfiable, "{these:?} {values:?}");
                assert_eq!(formula.recheck(&terms), Ok(()));
                let model = formula.variables(terms.variable_count());
                let mut evaluator = Evaluator::new();
                let mut value =
                    |t| evaluator.value(&terms, t, &mut |v| model.get(&v).copied().unwrap_or(0));
                let seen = simulate(given, &these, &values);
                for (access, seen) in accesses.iter().zip(&seen) {
                    if let Some(seen) = seen {
                        assert_eq!(value(access.value), *seen, "{access:?} {these:?} {values:?}");
                    }
                }
                for k in 0..cell.written.len() {
                    let wrote = given.iter().any(|&(t, u, kind, g)| {
                        kind == EventKind::Write
                            && values[g]
                            && these[t as usize][u as usize] == k as u32
                    });
                    assert_eq!(formula.value(cell.written[k]), wrote, "{these:?} {values:?}");
                }
                cases += 1;
            }
        }
        assert!(cases > 50, "{cases} cases");
    }

    use EventKind::{Read, Write};

    #[test]
    fn reads_see_what_a_simulation_sees() {
        check(&[(0, 0, Write, 0), (0, 1, Read, 1), (1, 0, Read, 2), (1, 1, Write, 3)], 2, 4);
        check(&[(0, 0, Write, 0), (0, 1, Write, 1), (1, 0, Write, 2), (1, 1, Read, 3)], 2, 4);
        check(
            &[
                (0, 0, Write, 0),
                (0, 1, Write, 1),
                (0, 2, Read, 3),
                (1, 0, Write, 2),
                (1, 2, Read, 3),
            ],
            3,
            4,
        );
    }

    #[test]
    fn units_of_several_accesses_see_themselves() {
        check(&[(0, 0, Read, 0), (0, 0, Write, 1), (0, 0, Read, 2), (1, 0, Write, 3)], 2, 4);
        check(
            &[
                (0, 1, Write, 0),
                (0, 1, Read, 1),
                (0, 1, Write, 2),
                (1, 0, Read, 3),
                (1, 1, Write, 3),
            ],
            2,
            4,
        );
    }

    #[test]
    fn a_thread_alone_needs_no_contents() {
        check(&[(0, 0, Write, 0), (0, 1, Read, 1)], 2, 2);
        check(&[(1, 0, Read, 0), (1, 1, Write, 1)], 2, 2);
    }

    #[test]
    fn what_an_incomplete_section_writes_nobody_else_sees() {
        let (mut formula, mut terms) = (BuiltIn::new(&Budget::default(), true), Terms::new());
        let after = Numbers::increase(&mut formula, &[1, 1], SLOTS, &[0, 1], |_, _| true);
        let mut numbers = Numbers::new(&mut formula, SLOTS, after);
        let (inside, outside, five) = (terms.fresh(8), terms.fresh(8), terms.constant(5, 8));
        let (always, never, zero) = (terms.tru(), terms.fals(), terms.constant(0, 8));
        let first = (ThreadIx(0), 0);
        let write = Access {
            unit: first,
            kind: Write,
            occurs: never,
            reached: always,
            value: five,
            known: None,
        };
        let read = Access {
            unit: first,
            kind: Read,
            occurs: always,
            reached: always,
            value: inside,
            known: None,
        };
        let other = Access { unit: (ThreadIx(1), 0), value: outside, ..read };
        let mut encoder =
            Encoder { terms: &mut terms, formula: &mut formula, numbers: &mut numbers };
        encoder.cell(zero, &[write, read, other]);
        let (at_first, at_second) = (numbers.at(first, 0), numbers.at((ThreadIx(1), 0), 1));
        assert_eq!(formula.solve(&[at_first, at_second]), Answer::Satisfiable);
        let model = formula.variables(terms.variable_count());
        let value = |t| model.get(&terms.as_var(t).expect("a variable")).copied();
        assert_eq!((value(inside), value(outside)), (Some(5), Some(0)));
    }
}
