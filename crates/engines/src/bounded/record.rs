//! What a formula was told, to be compared with its models.
//!
//! Solvers are given clauses that come from terms by way of bit-blasting or text. Here the terms
//! themselves are kept, and evaluated under the values of a model by the evaluator, which shares
//! nothing with either: a mistake on the way shows as a model of something else. Costs memory and
//! time in proportion to the formula, so it is on only if it is asked for
//! ([`crate::Settings::recheck`]).

use raddle_sat::Lit;
use raddle_term::{Evaluator, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Conclusions with the premises under which they hold, literals of terms, and clauses.
#[derive(Default)]
pub struct Record {
    on: bool,
    named: FxHashMap<TermId, Lit>,
    implied: Vec<(Vec<Lit>, TermId)>,
    clauses: Vec<Vec<Lit>>,
}

impl Record {
    /// An empty record; if it is not on, it stays empty.
    pub fn new(on: bool) -> Record {
        Record { on, ..Record::default() }
    }

    /// A term has this literal.
    pub fn named(&mut self, t: TermId, lit: Lit) {
        if self.on {
            let before = self.named.insert(t, lit);
            assert!(before.is_none_or(|l| l == lit), "a term has one literal");
        }
    }

    /// The premises imply a term.
    pub fn implied(&mut self, premises: &[Lit], conclusion: TermId) {
        if self.on {
            self.implied.push((premises.to_vec(), conclusion));
        }
    }

    /// One of these holds.
    pub fn clause(&mut self, lits: &[Lit]) {
        if self.on {
            self.clauses.push(lits.to_vec());
        }
    }

    /// Compares the record with a model: the values of variables and those of literals.
    pub fn check(
        &self,
        terms: &Terms,
        variables: &FxHashMap<VarId, u128>,
        mut holds: impl FnMut(Lit) -> bool,
    ) -> Result<(), String> {
        let mut evaluator = Evaluator::new();
        let mut value = |t: TermId| {
            evaluator.value(terms, t, &mut |v| variables.get(&v).copied().unwrap_or(0)) != 0
        };
        for (&t, &lit) in &self.named {
            if value(t) != holds(lit) {
                return Err(format!("a literal differs from its term {}", terms.display(t, 4)));
            }
        }
        for (premises, conclusion) in &self.implied {
            if premises.iter().all(|&p| holds(p)) && !value(*conclusion) {
                let what = terms.display(*conclusion, 4);
                return Err(format!("a term that was asserted does not hold: {what}"));
            }
        }
        match self.clauses.iter().find(|lits| !lits.iter().any(|&l| holds(l))) {
            Some(clause) => Err(format!("a clause of {} literals does not hold", clause.len())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_sat::Var;

    use super::*;

    #[test]
    fn a_model_of_something_else_is_noticed() {
        let mut terms = Terms::new();
        let (x, five) = (terms.fresh(8), terms.constant(5, 8));
        let is_five = terms.eq(x, five);
        let (p, q) = (Var::from_index(1).lit(), Var::from_index(2).lit());
        let variable = terms.as_var(x).expect("a variable");
        let model = |k: u128| FxHashMap::from_iter([(variable, k)]);
        let mut record = Record::new(true);
        record.named(is_five, q);
        record.implied(&[p], is_five);
        record.clause(&[p, q]);
        let check =
            |k, true_ones: &[Lit]| record.check(&terms, &model(k), |l| true_ones.contains(&l));
        assert_eq!(check(5, &[p, q]), Ok(()));
        assert_eq!(check(5, &[q]), Ok(()));
        for (k, true_ones, why) in
            [(5, vec![p], "differs"), (4, vec![p], "asserted"), (4, vec![], "clause")]
        {
            let said = check(k, &true_ones).expect_err("no model");
            assert!(said.contains(why), "{said}");
        }
        let mut silent = Record::new(false);
        silent.clause(&[p]);
        assert_eq!(silent.check(&terms, &model(0), |_| false), Ok(()));
    }
}
