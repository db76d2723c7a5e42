//! The order by clocks, for SMT solvers (paper 004 §5).
//!
//! Each unit has a clock, a number; order is `<` on clocks. For each read in the order a number
//! `l`: the clock of the write that it sees. A write that hits the read's location comes after the
//! read, or its clock is smaller than `l`, or the read sees it or a later one of its thread. So "no
//! write in between" takes one clause for each pair of a read and a write, not one for each triple.
//! Source: paper 004 §5. We differ: `l`, and clocks of units instead of accesses.
//!
//! Clocks are integers, or bit-vectors for solvers without arithmetic. Units that no constraint
//! mentions have none.

use std::collections::{BTreeMap, BTreeSet};

use raddle_sat::{Answer, Lit};
use raddle_summary::ThreadIx;
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::order::{Order, ReadIx, WriteIx};
use crate::bounded::before::Unit;
use crate::bounded::formula::{Effort, Formula};
use crate::bounded::smtlib::{Smt, name};
use crate::bounded::solver::Numbers;

/// A place in the order: unit and position there.
type Place = (Unit, u32);

/// A write that a read may see, or that may come in between.
struct Candidate {
    place: Place,
    reads_from: Option<Lit>,
    hits: Lit,
}

/// A read with its candidates.
struct Read {
    place: Place,
    candidates: Vec<Candidate>,
}

/// An edge of the order: it holds under its condition, or always.
struct Edge {
    condition: Option<Lit>,
    from: Unit,
    to: Unit,
}

/// A formula for an SMT solver with clocks.
pub struct Clocks {
    smt: Smt,
    /// Units of each thread of the order.
    lengths: Vec<u32>,
    edges: Vec<Edge>,
    reads: Vec<Read>,
    writes: Vec<Place>,
    /// The units that have a clock, once the order has been written.
    timed: Option<Vec<Unit>>,
    /// All units in the order of the last model.
    order: Vec<Unit>,
}

impl Clocks {
    /// An empty formula over threads with so many units.
    pub fn new(lengths: Vec<u32>, smt: Smt) -> Clocks {
        Clocks {
            smt,
            lengths,
            edges: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            timed: None,
            order: Vec::new(),
        }
    }

    /// Clocks, edges and reads, once.
    fn write_order(&mut self) {
        if self.timed.is_some() {
            return;
        }
        let (edges, reads) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.reads));
        let mut units: BTreeSet<Unit> = edges.iter().flat_map(|e| [e.from, e.to]).collect();
        for read in &reads {
            units.insert(read.place.0);
            units.extend(read.candidates.iter().map(|c| c.place.0));
        }
        let sort = match self.smt.numbers {
            Numbers::Integers => "Int".to_string(),
            Numbers::Vectors => format!("(_ BitVec {})", usize::BITS - units.len().leading_zeros()),
        };
        let mut last: Option<Unit> = None;
        for &unit in &units {
            self.smt.line(format_args!("(declare-const {} {sort})", clock(unit)));
            match last.filter(|l| l.0 == unit.0) {
                Some(last) => {
                    let order = self.less(&clock(last), &clock(unit));
                    self.smt.assert(format_args!("{order}"));
                }
                None if self.smt.numbers == Numbers::Integers => {
                    self.smt.assert(format_args!("(<= 0 {})", clock(unit)));
                }
                None => {}
            }
            last = Some(unit);
        }
        for Edge { condition, from, to } in edges {
            let order = self.less(&clock(from), &clock(to));
            match condition {
                Some(condition) => {
                    self.smt.assert(format_args!("(=> {} {order})", name(condition)))
                }
                None => self.smt.assert(format_args!("{order}")),
            }
        }
        for (id, read) in reads.into_iter().enumerate() {
            self.smt.line(format_args!("(declare-const l{id} {sort})"));
            self.write_read(id, read);
        }
        self.timed = Some(units.into_iter().collect());
    }

    fn less(&self, a: &str, b: &str) -> String {
        match self.smt.numbers {
            Numbers::Integers => format!("(< {a} {b})"),
            Numbers::Vectors => format!("(bvult {a} {b})"),
        }
    }

    /// The condition for a place to come before another.
    fn precedes(&self, a: Place, b: Place) -> String {
        if a.0.0 == b.0.0 {
            return (a < b).to_string();
        }
        self.less(&clock(a.0), &clock(b.0))
    }

    /// A read sees the last write before it that hits its location.
    fn write_read(&mut self, id: usize, read: Read) {
        let mut threads: BTreeMap<ThreadIx, Vec<Candidate>> = BTreeMap::new();
        for candidate in read.candidates {
            threads.entry(candidate.place.0.0).or_default().push(candidate);
        }
        for (thread, mut writes) in threads {
            writes.sort_by_key(|w| w.place);
            let mut later = String::from("false");
            for (i, write) in writes.iter().enumerate().rev() {
                let time = clock(write.place.0);
                let earlier = self.less(&time, &format!("l{id}"));
                let precedes = self.precedes(write.place, read.place);
                // Not the opposite of `precedes`: units with equal clocks may come in any order.
                let follows = self.precedes(read.place, write.place);
                if let Some(rf) = write.reads_from {
                    let rf = name(rf);
                    self.smt.assert(format_args!("(=> {rf} (and {precedes} (= l{id} {time})))"));
                    let seen = format!("s{id}_{}_{i}", thread.0);
                    self.smt.line(format_args!("(define-fun {seen} () Bool (or {rf} {later}))"));
                    later = seen;
                }
                let hits = name(write.hits);
                self.smt.assert(format_args!("(=> {hits} (or {follows} {earlier} {later}))"));
            }
        }
    }

    /// Reads the order of a model; `None` if the solver does not give it.
    fn read_order(&mut self) -> Option<Vec<Unit>> {
        let timed = self.timed.as_deref().expect("the order was written before the search");
        let names: Vec<String> = timed.iter().map(|&u| clock(u)).collect();
        let clocks = self.smt.values(&names)?;
        assert_eq!(clocks.len(), timed.len(), "each unit has a clock");
        let mut sorted: Vec<(u128, Unit)> = clocks.into_iter().zip(timed.iter().copied()).collect();
        sorted.sort_unstable();
        Some(all_units(&self.lengths, sorted.into_iter().map(|s| s.1)))
    }
}

/// The name of a unit's clock.
fn clock(unit: Unit) -> String {
    format!("c{}_{}", unit.0.0, unit.1)
}

/// All units, given an order of some: the others come right before the next one of their thread.
fn all_units(lengths: &[u32], some: impl Iterator<Item = Unit>) -> Vec<Unit> {
    let mut next = vec![0; lengths.len()];
    let mut order = Vec::new();
    for (thread, index) in some {
        let from = std::mem::replace(&mut next[thread.index()], index + 1);
        assert!(from <= index, "clocks of a thread grow");
        order.extend((from..=index).map(|i| (thread, i)));
    }
    for (thread, (&from, &units)) in next.iter().zip(lengths).enumerate() {
        order.extend((from..units).map(|i| (ThreadIx(thread as u32), i)));
    }
    order
}

impl Formula for Clocks {
    fn new_lit(&mut self) -> Lit {
        self.smt.new_lit()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.smt.clause(lits);
    }

    fn tru(&self) -> Lit {
        self.smt.tru()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        self.smt.lit(terms, t)
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        self.smt.assert_implies(terms, premises, conclusion);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.write_order();
        assert!(self.edges.is_empty() && self.reads.is_empty(), "the order is complete");
        let answer = self.smt.solve(assumptions);
        if answer == Answer::Satisfiable {
            match self.read_order() {
                Some(order) => self.order = order,
                None => return Answer::Interrupted,
            }
        }
        answer
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.smt.limit_conflicts(most);
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.smt.value(lit)
    }

    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128> {
        self.smt.variables(count)
    }

    fn recheck(&mut self, terms: &Terms) -> Result<(), String> {
        self.smt.recheck(terms)
    }

    fn effort(&self) -> Effort {
        self.smt.effort()
    }

    fn failure(&self) -> Option<&str> {
        self.smt.failure()
    }
}

impl Order for Clocks {
    fn fixed_edge(&mut self, a: Unit, b: Unit) {
        self.edges.push(Edge { condition: None, from: a, to: b });
    }

    fn guarded_edge(&mut self, condition: Lit, a: Unit, b: Unit) {
        self.edges.push(Edge { condition: Some(condition), from: a, to: b });
    }

    fn read_at(&mut self, unit: Unit, position: u32) -> ReadIx {
        self.reads.push(Read { place: (unit, position), candidates: Vec::new() });
        ReadIx(self.reads.len() as u32 - 1)
    }

    fn write_at(&mut self, unit: Unit, position: u32) -> WriteIx {
        self.writes.push((unit, position));
        WriteIx(self.writes.len() as u32 - 1)
    }

    fn may_read(&mut self, read: ReadIx, write: WriteIx, reads_from: Option<Lit>, hits: Lit) {
        assert!(self.timed.is_none(), "the order is complete before the first search");
        let place = self.writes[write.0 as usize];
        let candidate = Candidate { place, reads_from, hits };
        self.reads[read.0 as usize].candidates.push(candidate);
    }

    fn order(&mut self) -> Vec<Unit> {
        self.order.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_without_clock_stand_before_the_next_one() {
        let unit = |t, i| (ThreadIx(t), i);
        let some = [unit(1, 0), unit(0, 2), unit(1, 1)];
        let all = all_units(&[4, 2], some.into_iter());
        let expected = [unit(1, 0), unit(0, 0), unit(0, 1), unit(0, 2), unit(1, 1), unit(0, 3)];
        assert_eq!(all, expected);
    }
}
