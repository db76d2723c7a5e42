//! Few passes first.
//!
//! Idea: most mistakes show in executions in which threads seldom take turns, and of those there are
//! few: once the passes are chosen, all that is left is what the program does. So a question is first
//! asked with at most [`MOST`] passes of the token, and then without that. Each slot has a row of
//! literals that says at least how many passes came before; a pass moves the row on by one.
//! Source: bounded context switches (paper 002; Qadeer, Rehof, TACAS 2005). Here they are only where
//! the search begins: what is said holds under one literal, which is assumed or not, so nothing is
//! left out of the answer.

use raddle_sat::Lit;
use rustc_hash::FxHashMap;

use super::token::At;
use crate::bounded::formula::Formula;

/// Most passes at first.
const MOST: usize = 4;

/// The passes before each slot, if there shall be few.
#[derive(Default)]
pub struct Few {
    /// There are few.
    wanted: Option<Lit>,
    /// By slot: literals that hold if there were at least 1, 2, ... passes.
    counted: FxHashMap<At, Vec<Lit>>,
}

impl Few {
    /// The literal to assume; it implies that there are few passes.
    pub fn wanted(&mut self, formula: &mut dyn Formula) -> Lit {
        *self.wanted.get_or_insert_with(|| formula.new_lit())
    }

    fn counted(&mut self, formula: &mut dyn Formula, at: At) -> Vec<Lit> {
        let make = || (0..MOST).map(|_| formula.new_lit()).collect();
        self.counted.entry(at).or_insert_with(make).clone()
    }

    /// Under a literal a thread keeps the token from one slot to its next.
    pub fn keep(&mut self, formula: &mut dyn Formula, kept: Lit, from: At, to: At) {
        let few = self.wanted(formula);
        let (from, to) = (self.counted(formula, from), self.counted(formula, to));
        for (before, after) in from.into_iter().zip(to) {
            formula.clause(&[!few, !kept, !before, after]);
        }
    }

    /// Under a literal the token is passed.
    pub fn pass(&mut self, formula: &mut dyn Formula, passed: Lit, from: At, to: At) {
        let few = self.wanted(formula);
        let (from, to) = (self.counted(formula, from), self.counted(formula, to));
        formula.clause(&[!few, !passed, to[0]]);
        for (&before, &after) in from.iter().zip(&to[1..]) {
            formula.clause(&[!few, !passed, !before, after]);
        }
        formula.clause(&[!few, !passed, !from[MOST - 1]]);
    }
}
