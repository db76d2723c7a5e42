//! Bounded model checking in rounds: in each round every process makes a step, or none, one after the
//! other.
//!
//! Idea: inputs choose who makes the next step. With a fixed choice most of a step vanishes: what is
//! left is what one process does. A round is such a step of each process in turn, with an input that
//! lets the process go or not. So a round has no more gates than one step in which anybody is
//! chosen, and an execution in which all processes move takes as many rounds as its busiest process
//! makes steps, not as many as all of them together.
//! Every execution is one in rounds (one step in each); so what is not reached in k rounds is not
//! reached in k steps, and what is reached in k rounds is reached. A round in which nobody moves can
//! be left out, so if no execution has another round that was all. While one process alone can move
//! it has to go: then nothing about it depends on inputs that say when.
//! Source: rounds as in Lal and Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential
//! Analysis (CAV 2008), but with rounds of single steps and without guesses.
//! Limits: no constraints on the system; they would be about the order of steps.

use raddle_aig::reduce::{simulate, value};
use raddle_aig::{Edge, Execution, Gates, Graph, Input, Latch, Node, System};
use raddle_sat::Lit;

use crate::bmc::Found;
use crate::unroll::{Begin, Unrolling};
use crate::{Interrupted, Limits, Question};

/// Which inputs choose the process that makes a step, and how.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The inputs.
    pub inputs: Vec<usize>,
    /// By process: their values if it is chosen.
    pub processes: Vec<Vec<bool>>,
    /// Their values if nobody is: then no latch changes.
    pub nobody: Vec<bool>,
}

/// A system, process by process.
pub struct Processes {
    /// The state as it is, with all that can be bad in it.
    look: System,
    turns: Vec<Turn>,
    /// The values of all inputs in a step that nobody makes.
    nobody: Vec<bool>,
}

/// What one process does.
struct Turn {
    /// Its first input lets it go; bad edge 0 says that it moves.
    system: System,
    /// For each further input the one of the whole.
    inputs: Vec<usize>,
    /// The inputs of the whole that choose it.
    chosen: Vec<(usize, bool)>,
}

impl Processes {
    /// The steps of a system that a choice divides. `moves` says that somebody moves.
    pub fn new(system: &System, choice: &Choice, moves: Edge) -> Processes {
        let mut look = System { constraints: Vec::new(), ..system.clone() };
        look.latches.iter_mut().for_each(|l| l.next = l.now);
        let turns = choice.processes.iter().map(|p| turn(system, choice, p, moves)).collect();
        let mut nobody = vec![false; system.inputs.len()];
        for (&input, &value) in choice.inputs.iter().zip(&choice.nobody) {
            nobody[input] = value;
        }
        Processes { look, turns, nobody }
    }
}

/// The part of a system that is left if nobody but one process is chosen.
fn turn(system: &System, choice: &Choice, process: &[bool], moves: Edge) -> Turn {
    let mut graph = Graph::default();
    let mut map: Vec<Option<Edge>> = vec![None; system.graph.len()];
    map[0] = Some(Edge::FALSE);
    let mut part = System::default();
    for latch in &system.latches {
        let now = graph.free();
        map[latch.now.node()] = Some(now);
        part.latches.push(Latch { now, next: now, ..latch.clone() });
    }
    let go = graph.free();
    part.inputs.push(Input { now: go, name: "goes".into() });
    for ((&input, &chosen), &nobody) in choice.inputs.iter().zip(process).zip(&choice.nobody) {
        let bit = match (chosen, nobody) {
            (true, false) => go,
            (false, true) => !go,
            (both, _same) => graph.constant(both),
        };
        map[system.inputs[input].now.node()] = Some(bit);
    }
    let mut inputs = Vec::new();
    for (i, input) in system.inputs.iter().enumerate() {
        if !choice.inputs.contains(&i) {
            let now = graph.free();
            map[input.now.node()] = Some(now);
            part.inputs.push(Input { now, name: input.name.clone() });
            inputs.push(i);
        }
    }
    let roots = system.latches.iter().map(|l| l.next).chain([moves]);
    let cone = system.graph.cone(roots);
    let edge = |map: &[Option<Edge>], e: Edge| {
        map[e.node()].expect("operands come first").complement_if(e.is_complement())
    };
    for i in 0..system.graph.len() {
        if let (Node::And(a, b), true) = (system.graph.node(i), cone[i]) {
            let (a, b) = (edge(&map, a), edge(&map, b));
            map[i] = Some(graph.and(a, b));
        }
    }
    for (new, old) in part.latches.iter_mut().zip(&system.latches) {
        new.next = edge(&map, old.next);
    }
    part.bad = vec![edge(&map, moves)];
    part.graph = graph;
    part.check_invariants();
    let chosen = choice.inputs.iter().copied().zip(process.iter().copied()).collect();
    Turn { system: part, inputs, chosen }
}

/// A search from the initial states.
pub struct Rounds<'a> {
    processes: &'a Processes,
    unrolling: Unrolling<'a>,
    /// The bad edges that are still looked for.
    open: Vec<usize>,
    /// Nothing of them happens in fewer rounds.
    depth: usize,
    /// Whether more than one process may be able to move by now.
    several: bool,
}

impl<'a> Rounds<'a> {
    /// Nothing is known yet. The question is about the system that was divided into processes.
    pub fn new(question: Question<'a>, processes: &'a Processes) -> Rounds<'a> {
        let mut systems = vec![&processes.look];
        systems.extend(processes.turns.iter().map(|t| &t.system));
        let unrolling = Unrolling::in_turn(question, systems, Begin::Initial);
        Rounds { processes, unrolling, open: question.bad.to_vec(), depth: 0, several: false }
    }

    /// In fewer rounds nothing bad happens.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Clauses so far.
    pub fn clauses(&self) -> u64 {
        self.unrolling.solver.statistics().clauses
    }

    /// No longer looks for this edge.
    pub fn close(&mut self, bad: usize) {
        self.open.retain(|b| *b != bad);
    }

    /// The first of these edges that holds between rounds so far, in an execution without anything that
    /// was looked for in vain.
    pub fn reaches(
        &mut self,
        bad: &[usize],
        limits: &Limits,
    ) -> Result<Option<usize>, Interrupted> {
        for round in 0..self.depth {
            for &b in bad {
                let lit = self.unrolling.any_of(round * self.length(), &[b]);
                if self.unrolling.solve(&[lit], limits)? {
                    return Ok(Some(b));
                }
            }
        }
        Ok(None)
    }

    /// Looks one round further, or at the same round again if something was found there.
    pub fn step(&mut self, limits: &Limits) -> Result<Found, Interrupted> {
        let look = self.depth * self.length();
        if self.unrolling.len() <= look {
            if self.depth > 0 {
                let moved = self.round(self.depth - 1);
                if !self.unrolling.solve(&[moved], limits)? {
                    return Ok(Found::End);
                }
                self.unrolling.solver.add_clause(&[moved]);
            }
            self.unrolling.push();
        }
        let bad = self.unrolling.any_of(look, &self.open);
        if self.unrolling.solve(&[bad], limits)? {
            return Ok(Found::Violation(self.execution()));
        }
        self.unrolling.solver.add_clause(&[!bad]);
        self.depth += 1;
        Ok(Found::Nothing)
    }

    /// Steps of the unrolling in a round.
    fn length(&self) -> usize {
        1 + self.processes.turns.len()
    }

    /// Adds the steps of a round; whether somebody moves in it.
    fn round(&mut self, round: usize) -> Lit {
        let begin = round * self.length() + 1;
        let end = begin + self.processes.turns.len();
        if self.unrolling.len() < end {
            let alone = self.alone(begin - 1);
            while self.unrolling.len() < end {
                self.unrolling.push();
            }
            if let Some(process) = alone {
                let go = self.processes.turns[process].system.inputs[0].now;
                self.unrolling.fix(begin + process, go);
            }
        }
        let moved: Vec<Lit> = (begin..end).map(|step| self.unrolling.any_of(step, &[0])).collect();
        self.unrolling.any(&moved)
    }

    /// The process that alone can move in the state of a step, if constants show it.
    fn alone(&mut self, step: usize) -> Option<usize> {
        if self.several {
            return None;
        }
        let latches = 0..self.processes.look.latches.len();
        let state: Vec<Option<bool>> = latches.map(|l| self.unrolling.constant(step, l)).collect();
        let mut able = (0..self.processes.turns.len()).filter(|&t| {
            let system = &self.processes.turns[t].system;
            value(&simulate(system, &state), system.bad[0]) != Some(false)
        });
        let first = able.next();
        self.several = able.next().is_some();
        first.filter(|_| !self.several)
    }

    /// The steps that processes make in a model.
    fn execution(&mut self) -> Execution {
        let length = self.length();
        let first = self.unrolling.latches(0);
        let mut inputs = Vec::new();
        for step in 0..self.depth * length {
            let Some(turn) = (step % length).checked_sub(1) else { continue };
            let turn = &self.processes.turns[turn];
            let values = self.unrolling.inputs(step);
            if values[0] {
                let mut all = self.processes.nobody.clone();
                turn.chosen.iter().for_each(|&(input, value)| all[input] = value);
                turn.inputs.iter().zip(&values[1..]).for_each(|(&i, &value)| all[i] = value);
                inputs.push(all);
            }
        }
        inputs.push(self.unrolling.inputs(self.depth * length));
        Execution { first, inputs }
    }
}
