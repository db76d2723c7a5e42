//! A formula over slots, and the schedules of its models.

use raddle_summary::{MarkKind, ThreadIx};
use raddle_term::Terms;
use rustc_hash::FxHashSet;

use super::nesting::Nesting;
use super::numbers::Numbers;
use crate::bounded::before::Unit;
use crate::bounded::composition::{Composition, Schedule, Shown};
use crate::bounded::facts::Facts;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::initial::InitialMemory;
use crate::bounded::races::before;
use crate::bounded::scene::Scene;

/// A composition by slots.
pub struct Slots {
    /// The formula.
    pub formula: Box<dyn Formula>,
    /// The slots of units.
    pub numbers: Numbers,
    /// What memory holds at the start.
    pub initial: InitialMemory,
    /// Units that come last in their slots, by thread and unit, if there are such.
    pub late: Option<Vec<Vec<Lit>>>,
    /// Sizes of the encoding, by name.
    pub sizes: Vec<(&'static str, usize)>,
}

impl Composition for Slots {
    fn formula(&mut self) -> &mut dyn Formula {
        self.formula.as_mut()
    }

    fn initial(&self) -> &InitialMemory {
        &self.initial
    }

    fn schedule(&mut self, scene: Scene, shown: Shown) -> Schedule {
        let skeleton = scene.skeleton;
        let order = self.order(scene);
        let last = match shown {
            Shown::Violation(i) => {
                vec![(skeleton.violations[i].thread, skeleton.violations[i].unit)]
            }
            Shown::Cut(i) => vec![(skeleton.cuts[i].thread, skeleton.cuts[i].unit)],
            // These are states at the end of the last slot: all units come before them.
            Shown::Race(a, b) => {
                let last = [a, b].map(|i| before(&skeleton.events[i])).to_vec();
                return Schedule { length: order.len(), order, last };
            }
            Shown::GlobalDeadlock | Shown::LocalDeadlock => {
                return Schedule { length: order.len(), order, last: Vec::new() };
            }
        };
        Schedule::until(scene, order, last)
    }

    fn idle(&self) -> Option<&FxHashSet<usize>> {
        None
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        self.sizes.clone()
    }
}

impl Slots {
    /// The units that are executed in the last model, by slots; those of a slot by nesting, but
    /// late ones last.
    fn order(&mut self, scene: Scene) -> Vec<Unit> {
        let numbers = self.numbers.of_model(self.formula.as_mut());
        let slots = self.numbers.slots();
        let nesting = Nesting::new(scene.skeleton);
        let mut order: Vec<((u32, bool, u32), Unit)> = Vec::new();
        for (t, units) in numbers.iter().enumerate() {
            let executed = units.iter().take_while(|&&number| number < slots);
            for (u, &number) in executed.enumerate() {
                let unit = (ThreadIx(t as u32), u as u32);
                let late = self.late.as_ref().map(|late| late[t][u]);
                let late = late.is_some_and(|late| self.formula.value(late));
                order.push(((number, late, nesting.place(unit)), unit));
            }
        }
        order.sort_unstable();
        let order: Vec<Unit> = order.into_iter().map(|(_, unit)| unit).collect();
        assert_eq!(order.first(), Some(&(ThreadIx(0), 0)), "the main thread exists from the start");
        debug_assert!(is_possible(scene, &order), "threads run after their creation");
        order
    }
}

/// Whether no thread runs before its creation.
fn is_possible(scene: Scene, order: &[Unit]) -> bool {
    let place = |unit: Unit| order.iter().position(|&u| u == unit);
    scene.skeleton.marks.iter().all(|m| match m.kind {
        MarkKind::Create(child) => match place((child, 0)) {
            Some(begins) => place((m.thread, m.unit)).is_some_and(|created| created < begins),
            None => true,
        },
        MarkKind::Join(_) | MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => true,
    })
}

/// What must come before what in two threads.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// When.
    pub condition: Lit,
    /// The creation of a thread, or its last unit.
    pub from: Unit,
    /// The first unit of that thread, or the join.
    pub to: Unit,
}

/// Edges between threads: creation, and joins of threads that are known at once or by their number.
/// Joins also find the results of threads.
pub fn edges(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    facts: &Facts,
) -> Vec<Edge> {
    let (skeleton, condition) = (scene.skeleton, formula.tru());
    let fixed = facts.before.fixed.iter();
    let mut edges: Vec<Edge> = fixed.map(|&(from, to)| Edge { condition, from, to }).collect();
    for &i in &facts.before.conditional_joins {
        let mark = &skeleton.marks[i];
        let MarkKind::Join(child) = mark.kind else { continue };
        let condition = formula.lit(terms, mark.guard);
        edges.push(Edge { condition, from: end(scene, child), to: (mark.thread, mark.unit) });
    }
    for join in &skeleton.joins {
        let done = formula.lit(terms, join.done);
        let mut some = vec![!done];
        for (child, joined) in scene.joined(terms, join.thread, join.target) {
            let joined = formula.lit(terms, joined);
            some.push(joined);
            let result = skeleton.threads[child.index()].result;
            let same = terms.eq(join.result, result);
            let guard = formula.lit(terms, join.guard);
            formula.assert_implies(terms, &[done, guard, joined], same);
            let condition = super::gates::and(formula, &[done, guard, joined]);
            edges.push(Edge { condition, from: end(scene, child), to: (join.thread, join.unit) });
        }
        formula.clause(&some);
    }
    edges
}

/// The last unit of a thread.
pub fn end(scene: Scene, thread: ThreadIx) -> Unit {
    (thread, scene.skeleton.threads[thread.index()].units - 1)
}
