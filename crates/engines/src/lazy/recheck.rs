//! Whether a model is an execution: the tables of paper 000, and what they are for.
//!
//! Independent of how constraints were written down: only values of terms and the literals of
//! passes are looked at. The rules, with the numbers of the paper's equations:
//! - enabling (1): a pass goes from a thread that has the token and has made its step to one that
//!   stands where it takes it and had no token, and both agree on how far the taker is; not from within an
//!   atomic section (which the paper does not have);
//! - exclusivity (2, 3): each slot gives and takes at most once, and what is given is not kept;
//! - update (4 to 6): memory is handed over, the token is, and all clocks are;
//! - no synchronisation (8 to 11): who keeps the token finds memory and all clocks as it left them, and
//!   who neither kept nor took it has none;
//! - locks (12): who takes a mutex finds it free and has it afterwards, who releases it leaves it free;
//! - write commit (13): who makes a step has the token;
//! - reachability (7, 14): so does who stands where something goes wrong, or one of two that race, and
//!   both of these have not made the step;
//! - single token (15): at first main has it and nobody else: every other token was kept or taken;
//! - many races (16): what was found before is not shown again.
//!
//! What they are for: in the order of clocks there is one chain of steps, each thread's own in its
//! order, each step finds memory as the step before has left it, and the clock of each thread is the
//! number of its steps in the chain so far. (That the order of steps is the normal form of `order.rs` is
//! no rule: more than one order of each kind may be left.)

use std::collections::BTreeMap;

use raddle_interp::{ThreadId, Wanted};
use raddle_ir::{InstrRef, Op, Program};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::goals::{Goal, Goals};
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
            return Err(format!("(2, 3) two passes at {pass:?}"));
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
    let chain: Vec<At> = steps.into_iter().map(|s| s.1).collect();
    check_counts(model, &chain)
}

/// Enabling, update, and that what is given is not kept.
fn check_pass(model: &mut Model, runs: &[Run], pass: &Pair) -> Result<(), String> {
    let (from, to) = (&runs[pass.from.0].slots[pass.from.1], &runs[pass.to.0].slots[pass.to.1]);
    if pass.from.0 == pass.to.0 {
        return Err("(1) a pass to oneself".into());
    }
    if !model.holds(from.done) || !model.holds(from.token) {
        return Err("(1) a pass without a step or a token".into());
    }
    if !to.nodes.iter().any(|n| model.holds(n.at)) {
        return Err("(1) who takes the token is not there".into());
    }
    let giver = &runs[pass.from.0];
    let steps = from.nodes.iter().flat_map(|n| n.step.transitions.iter().map(move |t| (n, t)));
    let mut inside = steps.filter(|(_, t)| giver.automaton.state(t.target).in_section());
    if inside.any(|(n, t)| model.holds(n.at) && model.holds(t.guard)) {
        return Err("a pass from within an atomic section".into());
    }
    if to.previous.is_some_and(|p| model.holds(runs[pass.to.0].slots[p].keeps)) {
        return Err("(1) taken by who has it".into());
    }
    if !model.holds(to.token) || model.holds(from.keeps) {
        return Err("(5) given and kept, or not taken".into());
    }
    let (left, found) = (model.clocks(pass.from).1, model.clocks(pass.to).0);
    if left.get(&pass.to.0) != found.get(&pass.to.0) {
        return Err("(1) the two do not agree how far the taker is".into());
    }
    if left != found {
        return Err(format!("(6) clocks are {left:?}, then {found:?}"));
    }
    same(model, &from.after, &to.before).map_err(|e| format!("(4) {e}"))
}

/// Write commit, single token, and what is kept.
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
    let previous = slot.previous.map(|p| (p, &run.slots[p]));
    let kept = previous.is_some_and(|(_, p)| model.holds(p.keeps));
    let first = previous.is_none() && at.0 == 0;
    let (token, done) = (model.holds(slot.token), model.holds(slot.done));
    if token && !first && !kept && !taken {
        let equation = if previous.is_none() { "15" } else { "9, 11" };
        return Err(format!("({equation}) a token from nowhere"));
    }
    if model.holds(slot.keeps) && !done {
        return Err("(11) kept after no step".into());
    }
    if done && !token {
        return Err("(13) a step without the token".into());
    }
    if done && (nodes == 0 || previous.is_some_and(|(_, p)| !model.holds(p.done))) {
        return Err("a step, but not the one before".into());
    }
    if let Some((p, previous)) = previous.filter(|_| kept) {
        let (left, found) = (model.clocks((at.0, p)).1, model.clocks(at).0);
        if left != found {
            return Err(format!("(10) kept, but clocks are {left:?}, then {found:?}"));
        }
        same(model, &previous.after, &slot.before).map_err(|e| format!("(8) {e}"))?;
    }
    Ok(())
}

/// A lock finds its mutex free and the thread has it afterwards; an unlock leaves it free. (Whether
/// who unlocks has it is a property that can be violated.)
pub fn check_lock(model: &mut Model, program: &Program, run: &Run, s: usize) -> Result<(), String> {
    let slot = &run.slots[s];
    let Some(node) = slot.nodes.iter().find(|n| model.holds(n.at)) else { return Ok(()) };
    let Some(position) = run.automaton.state(node.state).position else { return Ok(()) };
    let op = program.instr(position.at).map(|i| &i.op);
    let [locks, unlocks, tries] = [
        matches!(op, Some(Op::Lock { .. })),
        matches!(op, Some(Op::Unlock { .. })),
        matches!(op, Some(Op::TryLock { .. })),
    ];
    if !(locks || unlocks || tries) || run.automaton.state(node.state).idle {
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
        let right = match before {
            _ if unlocks => after == 0,
            0 => after == own,
            held => tries && after == held,
        };
        if !right {
            return Err(format!("(12) the word of a mutex is {before}, then {after}"));
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

/// The clock of each thread is the number of its steps so far.
fn check_counts(model: &mut Model, chain: &[At]) -> Result<(), String> {
    let mut counts: BTreeMap<usize, u128> = BTreeMap::new();
    for &at in chain {
        for (run, clock) in model.clocks(at).0 {
            let count = counts.get(&run).copied().unwrap_or(0);
            if clock != count {
                return Err(format!(
                    "(6) thread {run} has made {count} steps, not {clock}: {at:?}"
                ));
            }
        }
        *counts.entry(at.0).or_default() += 1;
    }
    Ok(())
}

/// Where something goes wrong a thread stands with the token; of two that race one has it, and neither
/// has made the step. And it was not found before.
pub fn check_goal(
    model: &mut Model,
    runs: &[Run],
    goals: &Goals,
    goal: &Goal,
) -> Result<(), String> {
    if goal.leak.is_none() && goals.closed.contains(&goal.key) {
        return Err(format!("(16) {:?} was found before", goal.key));
    }
    if let Wanted::Race { first, second } = goal.wanted {
        let stands = [first, second].map(|(thread, at)| standing(model, runs, thread, at));
        let [Some(a), Some(b)] = stands else {
            return Err("(7) who races does not stand there".into());
        };
        let tokens = [a, b].map(|at| model.holds(runs[at.0].slots[at.1].token));
        return match tokens {
            [true, false] | [false, true] => Ok(()),
            [true, true] => Err("(7) two tokens".into()),
            [false, false] => Err("(7) a race without the token".into()),
        };
    }
    let Some(at) = goal.at else { return Ok(()) };
    let slot = &runs[at.0].slots[at.1];
    let there = slot.nodes.iter().any(|n| model.holds(n.at));
    match there && model.holds(slot.token) {
        true => Ok(()),
        false => Err("(14) something goes wrong without the token".into()),
    }
}

/// The slot in which a thread stands before an access and has not made the step.
fn standing(model: &mut Model, runs: &[Run], thread: ThreadId, access: InstrRef) -> Option<At> {
    let r = runs.iter().position(|run| thread_id(run.thread) == thread)?;
    let slots = &runs[r].slots;
    let s = (0..slots.len()).find(|&s| {
        let there = slots[s].nodes.iter().find(|n| model.holds(n.at));
        let accesses = |a: &raddle_automaton::Access| a.at == access;
        there.is_some_and(|n| n.step.accesses.iter().any(accesses)) && !model.holds(slots[s].done)
    })?;
    Some((r, s))
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
