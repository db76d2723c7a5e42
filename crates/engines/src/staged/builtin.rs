//! The built-in back end: terms as clauses for CaDiCaL, the order as a theory inside it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use raddle_blast::{Blaster, ClauseSink};
use raddle_order::{OrderTheory, ReadId, UnitId, WriteId, solve};
use raddle_sat::{Answer, Lit, Solver};
use raddle_summary::ThreadIx;
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::backend::{Backend, Effort, ReadIx, WriteIx};
use super::before::Unit;

/// CaDiCaL with the order theory.
pub struct BuiltIn {
    solver: Solver,
    blaster: Blaster,
    /// Connected by the first search.
    theory: Rc<RefCell<OrderTheory>>,
    reads: Vec<ReadId>,
    writes: Vec<WriteId>,
}

impl BuiltIn {
    /// An empty formula over threads with so many units.
    pub fn new(units_per_thread: &[u32], deadline: Option<Instant>) -> BuiltIn {
        let mut solver = Solver::new();
        solver.set_deadline(deadline);
        let blaster = Blaster::new(&mut solver);
        let theory = Rc::new(RefCell::new(OrderTheory::new(units_per_thread)));
        BuiltIn { solver, blaster, theory, reads: Vec::new(), writes: Vec::new() }
    }

    fn unit(&self, (thread, index): Unit) -> UnitId {
        self.theory.borrow().unit(thread.index(), index)
    }
}

impl Backend for BuiltIn {
    fn new_lit(&mut self) -> Lit {
        self.solver.new_lit()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.solver.clause(lits);
    }

    fn tru(&self) -> Lit {
        self.blaster.tru()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        self.blaster.lit(terms, t, &mut self.solver)
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        self.blaster.assert_implies(terms, premises, conclusion, &mut self.solver);
    }

    fn fixed_edge(&mut self, a: Unit, b: Unit) {
        let (a, b) = (self.unit(a), self.unit(b));
        self.theory.borrow_mut().fixed_edge(a, b);
    }

    fn guarded_edge(&mut self, condition: Lit, a: Unit, b: Unit) {
        let (a, b) = (self.unit(a), self.unit(b));
        self.theory.borrow_mut().guarded_edge(condition, a, b);
    }

    fn read_at(&mut self, unit: Unit, position: u32) -> ReadIx {
        let unit = self.unit(unit);
        self.reads.push(self.theory.borrow_mut().read_at(unit, position));
        ReadIx(self.reads.len() as u32 - 1)
    }

    fn write_at(&mut self, unit: Unit, position: u32) -> WriteIx {
        let unit = self.unit(unit);
        self.writes.push(self.theory.borrow_mut().write_at(unit, position));
        WriteIx(self.writes.len() as u32 - 1)
    }

    fn may_read(&mut self, read: ReadIx, write: WriteIx, reads_from: Option<Lit>, hits: Lit) {
        let (read, write) = (self.reads[read.0 as usize], self.writes[write.0 as usize]);
        self.theory.borrow_mut().may_read(read, write, reads_from, hits);
    }

    fn solve(&mut self, assumption: Lit) -> Answer {
        solve(&mut self.solver, &self.theory, &[assumption])
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128> {
        let BuiltIn { solver, blaster, .. } = self;
        let value = |v| blaster.var_value(v, |l| solver.value(l)).map(|k| (v, k));
        (0..count).map(VarId::new).filter_map(value).collect()
    }

    fn order(&mut self) -> Vec<Unit> {
        let theory = self.theory.borrow();
        let place = |unit| {
            let (thread, index) = theory.place(unit);
            (ThreadIx(thread as u32), index)
        };
        theory.linearisation().into_iter().map(place).collect()
    }

    fn effort(&self) -> Effort {
        let s = self.solver.statistics();
        Effort { variables: s.vars, clauses: s.clauses, conflicts: s.conflicts }
    }

    fn failure(&self) -> Option<&str> {
        None
    }
}
