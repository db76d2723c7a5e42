//! Cheap implication between guards.
//!
//! Guards are conjunctions; one implies another if it has all its conjuncts. Syntactic, hence
//! incomplete: a "no" means "not seen".

use std::rc::Rc;

use raddle_term::{Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Memo of conjunct sets.
#[derive(Default)]
pub struct Implication {
    sets: FxHashMap<TermId, Rc<FxHashSet<TermId>>>,
}

impl Implication {
    /// Whether `a` certainly implies `b`.
    pub fn holds(&mut self, terms: &Terms, a: TermId, b: TermId) -> bool {
        debug_assert_eq!((terms.width(a), terms.width(b)), (1, 1), "guards are Booleans");
        if a == b || terms.is_true(b) || terms.is_false(a) {
            return true;
        }
        if terms.is_true(a) || terms.is_false(b) {
            return false;
        }
        let (of_a, of_b) = (self.conjuncts(terms, a), self.conjuncts(terms, b));
        of_b.iter().all(|c| of_a.contains(c))
    }

    /// Whether the two terms together certainly imply `c`.
    pub fn hold_together(&mut self, terms: &Terms, [a, b]: [TermId; 2], c: TermId) -> bool {
        let [a, b, c] = [a, b, c].map(|t| self.conjuncts(terms, t));
        c.iter().all(|x| terms.is_true(*x) || a.contains(x) || b.contains(x))
    }

    /// Whether `a` and `b` certainly exclude each other.
    pub fn excludes(&mut self, terms: &Terms, a: TermId, b: TermId) -> bool {
        if terms.is_true(a) || terms.is_true(b) {
            return terms.is_false(a) || terms.is_false(b);
        }
        let (of_a, of_b) = (self.conjuncts(terms, a), self.conjuncts(terms, b));
        let (small, large) = if of_a.len() < of_b.len() { (&of_a, &of_b) } else { (&of_b, &of_a) };
        small.iter().any(|&c| match terms.op(c) {
            Op::Not => large.contains(&terms.args(c)[0]),
            Op::Const
            | Op::Var
            | Op::And
            | Op::Xor
            | Op::Ite
            | Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Neg
            | Op::Add
            | Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::Concat
            | Op::Extract
            | Op::Sext => false,
        }) || large.iter().any(|&c| terms.op(c) == Op::Not && small.contains(&terms.args(c)[0]))
    }

    /// The leaves of a conjunction.
    pub fn conjuncts(&mut self, terms: &Terms, t: TermId) -> Rc<FxHashSet<TermId>> {
        if let Some(set) = self.sets.get(&t) {
            return set.clone();
        }
        let mut set = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut work = vec![t];
        while let Some(x) = work.pop() {
            if !seen.insert(x) {
                continue;
            }
            if terms.op(x) == Op::And {
                work.extend_from_slice(terms.args(x));
            } else {
                set.insert(x);
            }
        }
        assert!(!set.is_empty(), "a conjunction has leaves");
        let set = Rc::new(set);
        self.sets.insert(t, set.clone());
        set
    }
}
