//! A formula under construction, and the search for its models.
//!
//! Engines say what holds in literals, clauses and terms; a solver finds out whether it can. There
//! are two: `builtin.rs` (CaDiCaL and bit-blasting) and `smtlib.rs` (any SMT solver). An engine
//! that orders units by a theory puts that theory on top of a formula (`staged/order.rs`); an
//! engine without one needs nothing else.

pub use raddle_sat::{Answer, Lit};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Sizes and effort, for statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Effort {
    /// Boolean variables.
    pub variables: u64,
    /// Clauses, or assertions.
    pub clauses: u64,
    /// Conflicts met by the solver, if it tells.
    pub conflicts: u64,
}

/// A formula and the solver that decides it. All calls must pass the same pool of terms.
pub trait Formula {
    /// A literal of a new variable.
    fn new_lit(&mut self) -> Lit;
    /// One of these literals holds.
    fn clause(&mut self, lits: &[Lit]);
    /// The literal that is always true.
    fn tru(&self) -> Lit;
    /// The literal of a Boolean term: they are equal in every model.
    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit;
    /// If all premises hold, so does the Boolean `conclusion`.
    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId);
    /// A variable stands for a term, in every model. Where neither depends on the other yet it costs
    /// nothing, and terms over equal values become equal.
    fn define(&mut self, terms: &mut Terms, variable: TermId, value: TermId) {
        let equal = terms.eq(variable, value);
        self.assert_implies(terms, &[], equal);
    }

    /// Looks for a model in which these literals hold.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer;
    /// From now on a search gives up after so many conflicts (`None`: never), if the solver can.
    fn limit_conflicts(&mut self, most: Option<u32>);
    /// Whether a literal holds in the model.
    fn value(&mut self, lit: Lit) -> bool;
    /// The variables of terms in the model, of which there are `count`; those that nothing depends
    /// on are missing.
    fn variables(&mut self, count: usize) -> FxHashMap<VarId, u128>;
    /// Whether the model is one of what was said, if that was recorded ([`super::record::Record`]).
    fn recheck(&mut self, terms: &Terms) -> Result<(), String>;

    /// Sizes and effort so far.
    fn effort(&self) -> Effort;
    /// Why [`Formula::solve`] was interrupted, if not by time.
    fn failure(&self) -> Option<&str>;
}

/// A literal that implies that one of these holds.
pub fn any_of(formula: &mut dyn Formula, lits: &[Lit]) -> Lit {
    assert!(!lits.is_empty(), "one of none holds never");
    if let [one] = lits {
        return *one;
    }
    let any = formula.new_lit();
    let mut clause = vec![!any];
    clause.extend_from_slice(lits);
    formula.clause(&clause);
    any
}
