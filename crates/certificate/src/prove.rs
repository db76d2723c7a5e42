//! The solver: what is possible in states that the conjuncts, and the facts found so far, allow.

use raddle_blast::Blaster;
use raddle_sat::{Answer, Lit, Solver};
use raddle_term::{TermId, Terms};

use crate::{Limits, No};

pub(crate) struct Prover {
    solver: Solver,
    blaster: Blaster,
    /// What is assumed in each question: the facts that still stand.
    assumed: Vec<Lit>,
}

impl Prover {
    pub fn new(limits: &Limits) -> Prover {
        let mut solver = Solver::for_short_searches();
        solver.set_deadline(limits.deadline);
        solver.set_stop_flag(limits.stop.clone());
        let blaster = Blaster::new(&mut solver);
        Prover { solver, blaster, assumed: Vec::new() }
    }

    pub fn lit(&mut self, terms: &Terms, term: TermId) -> Lit {
        self.blaster.lit(terms, term, &mut self.solver)
    }

    /// A bit of a term, or its negation.
    pub fn bit(&mut self, terms: &Terms, term: TermId, bit: u32, value: bool) -> Lit {
        let lit = self.blaster.bits(terms, term, &mut self.solver)[bit as usize];
        if value { lit } else { !lit }
    }

    pub fn new_lit(&mut self) -> Lit {
        self.solver.new_var().lit()
    }

    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause);
    }

    /// At most one of these holds, in every state.
    pub fn at_most_one(&mut self, terms: &Terms, all: &[TermId]) {
        let lits: Vec<Lit> = all.iter().map(|&t| self.lit(terms, t)).collect();
        for (i, &a) in lits.iter().enumerate() {
            for &b in &lits[..i] {
                self.solver.add_clause(&[!a, !b]);
            }
        }
    }

    /// From now on questions assume this.
    pub fn assume(&mut self, lit: Lit) {
        self.assumed.push(lit);
    }

    /// No longer.
    pub fn forget(&mut self, lit: Lit) {
        self.assumed.retain(|l| *l != lit);
    }

    pub fn possible(&mut self, terms: &Terms, conds: &[TermId]) -> Result<bool, No> {
        let lits: Vec<Lit> = conds.iter().map(|&c| self.lit(terms, c)).collect();
        self.holds(&lits)
    }

    /// A value that a term can have under conditions.
    pub fn some_value(
        &mut self,
        terms: &Terms,
        conds: &[TermId],
        term: TermId,
    ) -> Result<Option<u128>, No> {
        let bits = self.blaster.bits(terms, term, &mut self.solver).to_vec();
        if !self.possible(terms, conds)? {
            return Ok(None);
        }
        let set = (0..).zip(bits).filter(|(_, bit)| self.solver.value(*bit));
        Ok(Some(set.fold(0, |value, (i, _)| value | 1 << i)))
    }

    /// Whether literals can hold together.
    pub fn holds(&mut self, lits: &[Lit]) -> Result<bool, No> {
        let all: Vec<Lit> = self.assumed.iter().chain(lits).copied().collect();
        match self.solver.solve(&all) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Interrupted => Err(No::Time),
        }
    }

    /// Whether a literal holds in what was found possible last.
    pub fn held(&mut self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
}
