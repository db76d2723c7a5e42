//! From a model to an execution: the chain of the token, as a guide for a replay.
//!
//! The clocks that a slot finds say how many steps were made before. Steps that need no token follow
//! the last one of their thread that did. What each step executes is its trail. What the program
//! leaves open is in the choices of the steps. Nothing is trusted: the interpreter replays it.

use std::collections::BTreeMap;

use raddle_automaton::{Answer, Bits, CellId, Kind, Layout, Thread, ThreadIx, Trail};
use raddle_interp::{Goal, GuideStep, Origin, ThreadId};
use raddle_term::{Evaluator, TermId, VarId};
use rustc_hash::FxHashMap;

use super::roles::Role;
use super::token::At;
use super::unroll::{Ground, Need, Node, Run};
use crate::bounded::witness::Answers;

/// The interpreter's name of a thread.
pub fn thread_id(thread: ThreadIx) -> ThreadId {
    ThreadId(Thread::number(thread))
}

/// The values of terms in a model.
pub struct Model<'a> {
    ground: &'a Ground<'a>,
    runs: &'a [Run],
    values: FxHashMap<VarId, u128>,
    evaluator: Evaluator,
}

impl<'a> Model<'a> {
    /// A model with these values of variables.
    pub fn new(
        ground: &'a Ground<'a>,
        runs: &'a [Run],
        values: FxHashMap<VarId, u128>,
    ) -> Model<'a> {
        Model { ground, runs, values, evaluator: Evaluator::new() }
    }

    /// The value of a term; variables that the solver never saw are 0.
    pub fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        let settled = |v: VarId| {
            let var = self.ground.vars.state_var(v)?;
            self.ground.settled.get(&var).and_then(|&t| self.ground.terms.as_const(t))
        };
        let find = |v: VarId| values.get(&v).copied().or_else(|| settled(v)).unwrap_or(0);
        self.evaluator.value(&self.ground.terms, t, &mut { find })
    }

    /// Threads and cells.
    pub fn layout(&self) -> &'a Layout {
        self.ground.layout
    }

    /// Who uses a cell.
    pub fn role(&self, cell: CellId) -> Role {
        self.ground.roles.of(cell)
    }

    /// The bits that each cell that is passed on can have.
    pub fn passed_bits(&self) -> impl Iterator<Item = Bits> + use<'a> {
        let ground = self.ground;
        ground.roles.passed.iter().map(|c| ground.bits[c.index()])
    }

    /// Whether a condition holds.
    pub fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    /// Where the thread is in a slot.
    fn node(&mut self, at: At) -> Option<&'a Node> {
        let runs = self.runs;
        runs[at.0].slots[at.1].nodes.iter().find(|n| self.holds(n.at))
    }

    /// When a slot's step is made: how many steps with the token come before it.
    pub fn clock(&mut self, at: At) -> u128 {
        let slot = &self.runs[at.0].slots[at.1];
        match (slot.need, slot.previous) {
            (Need::Token, _) | (_, None) if self.ground.eager => self.value(slot.clock),
            (Need::Token, _) | (_, None) => self.clocks(at).0.into_values().sum(),
            (Need::Alone | Need::Nothing, Some(previous)) => self.clock((at.0, previous)),
        }
    }

    /// The clock of each run that a slot with the token finds, and that it leaves.
    pub fn clocks(&mut self, at: At) -> (BTreeMap<usize, u128>, BTreeMap<usize, u128>) {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for part in self.ground.load.clocks(at) {
            *before.entry(part.run).or_default() += self.value(part.before) << part.low;
            *after.entry(part.run).or_default() += self.value(part.after) << part.low;
        }
        (before, after)
    }

    /// The execution up to a slot, or to its end.
    pub fn guide(&mut self, end: Option<At>) -> Vec<GuideStep> {
        let end = end.map(|at| (self.clock(at), at));
        let mut steps: Vec<(u128, At)> = Vec::new();
        for r in 0..self.runs.len() {
            for s in 0..self.runs[r].slots.len() {
                if self.holds(self.runs[r].slots[s].done) {
                    let when = (self.clock((r, s)), (r, s));
                    // Together, what happens at the time of the end comes after it.
                    let together = self.ground.eager && when.0 > 0;
                    let before =
                        |end: (u128, At)| if together { when.0 < end.0 } else { when < end };
                    if end.is_none_or(before) {
                        steps.push(when);
                    }
                }
            }
        }
        steps.sort_unstable();
        let mut guide = Vec::new();
        for (_, at) in steps {
            let Some(node) = self.node(at) else { continue };
            let thread = thread_id(self.runs[at.0].thread);
            for trail in &node.step.trail {
                if self.holds(trail.cond) {
                    guide.push(GuideStep { thread, goal: self.goal(trail) });
                }
            }
        }
        guide
    }

    fn goal(&mut self, trail: &Trail) -> Goal {
        let address = trail.address.map(|a| self.value(a) as u64);
        trail.at.map_or(Goal::End, |at| Goal::Over { at, address })
    }

    /// Answers for everything that the program leaves open, up to a slot or to the end.
    pub fn answers(&mut self, end: Option<At>) -> Answers {
        let mut answers = Answers::default();
        let end = end.map(|at| self.clock(at));
        for r in 0..self.runs.len() {
            self.choices(r, &mut answers, end);
        }
        for memory in &self.ground.layout.objects {
            if let Kind::ThreadLocal(thread, global) = memory.kind {
                answers.locals.insert((thread_id(thread), global), memory.base);
            }
        }
        let arbitrary: Vec<_> = self.ground.arbitrary.iter().map(|(c, t)| (*c, *t)).collect();
        for (cell, term) in arbitrary {
            let Some((object, offset)) = self.ground.layout.cells[cell.index()].part else {
                continue;
            };
            let memory = &self.ground.layout.objects[object.index()];
            let origin = match memory.kind {
                Kind::Global(g) => Some(Origin::Global(g)),
                Kind::ThreadLocal(t, global) => {
                    Some(Origin::ThreadLocal { thread: thread_id(t), global })
                }
                Kind::Allocated(t, ..) => {
                    let thread = thread_id(t);
                    let all = answers.addresses.get(&thread);
                    let nth = all.and_then(|all| all.iter().position(|a| *a == memory.base));
                    nth.map(|nth| Origin::Allocation { thread, nth: nth as u32 })
                }
            };
            let value = self.value(term).to_le_bytes();
            for (i, byte) in value.into_iter().enumerate().take(memory.grain as usize) {
                if let Some(origin) = origin {
                    answers.bytes.insert((origin, offset + i as u64), byte);
                }
            }
        }
        answers
    }

    /// What one thread is told, in the order in which it asks.
    fn choices(&mut self, r: usize, answers: &mut Answers, end: Option<u128>) {
        let id = thread_id(self.runs[r].thread);
        let (mut inputs, mut addresses, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for s in 0..self.runs[r].slots.len() {
            // Main is nowhere while other paths are longer on their way to the first creation.
            let Some(node) = self.node((r, s)) else { continue };
            let done = self.holds(self.runs[r].slots[s].done);
            if self.ground.eager {
                let late = end.is_some_and(|end| self.clock((r, s)) > end);
                let waits = !done && s + 1 < self.runs[r].slots.len();
                // Who waits asks later, at the time of the violation at the latest.
                let asks_now = end.is_some_and(|end| self.clock((r, s)) == end);
                if late || waits && !asks_now {
                    continue;
                }
            }
            for choice in &node.step.choices {
                if !self.holds(choice.cond) {
                    continue;
                }
                match choice.answer {
                    Answer::Input(t) => inputs.push(self.value(t)),
                    Answer::Address(t) => addresses.push(self.value(t) as u64),
                    Answer::Number(t) => numbers.push(self.value(t) as u32),
                }
            }
            // The step that is not made is the last one that asks.
            if !done {
                break;
            }
        }
        answers.inputs.insert(id, inputs);
        answers.addresses.insert(id, addresses);
        answers.numbers.insert(id, numbers);
    }
}
