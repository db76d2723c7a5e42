//! Whether a model is an execution: the tables of paper 000, and what they are for.
//!
//! Independent of how constraints were written down: only values of terms and the literals of
//! passes are looked at. The tables: a pass goes from a thread that has made its step to one that
//! is there and had no token, counts the clock up by one and hands memory over; each slot gives and
//! takes at most once; who makes a step has kept the token or received it. What they are for: in
//! the order of clocks there is one chain of steps, each thread's own in its order, and each step
//! finds memory as the step before has left it.

use rustc_hash::FxHashMap;

use super::token::{At, Pair};
use super::unroll::{Need, Run};
use super::witness::Model;

/// Compares a model with the tables. An error is a mistake in raddle.
pub fn check(model: &mut Model, runs: &[Run], passes: &[Pair]) -> Result<(), String> {
    let mut given: FxHashMap<At, At> = FxHashMap::default();
    let mut taken: FxHashMap<At, At> = FxHashMap::default();
    for pass in passes {
        let (from, to) = (&runs[pass.from.0].slots[pass.from.1], &runs[pass.to.0].slots[pass.to.1]);
        if given.insert(pass.from, pass.to).is_some() || taken.insert(pass.to, pass.from).is_some()
        {
            return Err(format!("two passes at {pass:?}"));
        }
        if !model.holds(from.done) || !model.holds(from.token) || !model.holds(to.token) {
            return Err(format!("a pass without a step or a token: {pass:?}"));
        }
        if model.holds(from.keeps) {
            return Err(format!("given and kept: {pass:?}"));
        }
        if model.value(to.clock) != model.value(from.clock) + 1 {
            return Err(format!("the clock does not count {pass:?}"));
        }
        same(model, &from.after, &to.before).map_err(|e| format!("{e} in {pass:?}"))?;
    }
    let mut steps: Vec<(u128, At)> = Vec::new();
    for (r, run) in runs.iter().enumerate() {
        for (s, slot) in run.slots.iter().enumerate() {
            if slot.need != Need::Token || !model.holds(slot.done) {
                continue;
            }
            let kept = slot.previous.is_some_and(|p| model.holds(run.slots[p].keeps));
            let first = slot.previous.is_none() && r == 0;
            if !first && !kept && !taken.contains_key(&(r, s)) {
                return Err(format!("thread {r} makes step {s} without having the token"));
            }
            if slot.previous.is_some_and(|p| !model.holds(run.slots[p].done)) {
                return Err(format!("thread {r} makes step {s}, but not the one before"));
            }
            steps.push((model.value(slot.clock), (r, s)));
        }
    }
    steps.sort_unstable();
    for pair in steps.windows(2) {
        let [(c, a), (d, b)] = [pair[0], pair[1]];
        if c == d && a.0 != b.0 || c != d && given.get(&a).map(|g| g.0) != Some(b.0) {
            return Err(format!("the chain is broken between {a:?} and {b:?}"));
        }
        let (before, after) = (&runs[b.0].slots[b.1].before, &runs[a.0].slots[a.1].after);
        same(model, after, before).map_err(|e| format!("{e} between {a:?} and {b:?}"))?;
    }
    Ok(())
}

fn same(
    model: &mut Model,
    a: &[raddle_term::TermId],
    b: &[raddle_term::TermId],
) -> Result<(), String> {
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let (x, y) = (model.value(x), model.value(y));
        if x != y {
            return Err(format!("cell {i} is {x:#x}, then {y:#x}"));
        }
    }
    Ok(())
}
