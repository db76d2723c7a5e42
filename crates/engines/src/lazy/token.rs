//! The token: how the steps of threads make one execution.
//!
//! Idea: threads are not scheduled. Whoever makes a visible step holds the token; after a step it
//! may be passed to a thread before one of its steps, which then finds memory as it was left. A
//! literal for each pair of slots says that the token goes from the one to the other. An execution
//! is the chain of these passes; threads need not wait in it, so a thread's depth is what it does
//! itself, not what all do.
//! Source: paper 000 §5.2, tables 1 to 3: enabling (`pair`), exclusivity (`once`), update (`pair`), no-sync
//! update (`kept`), write commit and reachability (a step needs the token, `slot`), single token
//! (main's first slot). We differ: (1) reads need the token as well, so an execution has one model; (2) a
//! clock for each thread counts its steps, not its passes (`load.rs`); (3) exclusivity is a ladder of
//! literals rather than a number per slot, so that later pairs can be added; (4) the token goes the
//! way that is first in the alphabet (`order.rs`).
//! Locks are memory: a lock's step has the guard that the word is 0.
//! Invariant: what is said about a slot is said once; only "it was received" is said anew for each
//! depth, under the literal of that depth.

use raddle_analysis::Locks;
use raddle_automaton::{CellId, ThreadIx};
use raddle_sat::Lit;
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::arrivals::Arrival;
use super::few::Few;
use super::load::Place;
use super::order::{Marks, Step};
use super::unroll::{Ground, Need, Run, Slot};
use crate::bounded::formula::{Formula, any_of};

/// A slot of a thread: which run, which depth.
pub type At = (usize, usize);

/// A possible pass.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// From after this slot.
    pub from: At,
    /// To before this one.
    pub to: At,
    /// It happens.
    pub lit: Lit,
}

/// All passes so far.
#[derive(Default)]
pub struct Token {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Slots that pairs have been made with.
    known: Vec<At>,
    /// By slot: one of the pairs so far brings the token there.
    received: FxHashMap<At, Lit>,
    /// By slot: one of the pairs so far takes it away from there.
    given: FxHashMap<At, Lit>,
    /// Where it is laid down, if somebody looks at the end.
    pub last: Option<Last>,
    /// How often it was passed, if that shall not be often.
    pub few: Few,
}

/// The end of an execution: the token is laid down, nobody makes a visible step any more, and
/// memory stays as it was left.
pub struct Last {
    /// What is in memory then.
    pub memory: Vec<TermId>,
    /// By slot: the token is laid down after it.
    after: Vec<Lit>,
}

impl Last {
    /// No slot so far.
    pub fn new(ground: &mut Ground) -> Last {
        let (terms, layout, bits) = (&mut ground.terms, ground.layout, &ground.bits);
        let fresh = |c: &CellId| bits[c.index()].fresh(terms, layout.cells[c.index()].width);
        let memory = ground.roles.passed.iter().map(fresh).collect();
        Last { memory, after: Vec::new() }
    }

    /// The end of all executions for which the literal holds, if they have one length and end with this
    /// memory.
    pub fn at(ends: Lit, memory: Vec<TermId>) -> Last {
        Last { memory, after: vec![ends] }
    }

    /// A literal that implies that the token is laid down after a slot so far.
    pub fn reached(&self, formula: &mut dyn Formula) -> Option<Lit> {
        (!self.after.is_empty()).then(|| any_of(formula, &self.after))
    }
}

impl Token {
    /// Says what holds of a new slot, and of its pairs with all slots before.
    pub fn add(&mut self, ground: &mut Ground, formula: &mut dyn Formula, runs: &[Run], new: At) {
        let slot = &runs[new.0].slots[new.1];
        keep_section(ground, formula, &runs[new.0], slot);
        if slot.need != Need::Token {
            return;
        }
        self.load(ground, formula, runs, new);
        add_slot(ground, formula, &runs[new.0], new);
        if let Some(p) = slot.previous {
            let kept = formula.lit(&ground.terms, runs[new.0].slots[p].keeps);
            self.few.keep(formula, kept, (new.0, p), new);
        }
        for old in self.known.clone() {
            if old.0 != new.0 {
                self.pair(ground, formula, runs, old, new);
                self.pair(ground, formula, runs, new, old);
            }
        }
        self.known.push(new);
        self.lay_down(ground, formula, runs, new);
    }

    /// A new slot carries what all carry; if that is more than before, they do from now on.
    fn load(&self, ground: &mut Ground, formula: &mut dyn Formula, runs: &[Run], new: At) {
        let run = &runs[new.0];
        ground.load.count(new, run.slots[new.1].previous);
        let known = ground.load.all();
        let Ground { load, terms, vars, roles, layout, representatives, .. } = ground;
        // Nobody is later than the last thread.
        let marked = *representatives && run.thread.index() + 1 < layout.threads.len();
        let marks = || marked.then(|| Marks::new(terms, vars, &run.automaton, run.thread, roles));
        let missing = load.missing(new, marks);
        if !missing.is_empty() {
            for &at in &self.known {
                let place = place(ground, &runs[at.0], at);
                ground.load.put(&mut ground.terms, place, &missing);
            }
            for &(r, s) in &self.known {
                let Some(p) = runs[r].slots[s].previous else { continue };
                let kept = formula.lit(&ground.terms, runs[r].slots[p].keeps);
                for (found, left) in ground.load.handed((r, p), (r, s), &missing) {
                    imply_equal(ground, formula, kept, found, left);
                }
            }
            for pair in &self.pairs {
                for (found, left) in ground.load.handed(pair.from, pair.to, &missing) {
                    imply_equal(ground, formula, pair.lit, found, left);
                }
            }
        }
        let place = place(ground, run, new);
        ground.load.put(&mut ground.terms, place, &known);
        ground.load.put(&mut ground.terms, place, &missing);
    }

    /// The token may be laid down after a slot; also before main's first one.
    fn lay_down(&mut self, ground: &mut Ground, formula: &mut dyn Formula, runs: &[Run], at: At) {
        let Some(last) = &mut self.last else { return };
        let slot = &runs[at.0].slots[at.1];
        let done = formula.lit(&ground.terms, slot.done);
        if ground.terms.is_true(slot.token) {
            let first = formula.new_lit();
            formula.clause(&[!first, !done]);
            for (&found, &left) in last.memory.iter().zip(&slot.before) {
                imply_equal(ground, formula, first, found, left);
            }
            last.after.push(first);
        }
        let lit = formula.new_lit();
        let keeps = formula.lit(&ground.terms, slot.keeps);
        let token = formula.lit(&ground.terms, slot.token);
        for needed in [done, token, !keeps] {
            formula.clause(&[!lit, needed]);
        }
        for (&found, &left) in last.memory.iter().zip(&slot.after) {
            imply_equal(ground, formula, lit, found, left);
        }
        once(formula, &mut self.given, at, lit);
        last.after.push(lit);
    }

    /// The slots whose token, if not kept, comes from a pass: what closes the passes at a depth.
    pub fn close(&self, ground: &Ground, formula: &mut dyn Formula, runs: &[Run], depth: Lit) {
        for &at in &self.known {
            let run = &runs[at.0];
            let slot = &run.slots[at.1];
            if ground.terms.is_true(slot.token) {
                continue;
            }
            let mut clause = vec![!depth, !formula.lit(&ground.terms, slot.token)];
            if let Some(previous) = slot.previous {
                clause.push(formula.lit(&ground.terms, run.slots[previous].keeps));
            }
            clause.extend(self.received.get(&at));
            formula.clause(&clause);
        }
    }

    /// The token may go from after one slot to before another.
    fn pair(
        &mut self,
        ground: &mut Ground,
        formula: &mut dyn Formula,
        runs: &[Run],
        from: At,
        to: At,
    ) {
        if !is_possible(ground, runs, from, to) || !is_needed(ground, runs, from, to) {
            return;
        }
        let (giver, taker) = (&runs[from.0].slots[from.1], &runs[to.0].slots[to.1]);
        let lit = formula.new_lit();
        for needed in [taker.token, giver.done] {
            let needed = formula.lit(&ground.terms, needed);
            formula.clause(&[!lit, needed]);
        }
        let before = taker.previous.map(|p| runs[to.0].slots[p].keeps);
        for kept in [Some(giver.keeps), before].into_iter().flatten() {
            let kept = formula.lit(&ground.terms, kept);
            formula.clause(&[!lit, !kept]);
        }
        for (&found, &left) in taker.before.iter().zip(&giver.after) {
            imply_equal(ground, formula, lit, found, left);
        }
        for (found, left) in ground.load.handed(from, to, &ground.load.all()) {
            imply_equal(ground, formula, lit, found, left);
        }
        self.few.pass(formula, lit, from, to);
        once(formula, &mut self.received, to, lit);
        once(formula, &mut self.given, from, lit);
        self.pairs.push(Pair { from, to, lit });
    }
}

/// At most one of the literals of a slot: the ladder so far excludes the new one, and takes it up.
fn once(formula: &mut dyn Formula, ladder: &mut FxHashMap<At, Lit>, at: At, lit: Lit) {
    let Some(&so_far) = ladder.get(&at) else {
        ladder.insert(at, lit);
        return;
    };
    formula.clause(&[!so_far, !lit]);
    let next = formula.new_lit();
    formula.clause(&[!so_far, next]);
    formula.clause(&[!lit, next]);
    formula.clause(&[!next, so_far, lit]);
    ladder.insert(at, next);
}

/// Where the literal holds, two values are equal.
fn imply_equal(ground: &mut Ground, formula: &mut dyn Formula, lit: Lit, a: TermId, b: TermId) {
    if a != b {
        let equal = ground.terms.eq(a, b);
        formula.assert_implies(&ground.terms, &[lit], equal);
    }
}

/// Whether a pass can happen at all: both threads exist, and nobody is in an atomic section.
fn is_possible(ground: &Ground, runs: &[Run], from: At, to: At) -> bool {
    let (giver, taker) = (&runs[from.0], &runs[to.0]);
    let slot = &taker.slots[to.1];
    if ground.terms.is_true(slot.token) {
        return false;
    }
    let section = |n: &super::unroll::Node| taker.automaton.state(n.state).in_section();
    if slot.nodes.iter().all(section) || enters_section(giver, from.1) {
        return false;
    }
    if ground.locks.is_some_and(|locks| are_excluded(locks, (giver, from.1), (taker, slot))) {
        return false;
    }
    let after = &giver.slots[from.1].after;
    if never_created(ground, taker.thread, after) {
        return false;
    }
    // The thread that gives is there only after the one that takes has created it, or an ancestor.
    let mut child = giver.thread;
    while let Some((parent, ..)) = ground.layout.threads[child.index()].origin {
        if parent == taker.thread {
            return match slot.previous {
                None => false,
                Some(p) => !never_created(ground, child, &taker.slots[p].after),
            };
        }
        child = parent;
    }
    true
}

/// Whether a slot's step leads into an atomic section in any case, or leads on in one.
fn enters_section(run: &Run, slot: usize) -> bool {
    let mut targets = run.slots[slot].nodes.iter().flat_map(|n| &n.step.transitions);
    targets.all(|t| run.automaton.state(t.target).in_section())
}

/// Whether the step after a pass may come right after the one before it (`order.rs`). If it could
/// have come earlier it does in another execution; and if it is not made, because something goes
/// wrong there, that goes wrong without the step before as well.
fn is_needed(ground: &mut Ground, runs: &[Run], from: At, to: At) -> bool {
    let place = place(ground, &runs[to.0], to);
    ground.load.may_follow(&mut ground.terms, from, place)
}

/// Whether wherever one thread comes to and wherever the other one is, both hold one mutex (MTX).
fn are_excluded(locks: &Locks, (giver, from): (&Run, usize), (taker, slot): (&Run, &Slot)) -> bool {
    let at = |run: &Run, state| run.automaton.state(state).position.map(|p| p.at);
    let mut targets = giver.slots[from].nodes.iter().flat_map(|n| &n.step.transitions);
    targets.all(|t| {
        slot.nodes.iter().all(|n| match (at(giver, t.target), at(taker, n.state)) {
            (Some(a), Some(b)) => locks.exclude(a, b),
            (None, _) | (_, None) => false,
        })
    })
}

/// Whether memory says that a thread has not been created.
fn never_created(ground: &Ground, thread: ThreadIx, memory: &[TermId]) -> bool {
    use super::roles::Role;
    let cell = ground.layout.threads[thread.index()].created;
    match ground.roles.of(cell) {
        Role::Passed(i) => ground.terms.is_false(memory[i]),
        Role::Own(_) | Role::Fixed => false,
    }
}

/// What holds of one slot with the token.
fn add_slot(ground: &mut Ground, formula: &mut dyn Formula, run: &Run, at: At) {
    let slot = &run.slots[at.1];
    let go = formula.lit(&ground.terms, slot.go);
    let token = formula.lit(&ground.terms, slot.token);
    formula.clause(&[!go, token]);
    // Who keeps the token has made the step.
    let (keeps, done) =
        (formula.lit(&ground.terms, slot.keeps), formula.lit(&ground.terms, slot.done));
    formula.clause(&[!keeps, done]);
    // Main has the token at first, wherever it gets to; others only where they are.
    if !ground.terms.is_true(slot.token) {
        let here: Vec<TermId> = slot.nodes.iter().map(|n| n.at).collect();
        let here = ground.terms.or_all(&here);
        formula.assert_implies(&ground.terms, &[token], here);
    }
    let place = place(ground, run, at);
    if !place.step.section
        && let Some(right) = ground.load.in_order(&mut ground.terms, place)
    {
        formula.assert_implies(&ground.terms, &[done], right);
    }
    let Some(p) = slot.previous else { return };
    let previous = &run.slots[p];
    let kept = formula.lit(&ground.terms, previous.keeps);
    for (&found, &left) in slot.before.iter().zip(&previous.after) {
        imply_equal(ground, formula, kept, found, left);
    }
    for (found, left) in ground.load.handed((at.0, p), at, &ground.load.all()) {
        imply_equal(ground, formula, kept, found, left);
    }
}

/// A slot as something that carries.
fn place<'a>(ground: &Ground, run: &'a Run, at: At) -> Place<'a> {
    let slot = &run.slots[at.1];
    let step = Step { thread: run.thread, used: &slot.groups, section: run.is_in_section(slot) };
    Place { at, step, first: ground.terms.is_true(slot.token) }
}

/// Whose step leads into an atomic section keeps the token, also where the section goes on behind the
/// last slot so far: what it has left in memory nobody else may find.
fn keep_section(ground: &mut Ground, formula: &mut dyn Formula, run: &Run, slot: &Slot) {
    // Nobody else is there yet.
    if slot.need == Need::Alone {
        return;
    }
    let inside = |a: &&Arrival| run.automaton.state(a.state).in_section();
    for arrival in run.frontier.iter().filter(inside) {
        assert_eq!(slot.need, Need::Token, "who enters a section, or is inside, has the token");
        let at = formula.lit(&ground.terms, arrival.at);
        formula.assert_implies(&ground.terms, &[at], slot.keeps);
    }
}
