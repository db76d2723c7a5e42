//! The back end for SMT solvers: terms as they are, the order by the paper's clocks, as SMT-LIB 2.
//!
//! Each unit has a clock, a number; order is `<` on clocks. For each read in the order a number `l`: the
//! clock of the write that it sees. A write that hits the read's location comes after the read, or its clock is
//! smaller than `l`, or the read sees it or a later one of its thread. So "no write in between" takes one
//! clause for each pair of a read and a write, not one for each triple.
//! Source: paper 004 §5. We differ: `l`, and clocks of units instead of accesses.
//!
//! Clocks are integers, or bit-vectors for solvers without arithmetic. Units that no constraint mentions have none.
//! Literal n is the Boolean `b<n>`, a constant or the name of a term; literal 0 is true. The model is read whole after
//! each answer, since solvers forget it with the next command.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle_sat::{Answer, Lit, Var};
use raddle_summary::ThreadIx;
use raddle_term::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::backend::{Backend, Effort, ReadIx, WriteIx};
use super::before::Unit;
use super::solver::{Dialogue, Reply};

/// What clocks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clocks {
    /// Integers.
    Integers,
    /// Bit-vectors, wide enough.
    Vectors,
}

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

/// What the solver said about its last model.
#[derive(Default)]
struct Model {
    /// By literal number.
    booleans: Vec<bool>,
    variables: FxHashMap<VarId, u128>,
    order: Vec<Unit>,
}

/// A formula as commands, and the solver that reads them.
pub struct Smt {
    clocks: Clocks,
    /// Units of each thread of the order.
    lengths: Vec<u32>,
    /// Commands that the solver has not got yet.
    text: String,
    /// The literals so far.
    booleans: usize,
    /// How many assertions were made.
    assertions: u64,
    /// The literals of terms.
    named: FxHashMap<TermId, Lit>,
    /// By term: it has been defined.
    defined: Vec<bool>,
    /// The variables of terms that occur; number n is `v<n>`.
    variables: Vec<VarId>,
    /// Edges with their conditions.
    edges: Vec<(Option<Lit>, Unit, Unit)>,
    reads: Vec<Read>,
    writes: Vec<Place>,
    /// The units that have a clock, once the order has been written.
    timed: Option<Vec<Unit>>,
    dialogue: Dialogue,
    /// An answer is open: `(pop 1)` comes before everything else.
    asked: bool,
    model: Model,
}

impl Smt {
    /// An empty formula over threads with so many units.
    pub fn new(lengths: Vec<u32>, clocks: Clocks, dialogue: Dialogue) -> Smt {
        let logic = match clocks {
            Clocks::Integers => "ALL",
            Clocks::Vectors => "QF_BV",
        };
        let text = format!(
            "(set-option :produce-models true)\n(set-logic {logic})\n(define-fun b0 () Bool true)\n"
        );
        Smt {
            clocks,
            lengths,
            text,
            booleans: 1,
            assertions: 0,
            named: FxHashMap::default(),
            defined: Vec::new(),
            variables: Vec::new(),
            edges: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            timed: None,
            dialogue,
            asked: false,
            model: Model::default(),
        }
    }

    fn line(&mut self, text: std::fmt::Arguments) {
        self.text.write_fmt(text).expect("strings take all");
        self.text.push('\n');
    }

    fn assert(&mut self, formula: std::fmt::Arguments) {
        self.assertions += 1;
        self.line(format_args!("(assert {formula})"));
    }

    fn next_lit(&mut self) -> Lit {
        self.booleans += 1;
        Var::from_index(self.booleans - 1).lit()
    }

    /// The name of a term, after the definitions that it needs.
    fn term(&mut self, terms: &Terms, t: TermId) -> String {
        self.defined.resize(terms.len(), false);
        let mut stack = vec![(t, false)];
        while let Some((t, arguments_known)) = stack.pop() {
            if self.defined[t.index()] {
                continue;
            }
            if !arguments_known {
                stack.push((t, true));
                stack.extend(terms.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            self.defined[t.index()] = true;
            if let Some(command) = terms.smtlib_command(t) {
                self.line(format_args!("{command}"));
            }
            self.variables.extend(terms.as_var(t));
        }
        terms.smtlib_name(t)
    }

    /// Clocks, edges and reads, once.
    fn write_order(&mut self) {
        if self.timed.is_some() {
            return;
        }
        let (edges, reads) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.reads));
        let mut units: BTreeSet<Unit> = edges.iter().flat_map(|e| [e.1, e.2]).collect();
        for read in &reads {
            units.insert(read.place.0);
            units.extend(read.candidates.iter().map(|c| c.place.0));
        }
        let sort = match self.clocks {
            Clocks::Integers => "Int".to_string(),
            Clocks::Vectors => format!("(_ BitVec {})", usize::BITS - units.len().leading_zeros()),
        };
        let mut last: Option<Unit> = None;
        for &unit in &units {
            self.line(format_args!("(declare-const {} {sort})", clock(unit)));
            match last.filter(|l| l.0 == unit.0) {
                Some(last) => {
                    let order = self.less(&clock(last), &clock(unit));
                    self.assert(format_args!("{order}"));
                }
                None if self.clocks == Clocks::Integers => {
                    self.assert(format_args!("(<= 0 {})", clock(unit)));
                }
                None => {}
            }
            last = Some(unit);
        }
        for (condition, a, b) in edges {
            let order = self.less(&clock(a), &clock(b));
            match condition {
                Some(condition) => self.assert(format_args!("(=> {} {order})", name(condition))),
                None => self.assert(format_args!("{order}")),
            }
        }
        for (id, read) in reads.into_iter().enumerate() {
            self.line(format_args!("(declare-const l{id} {sort})"));
            self.write_read(id, read);
        }
        self.timed = Some(units.into_iter().collect());
    }

    fn less(&self, a: &str, b: &str) -> String {
        match self.clocks {
            Clocks::Integers => format!("(< {a} {b})"),
            Clocks::Vectors => format!("(bvult {a} {b})"),
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
                    self.assert(format_args!("(=> {rf} (and {precedes} (= l{id} {time})))"));
                    let seen = format!("s{id}_{}_{i}", thread.0);
                    self.line(format_args!("(define-fun {seen} () Bool (or {rf} {later}))"));
                    later = seen;
                }
                let hits = name(write.hits);
                self.assert(format_args!("(=> {hits} (or {follows} {earlier} {later}))"));
            }
        }
    }

    /// Reads the model; `None` if the solver does not give it.
    fn read_model(&mut self) -> Option<Model> {
        let dialogue = &mut self.dialogue;
        let names: Vec<String> = (0..self.booleans).map(|n| format!("b{n}")).collect();
        let booleans = dialogue.values(&names)?.into_iter().map(|v| v != 0).collect();
        let names: Vec<String> = self.variables.iter().map(|v| format!("v{}", v.index())).collect();
        let values = dialogue.values(&names)?;
        let variables = self.variables.iter().copied().zip(values).collect();
        let timed = self.timed.as_deref().unwrap_or_default();
        let names: Vec<String> = timed.iter().map(|&u| clock(u)).collect();
        let clocks = dialogue.values(&names)?;
        let mut sorted: Vec<(u128, Unit)> = clocks.into_iter().zip(timed.iter().copied()).collect();
        sorted.sort_unstable();
        let order = all_units(&self.lengths, sorted.into_iter().map(|s| s.1));
        Some(Model { booleans, variables, order })
    }
}

/// The name of a literal.
pub fn name(lit: Lit) -> String {
    let number = lit.var().index();
    if lit.is_positive() { format!("b{number}") } else { format!("(not b{number})") }
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
        order.extend((from..=index).map(|i| (thread, i)));
    }
    for (thread, (&from, &units)) in next.iter().zip(lengths).enumerate() {
        order.extend((from..units).map(|i| (ThreadIx(thread as u32), i)));
    }
    order
}

impl Backend for Smt {
    fn new_lit(&mut self) -> Lit {
        let lit = self.next_lit();
        self.line(format_args!("(declare-const {} Bool)", name(lit)));
        lit
    }

    fn clause(&mut self, lits: &[Lit]) {
        let names: Vec<String> = lits.iter().map(|&l| name(l)).collect();
        self.assert(format_args!("(or {} false)", names.join(" ")));
    }

    fn tru(&self) -> Lit {
        Var::from_index(0).lit()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        match terms.as_const(t) {
            Some(0) => return !self.tru(),
            Some(_) => return self.tru(),
            None => {}
        }
        if terms.op(t) == Op::Not {
            return !self.lit(terms, terms.args(t)[0]);
        }
        if let Some(&lit) = self.named.get(&t) {
            return lit;
        }
        let (term, lit) = (self.term(terms, t), self.next_lit());
        self.line(format_args!("(define-fun {} () Bool (= {term} #b1))", name(lit)));
        self.named.insert(t, lit);
        lit
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        if terms.is_true(conclusion) {
            return;
        }
        let mut clause: Vec<Lit> = premises.iter().map(|&p| !p).collect();
        clause.push(self.lit(terms, conclusion));
        self.clause(&clause);
    }

    fn fixed_edge(&mut self, a: Unit, b: Unit) {
        self.edges.push((None, a, b));
    }

    fn guarded_edge(&mut self, condition: Lit, a: Unit, b: Unit) {
        self.edges.push((Some(condition), a, b));
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
        let place = self.writes[write.0 as usize];
        let candidate = Candidate { place, reads_from, hits };
        self.reads[read.0 as usize].candidates.push(candidate);
    }

    fn solve(&mut self, assumption: Lit) -> Answer {
        self.write_order();
        assert!(self.edges.is_empty() && self.reads.is_empty(), "the order is complete");
        let pop = if std::mem::replace(&mut self.asked, true) { "(pop 1)\n" } else { "" };
        let text = std::mem::take(&mut self.text);
        let question = format!("(push 1)\n(assert {})\n(check-sat)\n", name(assumption));
        match self.dialogue.ask(&format!("{pop}{text}{question}")) {
            Reply::Unsatisfiable => Answer::Unsatisfiable,
            Reply::None => Answer::Interrupted,
            Reply::Satisfiable => match self.read_model() {
                Some(model) => {
                    self.model = model;
                    Answer::Satisfiable
                }
                None => Answer::Interrupted,
            },
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        // A literal younger than the model is not part of it.
        let value = self.model.booleans.get(lit.var().index()).is_some_and(|&b| b);
        value == lit.is_positive()
    }

    fn variables(&mut self, _count: usize) -> FxHashMap<VarId, u128> {
        self.model.variables.clone()
    }

    fn order(&mut self) -> Vec<Unit> {
        self.model.order.clone()
    }

    fn effort(&self) -> Effort {
        let (variables, clauses) = (self.booleans as u64, self.assertions);
        Effort { variables, clauses, conflicts: 0 }
    }

    fn failure(&self) -> Option<&str> {
        self.dialogue.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver::{Conversation, Heard, SmtSolver};
    use super::*;

    #[test]
    fn units_without_clock_stand_before_the_next_one() {
        let unit = |t, i| (ThreadIx(t), i);
        let some = [unit(1, 0), unit(0, 2), unit(1, 1)];
        let all = all_units(&[4, 2], some.into_iter());
        let expected = [unit(1, 0), unit(0, 0), unit(0, 1), unit(0, 2), unit(1, 1), unit(0, 3)];
        assert_eq!(all, expected);
    }

    fn silence() -> Dialogue {
        struct Silence;
        impl Conversation for Silence {
            fn send(&mut self, _: &str) -> Result<(), String> {
                Ok(())
            }
            fn hear(&mut self, _: Option<std::time::Instant>) -> Heard {
                Heard::Ended
            }
        }
        let start = std::sync::Arc::new(|| Ok(Box::new(Silence) as Box<dyn Conversation>));
        let solver = SmtSolver { name: "silence".into(), clocks: Clocks::Integers, start };
        Dialogue::start(&solver, None).expect("starts")
    }

    #[test]
    fn terms_become_literals_once() {
        let mut terms = Terms::new();
        let mut smt = Smt::new(vec![1], Clocks::Integers, silence());
        let (x, five) = (terms.fresh(8), terms.constant(5, 8));
        let equal = terms.eq(x, five);
        let other = terms.not(equal);
        let lit = smt.lit(&terms, equal);
        assert_eq!(smt.lit(&terms, equal), lit);
        assert_eq!(smt.lit(&terms, other), !lit);
        let (tru, fals) = (terms.tru(), terms.fals());
        assert_eq!((smt.lit(&terms, tru), smt.lit(&terms, fals)), (smt.tru(), !smt.tru()));
        assert_eq!(smt.text.matches("(declare-const v0 (_ BitVec 8))").count(), 1);
    }
}
