//! Loop iterations that change nothing.
//!
//! The definition is in `raddle_ir::cfg`. Idea: when a path returns to a loop head, the condition
//! under which the iteration had *some* effect is a term: a register live at the head or a private
//! cell differs, or an effect noted on the way occurred. The next iteration is taken only under
//! that condition. For a spin loop, a failed compare-exchange or a second condition wait it folds
//! to false, and the loop needs no further unrolling; no bound was hit.

use std::rc::Rc;

use raddle_term::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::memory::{Contents, Memory, Part, common_ranges};
use crate::path::Path;

/// What an iteration did that others can see.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The path on which it happened.
    pub path: Path,
    /// A further condition, under which it changed something.
    pub changed: TermId,
    /// Release or re-acquisition of a mutex while waiting on a condition variable.
    pub wait: Option<Waiting>,
}

/// Half of a wait on a condition variable.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The mutex.
    pub mutex: TermId,
    /// If the mutex is released: the last unit before that in which the thread did something that
    /// others can notice.
    pub released_after: Option<u32>,
}

/// An iteration that only waited.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    /// With this mutex.
    pub mutex: TermId,
    /// When it did nothing else.
    pub condition: TermId,
}

/// A mutex that a thread has acquired, and then done nothing that others can notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entered {
    /// The address of the mutex.
    pub mutex: TermId,
    /// Given the path: the condition under which that is so.
    pub when: TermId,
}

/// The state at a loop head when the current iteration began.
#[derive(Clone, Debug)]
pub struct Head {
    /// The path condition.
    pub path: Path,
    /// All registers.
    pub regs: Vec<TermId>,
    /// Private memory.
    pub memory: Rc<Memory>,
    /// How many effects had been noted.
    pub effects: usize,
    /// The first unit that the iteration may use.
    pub unit: u32,
    /// How many choices had been made.
    pub choices: usize,
    /// What the thread did last.
    pub entered: Option<Entered>,
    /// What the iteration before this one did, if that was waiting.
    pub rest: Option<Rest>,
    /// Iterations so far that count against the bound.
    pub counted: u32,
    /// Iterations so far that were certain to happen.
    pub free: u32,
    /// In this iteration, a test for leaving the loop was decided, and it said to stay.
    pub decided: bool,
}

/// A path that came back to its loop head: registers, memory, condition, and all effects so far.
pub struct Arrival<'a> {
    /// All registers.
    pub regs: &'a [TermId],
    /// Private memory.
    pub memory: &'a Rc<Memory>,
    /// The path condition.
    pub path: &'a Path,
    /// All effects of the thread so far.
    pub effects: &'a [Effect],
}

/// What an iteration changed.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The condition (given the path) under which it did something else than to wait.
    pub lasting: TermId,
    /// The condition (given the path) under which it had an effect, waiting included.
    pub effect: TermId,
}

/// What the iteration changed.
pub fn had_effect(
    terms: &mut Terms,
    head: &Head,
    now: &Arrival,
    live: &[usize],
    initial: &mut dyn FnMut(&mut Terms, Part) -> TermId,
) -> Change {
    let known = now.path.since(&head.path).map(|added| flatten(terms, added));
    let mut effect = terms.fals();
    debug_assert_eq!(head.regs.len(), now.regs.len(), "one function, one set of registers");
    for &r in live {
        if head.regs[r] != now.regs[r] {
            let differs = terms.ne(head.regs[r], now.regs[r]);
            effect = terms.or(effect, differs);
        }
    }
    for o in head.memory.differences(now.memory) {
        let (before, after) = (head.memory.contents(o).cloned(), now.memory.contents(o).cloned());
        for (offset, bytes) in common_ranges(before.as_deref(), after.as_deref()) {
            let part = Part { object: o, offset, bytes };
            let mut value = |c: &Option<Rc<Contents>>, terms: &mut Terms| match c {
                Some(c) => c.load(terms, part, initial),
                None => initial(terms, part),
            };
            let (x, y) = (value(&before, terms), value(&after, terms));
            let differs = terms.ne(x, y);
            effect = terms.or(effect, differs);
        }
    }
    let (mut waits, excuse) = (terms.fals(), excuse(terms, head, now.effects));
    let counting = terms.not(excuse);
    for e in &now.effects[head.effects..] {
        let added = e.path.since(&head.path).map(|added| flatten(terms, added));
        let when = match (&known, &added) {
            (Some(known), Some(added)) if contradict(terms, known, added) => continue,
            (Some(known), Some(added)) if implies(terms, known, added) => terms.tru(),
            (Some(_) | None, Some(_) | None) => e.path.term(terms),
        };
        let counts = terms.and(when, e.changed);
        if e.wait.is_some() {
            let counts = terms.and(counts, counting);
            waits = terms.or(waits, counts);
            continue;
        }
        effect = terms.or(effect, counts);
        if terms.is_true(effect) {
            break;
        }
    }
    Change { lasting: effect, effect: terms.or(effect, waits) }
}

/// The condition under which waiting in this iteration changes nothing: the thread might as well have
/// acquired the mutex later.
fn excuse(terms: &mut Terms, head: &Head, effects: &[Effect]) -> TermId {
    let Some(Waiting { mutex, .. }) = waiting(head, effects) else { return terms.fals() };
    let mut excuse = terms.fals();
    if let Some(entered) = head.entered.filter(|e| e.mutex == mutex) {
        excuse = entered.when;
    }
    let waits = effects[head.effects..].iter().filter_map(|e| e.wait);
    let mut releases = waits.filter_map(|w| w.released_after);
    if let Some(rest) = head.rest.filter(|r| r.mutex == mutex)
        && releases.all(|after| after < head.unit)
    {
        excuse = terms.or(excuse, rest.condition);
    }
    excuse
}

/// How the iteration waited, if all its waits are with one mutex.
pub fn waiting(head: &Head, effects: &[Effect]) -> Option<Waiting> {
    let mut waits = effects[head.effects..].iter().filter_map(|e| e.wait);
    let first = waits.next()?;
    waits.all(|w| w.mutex == first.mutex).then_some(first)
}

/// The condition under which the iteration waited on a condition variable.
pub fn waited(terms: &mut Terms, head: &Head, effects: &[Effect]) -> TermId {
    let waits: Vec<TermId> = effects[head.effects..]
        .iter()
        .filter(|e| e.wait.is_some())
        .map(|e| e.path.term(terms))
        .collect();
    terms.or_all(&waits)
}

/// A conjunction's leaves and the conjunctions inside it, so that the negation of one of those is recognised.
fn flatten(terms: &Terms, conjuncts: Vec<TermId>) -> FxHashSet<TermId> {
    let mut leaves = FxHashSet::default();
    let mut work = conjuncts;
    while let Some(t) = work.pop() {
        leaves.insert(t);
        if terms.op(t) == Op::And {
            work.extend_from_slice(terms.args(t));
        }
    }
    leaves
}

/// Whether one set has all leaves of another.
fn implies(terms: &Terms, a: &FxHashSet<TermId>, b: &FxHashSet<TermId>) -> bool {
    b.iter().all(|t| terms.op(*t) == Op::And || a.contains(t))
}

/// Whether one set has the negation of a member of the other. Syntactic, hence incomplete.
fn contradict(terms: &mut Terms, a: &FxHashSet<TermId>, b: &FxHashSet<TermId>) -> bool {
    b.iter().any(|&t| {
        let negated = terms.not(t);
        a.contains(&negated)
    })
}
