//! A formula over slots, and the schedules of its models.

use raddle_summary::{MarkKind, ThreadIx};
use raddle_term::Terms;

use super::numbers::{Gap, Numbers};
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
        let order = self.order();
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

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        self.sizes.clone()
    }
}

impl Slots {
    /// The units that are executed in the last model, by slots, those of a slot by threads.
    fn order(&mut self) -> Vec<Unit> {
        let numbers = self.numbers.of_model(self.formula.as_mut());
        let slots = self.numbers.slots();
        let mut order: Vec<(u32, Unit)> = Vec::new();
        for (t, units) in numbers.iter().enumerate() {
            let executed = units.iter().take_while(|&&number| number < slots);
            order.extend(executed.zip(0..).map(|(&number, u)| (number, (ThreadIx(t as u32), u))));
        }
        order.sort_unstable();
        order.into_iter().map(|(_, unit)| unit).collect()
    }
}

/// Edges between threads: creation, and joins of threads that are known at once or by their number.
/// A thread that is created has a slot with this gap after its creation; a join has one after the
/// end of its thread.
pub fn edges(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    numbers: &Numbers,
    facts: &Facts,
    gap: Gap,
) {
    let (skeleton, always) = (scene.skeleton, formula.tru());
    for &(from, to) in &facts.before.fixed {
        numbers.edge(formula, always, from, to, gap);
    }
    for &i in &facts.before.conditional_joins {
        let mark = &skeleton.marks[i];
        let MarkKind::Join(child) = mark.kind else { continue };
        let condition = formula.lit(terms, mark.guard);
        numbers.edge(formula, condition, end(scene, child), (mark.thread, mark.unit), gap);
    }
    for join in &skeleton.joins {
        let done = formula.lit(terms, join.done);
        let mut some = vec![!done];
        for (child, joined) in joined(scene, terms, formula, join) {
            some.push(joined);
            let result = skeleton.threads[child.index()].result;
            let same = terms.eq(join.result, result);
            let guard = formula.lit(terms, join.guard);
            formula.assert_implies(terms, &[done, guard, joined], same);
            let happens = super::gates::and(formula, &[done, guard, joined]);
            numbers.edge(formula, happens, end(scene, child), (join.thread, join.unit), gap);
        }
        formula.clause(&some);
    }
}

/// The last unit of a thread.
pub fn end(scene: Scene, thread: ThreadIx) -> Unit {
    (thread, scene.skeleton.threads[thread.index()].units - 1)
}

/// The threads that a join by number may mean, each with the condition that it does and has ended.
pub fn joined(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    join: &raddle_summary::Join,
) -> Vec<(ThreadIx, Lit)> {
    let mut all = Vec::new();
    for (child, thread) in scene.skeleton.threads.iter().enumerate() {
        if child == join.thread.index() {
            continue;
        }
        let number = terms.constant(u128::from(thread.number), scene.program.pointer_bits);
        let meant = terms.eq(join.target, number);
        let ended = terms.and(meant, thread.ended);
        if !terms.is_false(ended) {
            all.push((ThreadIx(child as u32), formula.lit(terms, ended)));
        }
    }
    all
}
