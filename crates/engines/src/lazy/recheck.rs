//! Whether a model is an execution: the tables of paper 000, and what they are for.
//!
//! Independent of how constraints were written down: only values of terms and the literals of
//! passes are looked at. The rules, with the numbers of the paper's equations:
//! - enabling (1): a pass goes from a thread that has the token and has made its step to one that
//!   stands where it takes it and had no token;
//! - exclusivity (2, 3): each slot gives and takes at most once, and what is given is not kept;
//! - update (4 to 6): memory is handed over, and the clocks count the step;
//! - no synchronisation (8 to 11): who keeps the token finds memory and the others' clocks as they were;
//! - locks (12): who takes a mutex finds it free and has it afterwards;
//! - write commit and reachability (13, 14): who makes a step has the token;
//! - single token (15): at first main has it and nobody else: every other token was kept or taken.
//!
//! What they are for: in the order of clocks there is one chain of steps, each thread's own in its
//! order, and each step finds memory as the step before has left it.

use raddle_ir::{Op, Program};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::roles::Role;
use super::token::{At, Pair};
use super::unroll::{Need, Run, Slot};
use super::witness::{Model, thread_id};

/// Compares a model with the tables. An error is a mistake in raddle.
pub fn check(
    model: &mut Model,
    program: &Program,
    runs: &[Run],
    passes: &[Pair],
) -> Result<(), String> {
    let mut given: FxHashMap<At, At> = FxHashMap::default();
    let mut taken: FxHashMap<At, At> = FxHashMap::default();
    for pass in passes {
        if given.insert(pass.from, pass.to).is_some() || taken.insert(pass.to, pass.from).is_some()
        {
            return Err(format!("two passes at {pass:?} (2, 3)"));
        }
        check_pass(model, runs, pass).map_err(|e| format!("{e}: {pass:?}"))?;
    }
    let mut steps: Vec<(u128, At)> = Vec::new();
    for (r, run) in runs.iter().enumerate() {
        for s in 0..run.slots.len() {
            check_slot(model, runs, (r, s), taken.contains_key(&(r, s)))
                .map_err(|e| format!("{e}: thread {r}, step {s}"))?;
            if run.slots[s].need == Need::Token && model.holds(run.slots[s].done) {
                let rules = check_lock(model, program, run, s);
                let rules = rules.and_then(|()| check_bits(model, &run.slots[s]));
                rules.map_err(|e| format!("{e}: thread {r}, step {s}"))?;
                steps.push((model.clock((r, s)), (r, s)));
            }
        }
    }
    steps.sort_unstable();
    for pair in steps.windows(2) {
        let [(c, a), (d, b)] = [pair[0], pair[1]];
        let goes_on = runs[b.0].slots[b.1].previous == Some(a.1) && a.0 == b.0;
        let kept = goes_on && model.holds(runs[a.0].slots[a.1].keeps);
        if c + 1 != d || !kept && given.get(&a) != Some(&b) {
            return Err(format!("the chain is broken between {a:?} and {b:?}"));
        }
        let (before, after) = (&runs[b.0].slots[b.1].before, &runs[a.0].slots[a.1].after);
        same(model, after, before).map_err(|e| format!("{e} between {a:?} and {b:?}"))?;
    }
    Ok(())
}

/// Enabling, update, and that what is given is not kept.
fn check_pass(model: &mut Model, runs: &[Run], pass: &Pair) -> Result<(), String> {
    let (from, to) = (&runs[pass.from.0].slots[pass.from.1], &runs[pass.to.0].slots[pass.to.1]);
    if pass.from.0 == pass.to.0 {
        return Err("a pass to oneself (1)".into());
    }
    if !model.holds(from.done) || !model.holds(from.token) || !model.holds(to.token) {
        return Err("a pass without a step or a token (1)".into());
    }
    if !to.nodes.iter().any(|n| model.holds(n.at)) {
        return Err("who takes the token is not there (1)".into());
    }
    let had = to.previous.is_some_and(|p| model.holds(runs[pass.to.0].slots[p].keeps));
    if had || model.holds(from.keeps) {
        return Err("taken by who has it, or given and kept (3, 5)".into());
    }
    if model.clock(pass.to) != model.clock(pass.from) + 1 {
        return Err("the clock does not count (6)".into());
    }
    same(model, &from.after, &to.before).map_err(|e| format!("{e} (4)"))
}

/// Write commit, reachability, single token, and what is kept.
fn check_slot(model: &mut Model, runs: &[Run], at: At, taken: bool) -> Result<(), String> {
    let run = &runs[at.0];
    let slot = &run.slots[at.1];
    let nodes = slot.nodes.iter().filter(|n| model.holds(n.at)).count();
    if nodes > 1 {
        return Err("in two states".into());
    }
    if slot.need != Need::Token {
        return Ok(());
    }
    let previous = slot.previous.map(|p| &run.slots[p]);
    let kept = previous.is_some_and(|p| model.holds(p.keeps));
    let first = previous.is_none() && at.0 == 0;
    let (token, done) = (model.holds(slot.token), model.holds(slot.done));
    if token && !first && !kept && !taken {
        return Err("a token from nowhere (15)".into());
    }
    if done && !token {
        return Err("a step without the token (13, 14)".into());
    }
    if done && (nodes == 0 || previous.is_some_and(|p| !model.holds(p.done))) {
        return Err("a step, but not the one before".into());
    }
    if let Some(previous) = previous.filter(|_| kept && done) {
        let before = slot.previous.map(|p| model.clock((at.0, p)) + 1);
        if before != Some(model.clock(at)) {
            return Err("kept, but others have made steps (10)".into());
        }
        same(model, &previous.after, &slot.before).map_err(|e| format!("{e} (8)"))?;
    }
    Ok(())
}

/// A lock finds its mutex free, and the thread has it afterwards.
fn check_lock(model: &mut Model, program: &Program, run: &Run, s: usize) -> Result<(), String> {
    let slot = &run.slots[s];
    let Some(node) = slot.nodes.iter().find(|n| model.holds(n.at)) else { return Ok(()) };
    let Some(position) = run.automaton.state(node.state).position else { return Ok(()) };
    let op = program.instr(position.at).map(|i| &i.op);
    if !matches!(op, Some(Op::Lock { .. })) || run.automaton.state(node.state).idle {
        return Ok(());
    }
    let trail = node.step.trail.iter().find(|t| t.at == Some(position.at));
    let Some(address) = trail.and_then(|t| t.address) else {
        return Err("a lock without an address".into());
    };
    let address = model.value(address) as u64;
    let layout = model.layout();
    let cell = layout.cells.iter().position(|c| {
        c.width == 32
            && c.part.is_some_and(|(o, offset)| layout.objects[o.index()].base + offset == address)
    });
    let role = cell.map(|c| model.role(raddle_automaton::CellId(c as u32)));
    if let Some(Role::Passed(i)) = role {
        let (before, after) = (model.value(slot.before[i]), model.value(slot.after[i]));
        let own = u128::from(thread_id(run.thread).0);
        // What follows in the same step is not visible, so the word stays as it is.
        if before != 0 || after != own {
            return Err(format!("the word of a mutex is {before}, then {after} (12)"));
        }
    }
    Ok(())
}

/// What is left in memory has only bits that it can have: others would be lost when it is handed
/// over.
fn check_bits(model: &mut Model, slot: &Slot) -> Result<(), String> {
    for (i, (bits, &left)) in model.passed_bits().zip(&slot.after).enumerate() {
        let value = model.value(left);
        if !bits.contains(value) {
            return Err(format!("cell {i} is {value:#x}, which is not in {bits:x?}"));
        }
    }
    Ok(())
}

/// The same for threads that are unrolled together: at each time one makes a step at most, and
/// finds what was left.
pub fn check_together(model: &mut Model, runs: &[Run]) -> Result<(), String> {
    let mut steps: Vec<(u128, At)> = Vec::new();
    for (r, run) in runs.iter().enumerate() {
        for (s, slot) in run.slots.iter().enumerate() {
            if slot.need == Need::Token && model.holds(slot.done) {
                steps.push((model.value(slot.clock), (r, s)));
            }
        }
    }
    steps.sort_unstable();
    for pair in steps.windows(2) {
        let [(c, a), (d, b)] = [pair[0], pair[1]];
        if c == d {
            return Err(format!("{a:?} and {b:?} at one time"));
        }
        let (before, after) = (&runs[b.0].slots[b.1].before, &runs[a.0].slots[a.1].after);
        same(model, after, before).map_err(|e| format!("{e} between {a:?} and {b:?}"))?;
    }
    Ok(())
}

fn same(model: &mut Model, a: &[TermId], b: &[TermId]) -> Result<(), String> {
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let (x, y) = (model.value(x), model.value(y));
        if x != y {
            return Err(format!("cell {i} is {x:#x}, then {y:#x}"));
        }
    }
    Ok(())
}
