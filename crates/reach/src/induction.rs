//! k-induction: if k good steps in a row, wherever they begin, are never followed by a bad one, and
//! the first k steps are good, then all are.
//!
//! The steps are those of a path without a state that occurs twice, which makes the method complete;
//! that two states differ is said when a model shows them equal, and only then.
//! Source: Sheeran, Singh, Stålmarck, FMCAD 2000; simple paths on demand: Eén and Sörensson, BMC 2003.

use raddle_sat::Lit;

use crate::unroll::{Begin, Unrolling};
use crate::{Cube, Interrupted, Limits, Question};

/// A search for a k.
pub struct Induction<'a> {
    question: Question<'a>,
    unrolling: Unrolling<'a>,
    /// Good steps that are assumed.
    good: usize,
}

impl<'a> Induction<'a> {
    /// Nothing is known but that these cubes are an invariant by themselves ([`crate::Pairs`]).
    pub fn new(question: Question<'a>, known: &[Cube]) -> Induction<'a> {
        let mut unrolling = Unrolling::new(question, Begin::Anywhere);
        unrolling.know(known);
        Induction { question, unrolling, good: 0 }
    }

    /// The next k to be tried.
    pub fn k(&self) -> usize {
        self.good
    }

    /// Whether k good steps are never followed by a bad one, for the next k.
    pub fn step(&mut self, limits: &Limits) -> Result<bool, Interrupted> {
        while self.unrolling.len() <= self.good {
            self.unrolling.push();
        }
        let bad = self.unrolling.bad(self.good);
        while self.unrolling.solve(&[bad], limits)? {
            if !self.separate() {
                self.unrolling.solver.add_clause(&[!bad]);
                self.good += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Says that states which are equal in the model are not; false if all differ.
    fn separate(&mut self) -> bool {
        let states: Vec<Vec<bool>> = (0..=self.good).map(|k| self.unrolling.latches(k)).collect();
        let pairs = (0..=self.good).flat_map(|j| (0..j).map(move |i| (i, j)));
        let equal: Vec<(usize, usize)> = pairs.filter(|&(i, j)| states[i] == states[j]).collect();
        for &(i, j) in &equal {
            let latches = 0..self.question.system.latches.len();
            let differ: Vec<Lit> = latches
                .map(|l| {
                    let (a, b) = (self.unrolling.latch(i, l), self.unrolling.latch(j, l));
                    self.unrolling.differ(a, b)
                })
                .collect();
            self.unrolling.solver.add_clause(&differ);
        }
        !equal.is_empty()
    }
}
