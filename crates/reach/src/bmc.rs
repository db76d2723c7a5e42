//! Bounded model checking: is something bad reached in so many steps, one step more each time.
//!
//! Source: Biere, Cimatti, Clarke, Zhu, TACAS 1999; incrementally, in one solver: Eén and Sörensson,
//! BMC 2003. What was refuted for a step is a clause from then on.
//! A step that changes nothing is not looked at, so if no execution makes a further step that was all.

use raddle_aig::Execution;

use crate::unroll::{Begin, Unrolling};
use crate::{Interrupted, Limits, Question};

/// A search from the initial states.
pub struct Bmc<'a> {
    question: Question<'a>,
    unrolling: Unrolling<'a>,
    /// The bad edges that are still looked for.
    open: Vec<usize>,
    /// Nothing of them happens in fewer steps.
    depth: usize,
}

/// What one step shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// An execution whose last step is bad.
    Violation(Execution),
    /// Nothing, and no execution goes on.
    End,
    /// Nothing so far.
    Nothing,
}

impl<'a> Bmc<'a> {
    /// Nothing is known yet.
    pub fn new(question: Question<'a>) -> Bmc<'a> {
        let unrolling = Unrolling::new(question, Begin::Initial);
        Bmc { question, unrolling, open: question.bad.to_vec(), depth: 0 }
    }

    /// In so many steps nothing bad happens.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Clauses so far.
    pub fn clauses(&self) -> u64 {
        self.unrolling.solver.statistics().clauses
    }

    /// No longer looks for this edge.
    pub fn close(&mut self, bad: usize) {
        self.open.retain(|b| *b != bad);
    }

    /// The first of these edges that holds in one of the steps so far, in an execution without anything
    /// that was looked for in vain.
    pub fn reaches(
        &mut self,
        bad: &[usize],
        limits: &Limits,
    ) -> Result<Option<usize>, Interrupted> {
        for step in 0..self.unrolling.len() {
            for &b in bad {
                let lit = self.unrolling.any_of(step, &[b]);
                if self.unrolling.solve(&[lit], limits)? {
                    return Ok(Some(b));
                }
            }
        }
        Ok(None)
    }

    /// Looks one step further, or at the same step again if something was found there.
    pub fn step(&mut self, limits: &Limits) -> Result<Found, Interrupted> {
        if self.unrolling.len() <= self.depth {
            if self.depth > 0
                && let Some(moves) = self.question.moves
            {
                let moved = self.unrolling.lit(self.depth - 1, moves);
                if !self.unrolling.solve(&[moved], limits)? {
                    return Ok(Found::End);
                }
                self.unrolling.solver.add_clause(&[moved]);
            }
            self.unrolling.push();
        }
        let bad = self.unrolling.any_of(self.depth, &self.open);
        if self.unrolling.solve(&[bad], limits)? {
            return Ok(Found::Violation(self.unrolling.execution(self.depth)));
        }
        self.unrolling.solver.add_clause(&[!bad]);
        self.depth += 1;
        Ok(Found::Nothing)
    }
}
