//! Facts as clauses, without gates for their outermost structure.
//!
//! Idea: a fact under premises, `p1 & … & pn → t`, becomes clauses that start with the negated
//! premises. A conjunction splits into its parts, a disjunction is one clause, an implication moves
//! its left side to the premises, a choice is two facts, an equality is two clauses per bit. Only
//! what lies below gets gates. This is the hot path of the encoding:
//! `rf(w, r) → value(w) = value(r)` costs no gate per pair. A term that has a literal already is
//! not taken apart: one clause with that literal says all.

use raddle_aig::Gates;
use raddle_sat::Lit;
use raddle_term::{Op, TermId, Terms};
use smallvec::SmallVec;

use crate::blaster::Blaster;
use crate::gates::Circuit;
use crate::sink::ClauseSink;

type Premises = SmallVec<[Lit; 6]>;

impl Blaster {
    /// Adds clauses that say: the Boolean `t` holds.
    pub fn assert_true(&mut self, terms: &Terms, t: TermId, sink: &mut dyn ClauseSink) {
        self.assert_implies(terms, &[], t, sink);
    }

    /// Adds clauses that say: if all premises hold, so does the Boolean `conclusion`.
    pub fn assert_implies(
        &mut self,
        terms: &Terms,
        premises: &[Lit],
        conclusion: TermId,
        sink: &mut dyn ClauseSink,
    ) {
        assert_eq!(terms.width(conclusion), 1, "a fact has width 1");
        self.words.take_note_of_new_terms(terms);
        let mut facts: Vec<(Premises, TermId)> = vec![(Premises::from_slice(premises), conclusion)];
        while let Some((mut premises, t)) = facts.pop() {
            premises.retain(|premise| *premise != self.tru());
            if premises.contains(&!self.tru()) {
                continue;
            }
            if let Some(lit) = self.known_lit(terms, t) {
                self.clause(&premises, &[lit], sink);
                continue;
            }
            let args = terms.args(t);
            match terms.op(t) {
                Op::And => {
                    facts.push((premises.clone(), args[0]));
                    facts.push((premises, args[1]));
                }
                Op::Ite => {
                    let condition = self.lit(terms, args[0], sink);
                    facts.push((with(&premises, condition), args[1]));
                    facts.push((with(&premises, !condition), args[2]));
                }
                Op::Eq => self.assert_equal(terms, &premises, args[0], args[1], sink),
                Op::Xor => {
                    let a = self.lit(terms, args[0], sink);
                    let b = self.lit(terms, args[1], sink);
                    self.equate(&premises, a, !b, sink);
                }
                Op::Not => {
                    facts.extend(self.assert_not(terms, premises, args[0], sink));
                }
                Op::Const
                | Op::Var
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
                | Op::Sext => {
                    let lit = self.lit(terms, t, sink);
                    self.clause(&premises, &[lit], sink);
                }
            }
        }
    }

    /// `premises → ~t`; gives back what is left to say.
    fn assert_not(
        &mut self,
        terms: &Terms,
        premises: Premises,
        t: TermId,
        sink: &mut dyn ClauseSink,
    ) -> Option<(Premises, TermId)> {
        if let Some(lit) = self.known_lit(terms, t) {
            self.clause(&premises, &[!lit], sink);
            return None;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::And => return self.assert_some_false(terms, premises, t, sink),
            Op::Xor => {
                let a = self.lit(terms, args[0], sink);
                let b = self.lit(terms, args[1], sink);
                self.equate(&premises, a, b, sink);
            }
            Op::Eq => {
                let (a, b) = self.two(terms, args[0], args[1], sink);
                let mut circuit = Circuit { gates: &mut self.gates, sink };
                let differ: Vec<Lit> = a.iter().zip(&b).map(|(&x, &y)| circuit.xor(x, y)).collect();
                self.clause(&premises, &differ, sink);
            }
            Op::Const
            | Op::Var
            | Op::Not
            | Op::Ite
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
            | Op::Sext => {
                let lit = self.lit(terms, t, sink);
                self.clause(&premises, &[!lit], sink);
            }
        }
        None
    }

    /// `premises → ~(c1 & … & cn)`: one clause, or with the other conjuncts as premises the
    /// complement of one that is worth to be taken apart: `~(p & ~(x = y))` is `p → x = y`.
    fn assert_some_false(
        &mut self,
        terms: &Terms,
        mut premises: Premises,
        t: TermId,
        sink: &mut dyn ClauseSink,
    ) -> Option<(Premises, TermId)> {
        let mut conjuncts = Vec::new();
        self.words.conjuncts(terms, t, &mut conjuncts);
        let inner = |part: TermId| {
            let inside = (terms.op(part) == Op::Not).then(|| terms.args(part)[0])?;
            let splits = matches!(terms.op(inside), Op::And | Op::Eq | Op::Xor | Op::Ite);
            (splits && self.words.is_private(inside)).then_some(inside)
        };
        let chosen = conjuncts.iter().position(|&part| inner(part).is_some());
        let conclusion = chosen.and_then(|i| inner(conjuncts.swap_remove(i)));
        for part in conjuncts {
            premises.push(self.lit(terms, part, sink));
        }
        match conclusion {
            Some(conclusion) => Some((premises, conclusion)),
            None => {
                self.clause(&premises, &[], sink);
                None
            }
        }
    }

    /// `premises → a = b`, bit by bit.
    fn assert_equal(
        &mut self,
        terms: &Terms,
        premises: &[Lit],
        a: TermId,
        b: TermId,
        sink: &mut dyn ClauseSink,
    ) {
        let (a, b) = self.two(terms, a, b, sink);
        let is_plain = |lit: Lit| lit.var() != self.tru().var();
        // The premises are written once; only the last two literals change from bit to bit.
        let mut clause: SmallVec<[Lit; 16]> = premises.iter().map(|&premise| !premise).collect();
        let start = clause.len();
        for (&x, &y) in a.iter().zip(&b) {
            if is_plain(x) && is_plain(y) && x.var() != y.var() {
                for pair in [[!x, y], [x, !y]] {
                    clause.truncate(start);
                    clause.extend(pair);
                    sink.clause(&clause);
                }
            } else {
                self.equate(premises, x, y, sink);
            }
        }
    }

    /// The bits of two terms.
    fn two(
        &mut self,
        terms: &Terms,
        a: TermId,
        b: TermId,
        sink: &mut dyn ClauseSink,
    ) -> (Vec<Lit>, Vec<Lit>) {
        let a = self.bits(terms, a, sink).to_vec();
        (a, self.bits(terms, b, sink).to_vec())
    }

    /// `premises → (a ↔ b)`
    fn equate(&self, premises: &[Lit], a: Lit, b: Lit, sink: &mut dyn ClauseSink) {
        if a != b {
            self.clause(premises, &[!a, b], sink);
            self.clause(premises, &[a, !b], sink);
        }
    }

    /// `premises → some of the literals`, unless that holds anyway.
    fn clause(&self, premises: &[Lit], some: &[Lit], sink: &mut dyn ClauseSink) {
        let negated = premises.iter().map(|&premise| !premise);
        let mut clause: SmallVec<[Lit; 16]> = negated.chain(some.iter().copied()).collect();
        clause.retain(|lit| *lit != !self.tru());
        // Complementary literals become neighbours.
        clause.sort_unstable_by_key(|lit| lit.index());
        clause.dedup();
        let holds =
            clause.contains(&self.tru()) || clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if !holds {
            sink.clause(&clause);
        }
    }
}

fn with(premises: &[Lit], more: Lit) -> Premises {
    let mut result = Premises::from_slice(premises);
    result.push(more);
    result
}
