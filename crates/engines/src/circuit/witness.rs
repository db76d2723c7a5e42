//! From an execution of the circuit back to one of the program.
//!
//! The first values and the inputs of each step determine everything. The composition is run on terms,
//! not on gates, so that a mistake in gates shows here; each step's trail and choices guide a
//! replay. Nothing is trusted: the interpreter replays it.

use raddle_automaton::{Answer, Kind, State, StateIx, Thread, ThreadIx, Trail};
use raddle_interp::{
    ConfirmedTrace, Goal as Target, GuideStep, Origin, ReplayError, ThreadId, replay_guided,
};
use raddle_ir::Program;
use raddle_term::{Evaluator, TermId, VarId};
use rustc_hash::FxHashMap;

use super::bits::Values;
use super::compose::{Composition, Name, Pool};
use super::goals::{Goal, Shows, Stand};
use super::lines::{Family, Lines, shown};
use crate::bounded::witness::Answers;

/// The interpreter's name of a thread.
pub fn thread_id(thread: ThreadIx) -> ThreadId {
    ThreadId(Thread::number(thread))
}

/// An execution of the composition, step by step.
pub struct Run<'a> {
    composition: &'a Composition,
    /// The variables of terms in the current step.
    values: FxHashMap<VarId, u128>,
    evaluator: Evaluator,
    first: Vec<u128>,
    guide: Vec<GuideStep>,
    answers: Answers,
}

impl<'a> Run<'a> {
    /// Runs up to the last step, which is not made.
    pub fn new(composition: &'a Composition, execution: &Values) -> Run<'a> {
        let mut run = Run {
            composition,
            values: FxHashMap::default(),
            evaluator: Evaluator::new(),
            first: execution.first.clone(),
            guide: Vec::new(),
            answers: Answers::default(),
        };
        let mut state = execution.first.clone();
        for (k, inputs) in execution.inputs.iter().enumerate() {
            run.values = composition.values(&state, inputs);
            run.evaluator = Evaluator::new();
            if k + 1 < execution.inputs.len() {
                run.make_step();
                state = composition.variables.iter().map(|v| run.value(v.next)).collect();
            }
        }
        run
    }

    /// The value of a term in the current step.
    pub fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        let find = |v: VarId| values.get(&v).copied().unwrap_or(0);
        self.evaluator.value(&self.composition.terms, t, &mut { find })
    }

    /// Whether a condition holds in the current step.
    pub fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    /// Notes what the chosen thread does, if it does something.
    fn make_step(&mut self) {
        let composition = self.composition;
        if !self.holds(composition.moves) {
            return;
        }
        let chosen = (0..composition.steps.len()).find(|&t| self.holds(composition.chosen[t]));
        let Some(t) = chosen else { return };
        let thread = ThreadIx(t as u32);
        let here = (1..composition.steps[t].len())
            .find(|&s| self.holds(composition.now(Name::At(thread, StateIx(s as u32)))));
        let Some(s) = here else { return };
        let step = &composition.steps[t][s];
        for trail in &step.trail {
            if self.holds(trail.cond) {
                let goal = self.target(trail);
                self.guide.push(GuideStep { thread: thread_id(thread), goal });
            }
        }
        self.choices(thread, step);
    }

    fn target(&mut self, trail: &Trail) -> Target {
        let address = trail.address.map(|a| self.value(a) as u64);
        trail.at.map_or(Target::End, |at| Target::Over { at, address })
    }

    /// What a thread is told in a step.
    fn choices(&mut self, thread: ThreadIx, step: &State) {
        let id = thread_id(thread);
        for choice in &step.choices {
            if !self.holds(choice.cond) {
                continue;
            }
            match choice.answer {
                Answer::Input(t) => {
                    let value = self.value(t);
                    self.answers.inputs.entry(id).or_default().push(value);
                }
                Answer::Address(t) => {
                    let value = self.value(t) as u64;
                    self.answers.addresses.entry(id).or_default().push(value);
                }
                Answer::Number(t) => {
                    let value = self.value(t) as u32;
                    self.answers.numbers.entry(id).or_default().push(value);
                }
            }
        }
    }

    /// The guide, and answers for all that the program leaves open, also in the steps that are about to
    /// be made.
    pub fn finish(mut self, about: &[(Stand, State)]) -> (Vec<GuideStep>, Answers) {
        for ((thread, ..), step) in about {
            self.choices(*thread, step);
        }
        let layout = &self.composition.layout;
        for memory in &layout.objects {
            if let Kind::ThreadLocal(thread, global) = memory.kind {
                self.answers.locals.insert((thread_id(thread), global), memory.base);
            }
        }
        self.initial_bytes();
        (self.guide, self.answers)
    }

    fn initial_bytes(&mut self) {
        let layout = &self.composition.layout;
        let cells = self.composition.variables.iter().zip(&self.first);
        for (variable, value) in cells.filter(|(v, _)| v.initial.is_none()) {
            let Name::Shared(raddle_automaton::StateVar::Cell(cell)) = variable.name else {
                continue;
            };
            let Some((object, offset)) = layout.cells[cell.index()].part else { continue };
            let memory = &layout.objects[object.index()];
            let origin = match memory.kind {
                Kind::Global(g) => Some(Origin::Global(g)),
                Kind::ThreadLocal(t, global) => {
                    Some(Origin::ThreadLocal { thread: thread_id(t), global })
                }
                Kind::Allocated(t, ..) => {
                    let thread = thread_id(t);
                    let all = self.answers.addresses.get(&thread);
                    let nth = all.and_then(|all| all.iter().position(|a| *a == memory.base));
                    nth.map(|nth| Origin::Allocation { thread, nth: nth as u32 })
                }
            };
            for (i, byte) in value.to_le_bytes().into_iter().enumerate().take(memory.grain as usize)
            {
                if let Some(origin) = origin {
                    self.answers.bytes.insert((origin, offset + i as u64), byte);
                }
            }
        }
    }
}

/// Replays an execution whose last step shows a goal; with its lines, if these make the finding.
pub fn replayed(
    program: &Program,
    composition: &mut Composition,
    values: &Values,
    goal: &Goal,
) -> (Result<ConfirmedTrace, ReplayError>, Option<(Family, Lines)>) {
    let about = about(composition, &goal.stands);
    let mut run = Run::new(composition, values);
    let (wanted, lines) = match &goal.shows {
        Shows::One(wanted) => (wanted.clone(), None),
        Shows::Lines { family, parts } => {
            let (wanted, lines) = shown(*family, parts, &mut |t| run.holds(t));
            (wanted, Some((*family, lines)))
        }
    };
    let (guide, mut answers) = run.finish(&about);
    (replay_guided(program, &guide, &mut answers, &wanted), lines)
}

/// The steps that are about to be made, with the inputs of their pools.
fn about(composition: &mut Composition, stands: &[Stand]) -> Vec<(Stand, State)> {
    let step = |composition: &mut Composition, (thread, state, pool): Stand| match pool {
        Pool::First => composition.steps[thread.index()][state.index()].clone(),
        Pool::Second => composition.step(thread, state, pool),
    };
    stands.iter().map(|&stand| (stand, step(composition, stand))).collect()
}
