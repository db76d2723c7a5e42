//! One execution of those that differ only in the order of steps that can change places.
//!
//! Two steps of different threads that access different cells, or only read, can change places.
//! Executions that become equal in this way violate the same properties, so it is enough to look at
//! one of them: one with the fewest contexts, of these one whose threads, read from the first
//! context on, come first in the list, and of these one whose units have the smallest numbers. It
//! has two marks that are cheap to ask for:
//!
//! 1. Every context that is not the first of its thread begins with a *conflict*: a unit that reads
//!    what was written since the unit before it, writes what was read or written, or joins a thread
//!    that ended. Otherwise this unit could be at the end of its thread's last context.
//! 2. A context of a thread that comes earlier in the list than that of the context before it
//!    conflicts with that context. Otherwise the two could be exchanged.
//!
//! Every prefix of such an execution has both marks. Hence: if none uses a context beyond the
//! bound, no execution needs it, and what holds within the bound holds for all. With threads taking
//! turns contexts are fixed; there the conflict of the first mark must lie in the last round, a
//! thread begins in the round in which it is created, and the second mark is not asked for.
//!
//! A unit in which nothing occurs conflicts with nothing. Conflicts are looked for among cells, one
//! literal for each access and context, so this costs what memory costs, without its bits.

use raddle_summary::{EventKind, MarkKind, ThreadIx};
use raddle_term::Terms;
use rustc_hash::FxHashMap;

use super::Scheduling;
use super::contexts::{Contexts, Plan};
use crate::bounded::before::Unit;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::scene::Scene;
use crate::slots::composition::end;
use crate::slots::gates::{clause, or};
use crate::slots::memory::Memory;
use crate::slots::numbers::Numbers;

/// If the condition holds, the execution has these marks.
pub fn require(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    contexts: &mut Contexts,
    memory: &Memory,
    plan: &Plan,
    condition: Lit,
) {
    let Contexts { numbers, owned } = contexts;
    let accessed = accessed(formula, numbers, memory);
    let reasons = reasons(scene, terms, formula, numbers, memory, &accessed);
    let window = match plan.scheduling {
        Scheduling::Free => None,
        Scheduling::RoundRobin => Some(scene.skeleton.threads.len() as u32),
    };
    let mut needed = Needed { scene, formula, numbers, window, condition };
    for (t, thread) in (0..).zip(&scene.skeleton.threads) {
        for u in 1..thread.units {
            let unit = (ThreadIx(t), u);
            needed.unit(unit, reasons.get(&unit).map_or(&[], |r| r));
        }
    }
    match plan.scheduling {
        Scheduling::RoundRobin => needed.first_units(),
        Scheduling::Free => needed.neighbours(owned, memory, &accessed),
    }
}

/// Something that a unit conflicts with.
struct Reason {
    /// It can be a reason.
    occurs: Lit,
    /// For each context: what conflicts happens there.
    there: Vec<Lit>,
}

/// All that units may conflict with.
fn reasons(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    numbers: &Numbers,
    memory: &Memory,
    accessed: &[Vec<Lit>],
) -> FxHashMap<Unit, Vec<Reason>> {
    let mut reasons: FxHashMap<Unit, Vec<Reason>> = FxHashMap::default();
    for touch in &memory.touches {
        let there = match touch.kind {
            EventKind::Read => memory.cells[touch.cell].written.clone(),
            EventKind::Write => accessed[touch.cell].clone(),
        };
        let reason = Reason { occurs: touch.occurs, there };
        reasons.entry(touch.unit).or_default().push(reason);
    }
    let ends = |thread| (0..numbers.slots()).map(|k| numbers.at(end(scene, thread), k)).collect();
    for mark in &scene.skeleton.marks {
        if let MarkKind::Join(child) = mark.kind {
            let reason = Reason { occurs: formula.lit(terms, mark.guard), there: ends(child) };
            reasons.entry((mark.thread, mark.unit)).or_default().push(reason);
        }
    }
    for join in &scene.skeleton.joins {
        for (child, joined) in scene.joined(terms, join.thread, join.target) {
            let reason = Reason { occurs: formula.lit(terms, joined), there: ends(child) };
            reasons.entry((join.thread, join.unit)).or_default().push(reason);
        }
    }
    reasons
}

/// For each cell and context a literal that implies that the cell is accessed there.
fn accessed(formula: &mut dyn Formula, numbers: &Numbers, memory: &Memory) -> Vec<Vec<Lit>> {
    let slots = numbers.slots() as usize;
    let mut some: Vec<Vec<Vec<Lit>>> = Vec::with_capacity(memory.cells.len());
    for cell in &memory.cells {
        some.push(cell.written.iter().map(|&written| vec![written]).collect());
    }
    for touch in memory.touches.iter().filter(|t| t.kind == EventKind::Read) {
        for (k, some) in some[touch.cell].iter_mut().enumerate() {
            let read = formula.new_lit();
            clause(formula, &[!read, touch.occurs]);
            clause(formula, &[!read, numbers.at(touch.unit, k as u32)]);
            some.push(read);
        }
    }
    let mut any = |mut some: Vec<Lit>| {
        let any = formula.new_lit();
        some.push(!any);
        clause(formula, &some);
        any
    };
    let all = some.into_iter().map(|cell| cell.into_iter().map(&mut any).collect()).collect();
    debug_assert!(memory.cells.iter().all(|c| c.written.is_empty() || c.written.len() == slots));
    all
}

struct Needed<'a> {
    scene: Scene<'a>,
    formula: &'a mut dyn Formula,
    numbers: &'a mut Numbers,
    /// If threads take turns: how many contexts there are in a round.
    window: Option<u32>,
    condition: Lit,
}

impl Needed<'_> {
    /// If a unit begins a context, it conflicts with something since the unit before.
    fn unit(&mut self, unit: Unit, reasons: &[Reason]) {
        let before = (unit.0, unit.1 - 1);
        let goes_on = self.numbers.same(self.formula, before, unit);
        let mut some = vec![!self.condition, goes_on, self.numbers.in_look(unit)];
        if !reasons.is_empty() {
            for k in 1..self.numbers.slots() {
                let after_before = !self.numbers.after(self.formula, before, k - 1);
                let conflict = self.in_time(unit, k);
                clause(self.formula, &[!conflict, after_before]);
                let mut any = vec![!conflict];
                for reason in reasons {
                    let this = self.formula.new_lit();
                    clause(self.formula, &[!this, reason.occurs]);
                    clause(self.formula, &[!this, reason.there[k as usize]]);
                    any.push(this);
                }
                clause(self.formula, &any);
                some.push(conflict);
            }
        }
        clause(self.formula, &some);
    }

    /// A new literal that implies that the context lies before a unit, and not too long.
    fn in_time(&mut self, unit: Unit, k: u32) -> Lit {
        let lit = self.formula.new_lit();
        let earlier = self.numbers.after(self.formula, unit, k);
        clause(self.formula, &[!lit, earlier]);
        if let Some(round) = self.window {
            let late = self.numbers.after(self.formula, unit, k + round - 1);
            clause(self.formula, &[!lit, !late]);
        }
        lit
    }

    /// Threads that take turns begin in the round in which they are created.
    fn first_units(&mut self) {
        let scene = self.scene;
        for t in 1..scene.skeleton.threads.len() {
            let first = (ThreadIx(t as u32), 0);
            let mut some = vec![!self.condition, self.numbers.in_look(first)];
            for mark in &scene.skeleton.marks {
                if mark.kind != MarkKind::Create(first.0) {
                    continue;
                }
                for k in 0..self.numbers.slots() {
                    let created = self.in_time(first, k);
                    let at = self.numbers.at((mark.thread, mark.unit), k);
                    clause(self.formula, &[!created, at]);
                    some.push(created);
                }
            }
            clause(self.formula, &some);
        }
    }

    /// A context of a thread that comes earlier in the list conflicts with the context before it.
    fn neighbours(&mut self, owned: &[Vec<Lit>], memory: &Memory, accessed: &[Vec<Lit>]) {
        for k in 1..owned.len() {
            let mut conflicts = Vec::new();
            for (cell, accessed) in memory.cells.iter().zip(accessed) {
                if cell.written.is_empty() {
                    continue;
                }
                for (first, second) in [(&cell.written, accessed), (accessed, &cell.written)] {
                    conflicts.push(self.both(first[k - 1], second[k]));
                }
            }
            for mark in &self.scene.skeleton.marks {
                let here = (mark.thread, mark.unit);
                let (first, second) = match mark.kind {
                    MarkKind::Create(child) => (here, (child, 0)),
                    MarkKind::Join(child) => (end(self.scene, child), here),
                    MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => continue,
                };
                let lits = [(first, k - 1), (second, k)].map(|(u, k)| self.numbers.at(u, k as u32));
                conflicts.push(self.both(lits[0], lits[1]));
            }
            for join in &self.scene.skeleton.joins {
                conflicts.push(self.numbers.at((join.thread, join.unit), k as u32));
            }
            self.ascend(&owned[k - 1], &owned[k], conflicts);
        }
    }

    /// A new literal that implies both.
    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.formula.new_lit();
        clause(self.formula, &[!both, a]);
        clause(self.formula, &[!both, b]);
        both
    }

    /// The thread of a context comes later in the list than that of the context before, or there
    /// are conflicts.
    fn ascend(&mut self, before: &[Lit], now: &[Lit], mut conflicts: Vec<Lit>) {
        let conflict = self.formula.new_lit();
        conflicts.push(!conflict);
        clause(self.formula, &conflicts);
        // The context before is of a thread later in the list than t.
        let mut later = !self.formula.tru();
        for t in (0..now.len()).rev() {
            clause(self.formula, &[!self.condition, !now[t], !later, conflict]);
            later = or(self.formula, &[later, before[t]]);
        }
    }
}
