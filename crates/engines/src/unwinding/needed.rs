//! Whether an execution needs a position: could its units not have been earlier?
//!
//! In the fine variants nothing has to be asked: every position has a write, so more than N of them
//! are needed if and only if an execution makes more than N writes. In clusters executions can be
//! written down in many ways; only one that is as short as possible counts.
//!
//! *Nested sequences.* The units of an execution are partly ordered: those of a thread, creation
//! and join, accesses of one cell one of which writes. Executions with the same partial order are
//! the same to every property. Each unit can be at the earliest position that its predecessors
//! leave it: at that of a predecessor which comes before it in the nesting, or right after that of
//! another. So in the earliest form every unit that is not at position 0 has a predecessor at the
//! same position that comes earlier in the nesting, or one at the position before that comes later.
//! If no execution in which all units have such a *reason* goes beyond the bound, none does. A
//! chain of reasons takes a step from one position to the next only between two accesses one of
//! which publishes, so there are at most two such steps for each publishing unit: more positions
//! are never needed.
//!
//! Reasons are literals that imply what they say, one for each access and position.

use raddle_summary::{EventKind, ThreadIx};
use rustc_hash::FxHashMap;

use crate::bounded::before::Unit;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::scene::Scene;
use crate::slots::composition::Edge;
use crate::slots::gates::clause;
use crate::slots::memory::{Memory, Touch};
use crate::slots::nesting::Nesting;
use crate::slots::numbers::Numbers;

/// For each position a literal that implies that something is there, if anything may be.
type There = Vec<Option<Lit>>;

/// What asks whether positions are needed.
pub struct Needed<'a> {
    /// The formula.
    pub formula: &'a mut dyn Formula,
    /// The positions of units.
    pub numbers: &'a Numbers,
    /// The order at one position.
    pub nesting: &'a Nesting,
    /// If it holds, every position is needed.
    pub condition: Lit,
}

/// The accesses of one cell by one unit.
struct Step {
    unit: Unit,
    /// It accesses the cell, or writes it.
    accesses: Vec<Lit>,
    writes: Vec<Lit>,
}

impl Needed<'_> {
    /// Every unit of a nested sequence has a reason to be where it is.
    pub fn nested(&mut self, scene: Scene, memory: &Memory, edges: &[Edge]) {
        let mut reasons: FxHashMap<Unit, Vec<There>> = FxHashMap::default();
        let mut by_cell: Vec<Vec<&Touch>> = vec![Vec::new(); memory.cells.len()];
        for touch in &memory.touches {
            by_cell[touch.cell].push(touch);
        }
        for touches in by_cell {
            for (unit, reason) in self.conflicts(touches) {
                reasons.entry(unit).or_default().push(reason);
            }
        }
        for edge in edges {
            let reason = self.of_edge(edge);
            reasons.entry(edge.to).or_default().push(reason);
        }
        for (t, thread) in (0..).zip(&scene.skeleton.threads) {
            for u in 0..thread.units {
                let unit = (ThreadIx(t), u);
                self.unit(unit, reasons.get(&unit).map_or(&[], |all| all));
            }
        }
    }

    fn unit(&mut self, unit: Unit, reasons: &[There]) {
        debug_assert!(reasons.iter().all(|r| r.len() == self.numbers.slots() as usize));
        for k in 1..self.numbers.slots() {
            let mut some = vec![!self.condition, !self.numbers.at(unit, k)];
            if let Some(before) = unit.1.checked_sub(1) {
                some.push(self.numbers.at((unit.0, before), k));
            }
            some.extend(reasons.iter().filter_map(|there| there[k as usize]));
            clause(self.formula, &some);
        }
    }

    /// A creation or a join: at the same position, or one later if it goes against the nesting.
    fn of_edge(&mut self, edge: &Edge) -> There {
        let back = u32::from(!self.nesting.is_before(edge.from, edge.to));
        let mut there = Vec::new();
        for k in 0..self.numbers.slots() {
            there.push(k.checked_sub(back).map(|k| {
                let at = self.numbers.at(edge.from, k);
                self.both(edge.condition, at)
            }));
        }
        there
    }

    /// The reasons that units have in the accesses of one cell.
    fn conflicts(&mut self, mut touches: Vec<&Touch>) -> Vec<(Unit, There)> {
        touches.sort_by_key(|t| self.nesting.place(t.unit));
        debug_assert!(touches.windows(2).all(|pair| pair[0].cell == pair[1].cell), "of one cell");
        let units = touches.chunk_by(|a, b| a.unit == b.unit);
        let mut steps: Vec<Step> = units.map(|unit| self.step(unit)).collect();
        let earlier = self.earlier(&steps);
        steps.reverse();
        let mut later = self.earlier(&steps);
        later.reverse();
        steps.reverse();
        debug_assert!(earlier.len() == steps.len() && later.len() == steps.len());
        let mut reasons = Vec::new();
        for ((step, earlier), later) in steps.iter().zip(&earlier).zip(&later) {
            let of_kind = |there: &Seen, kind| match kind {
                EventKind::Read => there.writes.clone(),
                EventKind::Write => there.accesses.clone(),
            };
            let own = [(EventKind::Read, &step.accesses), (EventKind::Write, &step.writes)];
            for (kind, occurs) in own {
                let [earlier, later] = [earlier, later].map(|seen| of_kind(seen, kind));
                reasons.push((step.unit, self.meets(occurs, &earlier, &later)));
            }
        }
        reasons
    }

    fn step(&mut self, unit: &[&Touch]) -> Step {
        let occurs = |kind: Option<EventKind>| {
            let touches = unit.iter().filter(move |t| kind.is_none_or(|kind| t.kind == kind));
            touches.map(|t| t.occurs).collect()
        };
        Step { unit: unit[0].unit, accesses: occurs(None), writes: occurs(Some(EventKind::Write)) }
    }

    /// For each step what those before it do at each position.
    fn earlier(&mut self, steps: &[Step]) -> Vec<Seen> {
        let none = vec![None; self.numbers.slots() as usize];
        let mut seen = Seen { accesses: none.clone(), writes: none };
        let mut all = Vec::with_capacity(steps.len());
        for step in steps {
            all.push(seen.clone());
            for k in 0..self.numbers.slots() {
                let at = self.numbers.at(step.unit, k);
                for (occurs, seen) in
                    [(&step.accesses, &mut seen.accesses), (&step.writes, &mut seen.writes)]
                {
                    let seen = &mut seen[k as usize];
                    *seen = self.one_more(occurs, at, *seen);
                }
            }
        }
        all
    }

    /// Implies one of the accesses at this position, or what was seen before.
    fn one_more(&mut self, occurs: &[Lit], at: Lit, seen: Option<Lit>) -> Option<Lit> {
        if occurs.is_empty() {
            return seen;
        }
        let more = self.formula.new_lit();
        let seen = seen.unwrap_or(!self.formula.tru());
        let some: Vec<Lit> = occurs.iter().copied().chain([!more, seen]).collect();
        clause(self.formula, &some);
        clause(self.formula, &[!more, at, seen]);
        Some(more)
    }

    /// Implies that an access occurs and meets one at its position, or a later one at the position
    /// before.
    fn meets(&mut self, occurs: &[Lit], earlier: &There, later: &There) -> There {
        debug_assert_eq!(earlier.len(), later.len(), "both are of positions");
        let mut there = vec![None; earlier.len()];
        if occurs.is_empty() {
            return there;
        }
        for k in 1..earlier.len() {
            let mut some: Vec<Lit> = earlier[k].into_iter().chain(later[k - 1]).collect();
            if some.is_empty() {
                continue;
            }
            let reason = self.formula.new_lit();
            some.push(!reason);
            clause(self.formula, &some);
            let occurs: Vec<Lit> = occurs.iter().copied().chain([!reason]).collect();
            clause(self.formula, &occurs);
            there[k] = Some(reason);
        }
        there
    }

    /// Implies two literals.
    pub fn both(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.formula.new_lit();
        clause(self.formula, &[!both, a]);
        clause(self.formula, &[!both, b]);
        both
    }
}

/// What some units do at each position.
#[derive(Clone)]
struct Seen {
    accesses: There,
    writes: There,
}
