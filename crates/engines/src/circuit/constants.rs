//! Registers that always hold the same value when they are read: who a thread is, and the addresses
//! that follow from that.
//!
//! Idea: `serve(0)` and `serve(1)` are two copies of a function in the automata, but each computes its
//! indices and addresses anew in each round. Suppose that a register holds nothing yet, put what is
//! supposed into the terms of its updates, and give up what does not come out the same each time;
//! what is left when nothing changes any more is an invariant. Such a register is its value in all
//! terms, so that an access through it means one cell, and it has no latches.
//! Source: optimistic constants, Wegman and Zadeck 1991.
//! Invariants: (1) no state reads such a register before it is assigned, so that its first value, and
//! the 0 of registers that are not live, do not matter; (2) each of its updates, with all of them put in,
//! is its value.
//! Limits: conditions of transitions are not looked at.

use std::collections::BTreeSet;

use raddle_automaton::{Automaton, StateIx, StateVar, Vars};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a register that has been assigned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    One(TermId),
    Several,
}

/// A value that a transition gives to a register.
struct Update {
    var: StateVar,
    value: TermId,
    /// The registers in it.
    reads: Vec<StateVar>,
}

/// The registers of a thread that hold one value, given arguments that do.
pub fn constant_registers(
    terms: &mut Terms,
    vars: &Vars,
    automaton: &Automaton,
    arguments: &FxHashMap<StateVar, TermId>,
) -> FxHashMap<StateVar, TermId> {
    let assigned = assigned_before_read(terms, vars, automaton);
    let transitions = automaton.states.iter().flat_map(|s| &s.transitions);
    let mut updates: Vec<Update> = Vec::new();
    for &(var, value) in transitions.flat_map(|t| &t.updates) {
        if assigned.contains(&var) {
            let reads = registers(terms, vars, &[value]);
            updates.push(Update { var, value, reads });
        }
    }
    let term = |var: StateVar| vars.known(var).expect("it occurs");
    let mut map: FxHashMap<TermId, TermId> =
        arguments.iter().map(|(&var, &value)| (term(var), value)).collect();
    let mut holds: FxHashMap<StateVar, Holds> = FxHashMap::default();
    let read = updates.iter().flat_map(|u| &u.reads);
    holds.extend(read.filter(|r| !assigned.contains(r)).map(|&r| (r, Holds::Several)));
    // Those of which more has become known since an update was looked at.
    let mut changed: FxHashSet<StateVar> = holds.keys().copied().collect();
    changed.extend(updates.iter().filter(|u| u.reads.is_empty()).map(|u| u.var));
    while !changed.is_empty() {
        let is_due = |u: &&Update| {
            let is_open = holds.get(&u.var) != Some(&Holds::Several);
            let is_new = u.reads.is_empty() || u.reads.iter().any(|r| changed.contains(r));
            is_open && is_new && u.reads.iter().all(|r| holds.contains_key(r))
        };
        let due: Vec<&Update> = updates.iter().filter(is_due).collect();
        let values: Vec<TermId> = due.iter().map(|u| u.value).collect();
        let values = terms.substitute(&values, &map);
        let due: Vec<StateVar> = due.iter().map(|u| u.var).collect();
        changed.clear();
        for (var, value) in due.into_iter().zip(values) {
            let now = match (terms.as_const(value), holds.get(&var)) {
                (Some(_), None) => Holds::One(value),
                (Some(_), Some(&Holds::One(before))) if before == value => continue,
                (Some(_) | None, _) => Holds::Several,
            };
            holds.insert(var, now);
            changed.insert(var);
            match now {
                Holds::One(value) => map.insert(term(var), value),
                Holds::Several => map.remove(&term(var)),
            };
        }
        if changed.is_empty() {
            // What is left waits for itself: nothing is supposed of it.
            let rest = updates.iter().map(|u| u.var).filter(|v| !holds.contains_key(v));
            changed = rest.collect();
            holds.extend(changed.iter().map(|&v| (v, Holds::Several)));
        }
    }
    let one = |(var, holds): (StateVar, Holds)| match holds {
        Holds::One(value) => Some((var, value)),
        Holds::Several => None,
    };
    holds.into_iter().filter_map(one).collect()
}

fn registers(terms: &Terms, vars: &Vars, roots: &[TermId]) -> Vec<StateVar> {
    let all = vars.in_terms(terms, roots).into_iter();
    all.filter(|v| matches!(v, StateVar::Register(..))).collect()
}

/// The registers that are assigned on each way to a state that reads them, and live from there on. The
/// program has no others, but what is remembered of loops is in registers, too.
fn assigned_before_read(terms: &Terms, vars: &Vars, automaton: &Automaton) -> BTreeSet<StateVar> {
    let states = &automaton.states;
    let reads: Vec<Vec<StateVar>> =
        states.iter().map(|s| registers(terms, vars, &s.terms())).collect();
    // Where it is not live it may hold something else than what it was assigned, and in the beginning.
    let is_kept = |var: StateVar, (context, reg)| {
        let is_live = |s: &usize| states[*s].live.binary_search(&(context, reg)).is_ok();
        let mut open: Vec<usize> = (0..states.len()).filter(|s| !is_live(s)).collect();
        open.push(StateIx::START.index());
        let mut seen = vec![false; states.len()];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            if reads[state].contains(&var) {
                return false;
            }
            let transitions = states[state].transitions.iter();
            let others = transitions.filter(|t| t.updates.iter().all(|u| u.0 != var));
            open.extend(others.map(|t| t.target.index()));
        }
        true
    };
    let updates = states.iter().flat_map(|s| &s.transitions).flat_map(|t| &t.updates);
    let mut all: BTreeSet<StateVar> = updates.map(|u| u.0).collect();
    all.retain(|&var| match var {
        StateVar::Register(context, reg) => is_kept(var, (context, reg)),
        StateVar::Own
        | StateVar::Count(_)
        | StateVar::Return(_)
        | StateVar::Cell(_)
        | StateVar::Argument(..)
        | StateVar::Result(_) => false,
    });
    all
}

#[cfg(test)]
mod tests {
    use raddle_analysis::Facts;
    use raddle_automaton::{Bounds, automata};
    use raddle_ir::{GlobalId, Property, RegId};
    use raddle_testkit::build::{Body, Builder, c, reg};

    use super::*;

    /// What a register of main always holds, if that is known. Each write to the global is a step.
    fn held(body: impl FnOnce(&mut Body<'_>, GlobalId) -> RegId) -> Option<u128> {
        let mut b = Builder::checking(&[Property::Assertions]);
        let x = b.global("x", 4);
        let other = b.thread("other", &[], |f| {
            let value = f.read(x);
            let right = f.differs(value, 9);
            f.assert(right);
        });
        let mut looked_at = None;
        let main = b.thread("main", &[], |f| {
            f.create(other);
            looked_at = Some(body(f, x));
        });
        let program = b.finish(main);
        let mut terms = Terms::new();
        let made =
            automata(&program, &Facts::new(&program), Bounds::default(), &mut terms, &|| false);
        let mut made = made.unwrap_or_else(|_| panic!("it is small"));
        let (class, context) = made
            .classes
            .iter()
            .enumerate()
            .map(|(i, a)| (i, made.layout.contexts.entry(a.class)))
            .find(|(_, context)| made.layout.contexts.get(*context).func == main)
            .expect("main is a thread");
        let thread = made.layout.thread_ids().next().expect("main is a thread");
        let main = made.classes[class].of_thread(&mut terms, &mut made.vars, thread);
        let all = constant_registers(&mut terms, &made.vars, &main, &FxHashMap::default());
        let register = StateVar::Register(context, looked_at.expect("it was made"));
        all.get(&register).and_then(|&value| terms.as_const(value))
    }

    /// Reads a register.
    fn read(f: &mut Body<'_>, register: RegId) {
        let right = f.equal(register, 7);
        f.assert(right);
    }

    #[test]
    fn what_is_assigned_once() {
        let once = held(|f, x| {
            let r = f.var(7, 32);
            f.write(x, 1);
            read(f, r);
            r
        });
        assert_eq!(once, Some(7));
    }

    #[test]
    fn what_follows_from_another_one() {
        let sum = held(|f, x| {
            let r = f.var(7, 32);
            f.write(x, 1);
            let sum = f.add(r, 3);
            f.write(x, 2);
            read(f, sum);
            sum
        });
        assert_eq!(sum, Some(10));
    }

    #[test]
    fn what_has_two_values() {
        let two = held(|f, x| {
            let r = f.var(7, 32);
            let chosen = f.choice(2);
            let second = f.differs(chosen, 0);
            f.write(x, 1);
            f.when(second, |f| f.assign(r, c(8, 32)));
            f.write(x, 2);
            read(f, r);
            r
        });
        assert_eq!(two, None);
    }

    /// Two registers in an endless loop, which are exchanged, with a step in between.
    fn exchanged(first: u128, second: u128) -> Option<u128> {
        held(|f, x| {
            let (a, b, kept) = (f.var(first, 32), f.var(second, 32), f.reg(32));
            let head = f.block();
            f.goto(head);
            f.write(x, 1);
            f.assign(kept, reg(a));
            f.assign(a, reg(b));
            f.write(x, 2);
            f.assign(b, reg(kept));
            read(f, a);
            f.goto(head);
            a
        })
    }

    #[test]
    fn what_goes_around() {
        assert_eq!(exchanged(7, 7), Some(7));
        assert_eq!(exchanged(7, 8), None);
    }

    #[test]
    fn what_grows() {
        let counter = held(|f, x| {
            let r = f.var(7, 32);
            let head = f.block();
            f.goto(head);
            f.write(x, 1);
            let more = f.add(r, 1);
            f.assign(r, reg(more));
            f.goto(head);
            r
        });
        assert_eq!(counter, None);
    }
}
