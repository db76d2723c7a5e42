//! From a lasso of the circuit back to one of the program.
//!
//! As for finite executions, the composition is run on terms; each step of a thread is told to
//! the interpreter as where the thread goes, so that it stands exactly where the automaton does.

use raddle_aig::{Edge, Execution, System};
use raddle_automaton::{StateIx, ThreadIx};
use raddle_interp::{ConfirmedTrace, Endless, LassoStep, ReplayError, ThreadId, replay_lasso};
use raddle_ir::Program;
use raddle_reach::Lasso as PartLasso;
use raddle_term::{Evaluator, TermId, VarId};
use rustc_hash::FxHashMap;

use super::Fair;
use crate::circuit::bits::Values;
use crate::circuit::compose::{Composition, Name};
use crate::circuit::witness::{Run, thread_id};

/// An infinite execution.
pub struct Lasso {
    /// What comes first.
    pub stem: Vec<LassoStep>,
    /// What is repeated.
    pub cycle: Vec<LassoStep>,
    /// Who waits for ever, if that is asked.
    pub waits: Option<ThreadId>,
}

/// An execution of a system, without what was added to it.
pub fn of_part(system: &System, execution: &Execution) -> Execution {
    let first = execution.first[..system.latches.len()].to_vec();
    let count = system.inputs.len();
    Execution { first, inputs: execution.inputs.iter().map(|i| i[..count].to_vec()).collect() }
}

/// How often a loop is repeated.
const REPEATED: usize = 64;

/// A lasso of the part that matters as one of the whole, with the step at which its loop begins; its last
/// step is where it is closed. In the part the loop comes back to the same state, so it can be repeated;
/// what else there is may take several rounds, or never come back.
pub fn of_whole(part: &Fair, whole: &Fair, lasso: PartLasso) -> Option<(Execution, usize)> {
    let PartLasso { execution, begin } = lasso;
    let system = &whole.system;
    let (latches, inputs) = (&whole.circuit.part.latches, &whole.circuit.part.inputs);
    let moved = |from: &[usize], to: &[usize], values: &[bool], mut all: Vec<bool>| {
        for (name, &value) in from.iter().zip(values) {
            if let Some(i) = to.iter().position(|n| n == name) {
                all[i] = value;
            }
        }
        all
    };
    let first = system.latches.iter().map(|l| l.initial.unwrap_or(false)).collect();
    let first = moved(&part.circuit.part.latches, latches, &execution.first, first);
    let step = |given: &Vec<bool>| {
        let none = vec![false; inputs.len()];
        moved(&part.circuit.part.inputs, inputs, given, none)
    };
    let steps: Vec<Vec<bool>> = execution.inputs.iter().map(step).collect();
    let (stem, cycle) = steps.split_at(begin);
    let mut made = Execution { first, inputs: Vec::new() };
    let mut state = made.first.clone();
    let mut make = |steps: &[Vec<bool>], state: &mut Vec<bool>| {
        for inputs in steps {
            let values = system.values(state, inputs);
            let value = |e: Edge| values[e.node()] != e.is_complement();
            assert!(system.constraints.iter().all(|&c| value(c)), "they are those of the part");
            *state = system.latches.iter().map(|l| value(l.next)).collect();
            made.inputs.push(inputs.clone());
        }
    };
    make(stem, &mut state);
    let mut before = Vec::new();
    while !before.contains(&state) {
        if before.len() == REPEATED {
            return None;
        }
        before.push(state.clone());
        make(cycle, &mut state);
    }
    let rounds = before.iter().position(|s| *s == state).expect("it was there before");
    made.inputs.push(cycle[0].clone());
    Some((made, begin + rounds * cycle.len()))
}

/// One state of an execution.
struct Moment<'a> {
    composition: &'a Composition,
    values: FxHashMap<VarId, u128>,
    evaluator: Evaluator,
}

impl Moment<'_> {
    fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        let find = |v: VarId| values.get(&v).copied().unwrap_or(0);
        self.evaluator.value(&self.composition.terms, t, &mut { find })
    }

    fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    /// The step that is made, if one is.
    fn step(&mut self) -> Option<LassoStep> {
        let composition = self.composition;
        if !self.holds(composition.moves) {
            return None;
        }
        let t = (0..composition.steps.len()).find(|&t| self.holds(composition.chosen[t]))?;
        let thread = ThreadIx(t as u32);
        let s = (1..composition.steps[t].len())
            .find(|&s| self.holds(composition.now(Name::At(thread, StateIx(s as u32)))))?;
        let transitions = &composition.steps[t][s].transitions;
        let taken = transitions.iter().find(|tr| self.holds(tr.guard))?;
        let to = composition.steps[t][taken.target.index()].position;
        let to = to.map(|p| (p.at, p.sections > 0));
        let begins = StateIx(s as u32) == StateIx::START;
        Some(LassoStep { thread: thread_id(thread), begins, to })
    }
}

/// The lasso of an execution whose loop begins at a step and whose last step is where it is closed.
pub fn lasso(composition: &Composition, values: &Values, begin: usize, waits: &[TermId]) -> Lasso {
    let mut lasso = Lasso { stem: Vec::new(), cycle: Vec::new(), waits: None };
    let mut state = values.first.clone();
    for (k, inputs) in values.inputs.iter().enumerate() {
        let values_now = composition.values(&state, inputs);
        let mut moment = Moment { composition, values: values_now, evaluator: Evaluator::new() };
        if k + 1 == values.inputs.len() {
            let waiting = (0..waits.len()).find(|&t| moment.holds(waits[t]));
            lasso.waits = waiting.map(|t| thread_id(ThreadIx(t as u32)));
            break;
        }
        let part = if k < begin { &mut lasso.stem } else { &mut lasso.cycle };
        part.extend(moment.step());
        state = composition.variables.iter().map(|v| moment.value(v.next)).collect();
    }
    lasso
}

/// Replays a lasso.
pub fn replayed(
    program: &Program,
    composition: &Composition,
    values: &Values,
    lasso: &Lasso,
    wanted: Endless,
) -> Result<ConfirmedTrace, ReplayError> {
    let (_, mut answers) = Run::new(composition, values).finish(&[]);
    replay_lasso(program, &lasso.stem, &lasso.cycle, &mut answers, wanted)
}
