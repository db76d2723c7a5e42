//! Where clauses go.

use raddle_sat::{Lit, Solver};

/// Takes literals and clauses: a solver, a file, a counter, a test.
pub trait ClauseSink {
    /// A literal of a new variable.
    fn new_lit(&mut self) -> Lit;
    /// Adds the disjunction of the literals.
    fn clause(&mut self, clause: &[Lit]);
}

impl ClauseSink for Solver {
    fn new_lit(&mut self) -> Lit {
        self.new_var().lit()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause);
    }
}
