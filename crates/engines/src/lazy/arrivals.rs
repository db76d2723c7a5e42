//! Where control arrives: a state, when, and with which values.
//!
//! Arrivals in one state at one depth are one: each variable has the value of the path that was
//! taken. States of single copies of functions are kept apart by callers, if that is wanted (CXT).
//! Source: paper 000 §7 for CXT.
//! Invariant: the conditions of arrivals exclude each other.

use std::rc::Rc;

use raddle_automaton::{StateIx, StateVar};
use raddle_term::TermId;

use super::unroll::{Env, Ground};

/// A place that control has reached.
#[derive(Clone)]
pub struct Arrival {
    /// The state.
    pub state: StateIx,
    /// When.
    pub at: TermId,
    /// With these values.
    pub env: Rc<Env>,
}

/// Whether all single copies that are under way return to the same callers (CXT).
fn same_callers(a: &Arrival, b: &Arrival) -> bool {
    let of = |arrival: &Arrival| {
        let all = arrival.env.iter().filter(|(var, _)| matches!(var, StateVar::Return(_)));
        let mut all: Vec<(StateVar, TermId)> = all.map(|(var, value)| (*var, *value)).collect();
        all.sort_unstable();
        all
    };
    of(a) == of(b)
}

/// Joins an arrival with another one in the same state.
pub fn add(ground: &mut Ground, all: &mut Vec<Arrival>, new: Arrival) {
    let joins = |a: &Arrival| a.state == new.state && (!ground.by_caller || same_callers(a, &new));
    let Some(old) = all.iter_mut().find(|a| joins(a)) else {
        all.push(new);
        return;
    };
    let mut env = Env::clone(&old.env);
    for (&var, &value) in new.env.iter() {
        let other = match (env.get(&var), var) {
            (Some(&other), _) => other,
            (None, StateVar::Cell(cell)) => ground.at_start(cell),
            (None, StateVar::Count(_) | StateVar::Return(_)) => {
                let width = ground.terms.width(value);
                ground.terms.constant(0, width)
            }
            // A register that only one path has written is not read on the other.
            (None, _) => value,
        };
        let joined = ground.terms.ite(new.at, value, other);
        env.insert(var, joined);
    }
    for (&var, &value) in old.env.iter().filter(|(v, _)| !new.env.contains_key(v)) {
        let other = match var {
            StateVar::Cell(cell) => ground.at_start(cell),
            StateVar::Count(_) | StateVar::Return(_) => {
                let width = ground.terms.width(value);
                ground.terms.constant(0, width)
            }
            _ => continue,
        };
        let joined = ground.terms.ite(new.at, other, value);
        env.insert(var, joined);
    }
    old.at = ground.terms.or(old.at, new.at);
    old.env = Rc::new(env);
}
