//! The order as a theory inside the built-in solver.

use std::cell::RefCell;
use std::rc::Rc;

use raddle_order::{OrderTheory, ReadId, UnitId, WriteId, solve};
use raddle_sat::{Answer, Lit};
use raddle_summary::ThreadIx;
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::order::{Order, ReadIx, WriteIx};
use crate::Budget;
use crate::bounded::before::Unit;
use crate::bounded::builtin::BuiltIn;
use crate::bounded::formula::{Effort, Formula};

/// The built-in solver with the order theory.
pub struct Theory {
    formula: BuiltIn,
    /// Connected by the first search.
    theory: Rc<RefCell<OrderTheory>>,
    reads: Vec<ReadId>,
    writes: Vec<WriteId>,
    /// How many units there are.
    units: usize,
}

impl Theory {
    /// An empty formula over threads with so many units.
    pub fn new(units_per_thread: &[u32], budget: &Budget, recheck: bool) -> Theory {
        let formula = BuiltIn::new(budget, recheck);
        let theory = Rc::new(RefCell::new(OrderTheory::new(units_per_thread)));
        let units = units_per_thread.iter().map(|&n| n as usize).sum();
        Theory { formula, theory, reads: Vec::new(), writes: Vec::new(), units }
    }

    fn unit(&self, (thread, index): Unit) -> UnitId {
        self.theory.borrow().unit(thread.index(), index)
    }
}

impl Formula for Theory {
    fn new_lit(&mut self) -> Lit {
        self.formula.new_lit()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.clause(lits);
    }

    fn tru(&self) -> Lit {
        self.formula.tru()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        self.formula.lit(terms, t)
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        self.formula.assert_implies(terms, premises, conclusion);
    }

    fn define(&mut self, terms: &mut Terms, variable: TermId, value: TermId) {
        self.formula.define(terms, variable, value);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        solve(&mut self.formula.solver, &self.theory, assumptions)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.formula.limit_conflicts(most);
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.formula.value(lit)
    }

    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128> {
        self.formula.variables(count)
    }

    fn recheck(&mut self, terms: &Terms) -> Result<(), String> {
        self.formula.recheck(terms)
    }

    fn effort(&self) -> Effort {
        self.formula.effort()
    }

    fn failure(&self) -> Option<&str> {
        self.formula.failure()
    }
}

impl Order for Theory {
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

    fn order(&mut self) -> Vec<Unit> {
        let theory = self.theory.borrow();
        let place = |unit| {
            let (thread, index) = theory.place(unit);
            (ThreadIx(thread as u32), index)
        };
        let order: Vec<Unit> = theory.linearisation().into_iter().map(place).collect();
        assert_eq!(order.len(), self.units, "a model orders all units");
        order
    }
}
