//! Control-state reachability (CSR): which states a thread can be in after so many steps.
//!
//! A breadth-first walk over the transitions that ignores guards. What it says holds of every
//! execution; a search that unrolls with values knows more, never less.
//! Source: paper 000 §2.3.

use std::collections::BTreeSet;

use crate::machine::{Automaton, StateIx};

/// The states that control can reach in 0, 1, … steps, up to a depth or until there are none.
pub fn control_states(automaton: &Automaton, depth: usize) -> Vec<BTreeSet<StateIx>> {
    let mut all = vec![BTreeSet::from([StateIx::START])];
    while let Some(last) = all.last().filter(|last| !last.is_empty() && all.len() <= depth) {
        let steps = last.iter().flat_map(|s| &automaton.state(*s).transitions);
        let next = steps.map(|t| t.target).filter(|t| *t != StateIx::STOP).collect();
        all.push(next);
    }
    if all.last().is_some_and(BTreeSet::is_empty) {
        all.pop();
    }
    all
}
