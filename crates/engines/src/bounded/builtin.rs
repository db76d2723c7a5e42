//! The built-in solver: terms as bits in CaDiCaL.

use raddle_blast::{Blaster, ClauseSink};
use raddle_sat::{Answer, Lit, Solver};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::formula::{Effort, Formula};
use super::record::Record;
use crate::Budget;

/// CaDiCaL and the bits of terms.
pub struct BuiltIn {
    /// Where a theory can be connected.
    pub solver: Solver,
    blaster: Blaster,
    record: Record,
}

impl BuiltIn {
    /// An empty formula. With `recheck`, what it is told is recorded.
    pub fn new(budget: &Budget, recheck: bool) -> BuiltIn {
        BuiltIn::on(Solver::new(), budget, recheck)
    }

    /// The same where of most literals few hold.
    pub fn preferring_false(budget: &Budget, recheck: bool) -> BuiltIn {
        BuiltIn::on(Solver::preferring_false(), budget, recheck)
    }

    fn on(mut solver: Solver, budget: &Budget, recheck: bool) -> BuiltIn {
        solver.set_deadline(budget.deadline);
        solver.set_stop_flag(budget.cancelled().into());
        let blaster = Blaster::new(&mut solver);
        BuiltIn { solver, blaster, record: Record::new(recheck) }
    }
}

impl Formula for BuiltIn {
    fn new_lit(&mut self) -> Lit {
        self.solver.new_lit()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.record.clause(lits);
        self.solver.clause(lits);
    }

    fn tru(&self) -> Lit {
        self.blaster.tru()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        let lit = self.blaster.lit(terms, t, &mut self.solver);
        self.record.named(t, lit);
        lit
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        self.record.implied(premises, conclusion);
        self.blaster.assert_implies(terms, premises, conclusion, &mut self.solver);
    }

    fn define(&mut self, terms: &mut Terms, variable: TermId, value: TermId) {
        let equal = terms.eq(variable, value);
        if self.blaster.define(terms, variable, value, &mut self.solver) {
            self.record.implied(&[], equal);
        } else {
            self.assert_implies(terms, &[], equal);
        }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.solver.solve(assumptions)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.set_conflict_limit(most);
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128> {
        let BuiltIn { solver, blaster, .. } = self;
        let value = |v| blaster.var_value(v, |l| solver.value(l)).map(|k| (v, k));
        (0..count).map(VarId::new).filter_map(value).collect()
    }

    fn recheck(&mut self, terms: &Terms) -> Result<(), String> {
        let variables = self.variables(terms.variable_count());
        let fits = |v: VarId, k: u128| {
            let width = terms.width(terms.variable(v));
            width == 128 || k >> width == 0
        };
        if let Some((v, k)) = variables.iter().find(|&(&v, &k)| !fits(v, k)) {
            return Err(format!("variable {} is too narrow for {k:#x}", v.index()));
        }
        let BuiltIn { solver, record, .. } = self;
        record.check(terms, &variables, |l| solver.value(l))
    }

    fn effort(&self) -> Effort {
        let s = self.solver.statistics();
        Effort { variables: s.vars, clauses: s.clauses, conflicts: s.conflicts }
    }

    fn failure(&self) -> Option<&str> {
        None
    }
}
