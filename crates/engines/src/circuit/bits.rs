//! The composition bit by bit: an and-inverter graph with a latch for each bit of each variable.
//!
//! What is searched is the part that matters (`raddle_aig::reduce`): most bits of flags, mutexes and
//! pointers never change. Executions of the part are given back as values of all variables.

use raddle_aig::reduce::{Reduced, part, reduced};
use raddle_aig::{Edge, Execution, Graph, Input, Latch, System, Words};
use raddle_reach::Choice;
use raddle_term::TermId;

use super::compose::{Composition, Name};
use super::names::bit_name;

/// The circuit of a composition.
pub struct Circuit {
    /// All of it, for certificates and exports.
    pub whole: System,
    /// Latches of the whole of which at most one is set.
    pub exclusive_of_whole: Vec<Vec<u32>>,
    /// Its part that matters; its bad edges are the conditions that were asked for, in order, and
    /// `moves`.
    pub part: Reduced,
    /// The number of the edge that says that somebody makes a step. It is one of the bad ones so that
    /// what it depends on is kept, and nobody looks for it.
    pub moves: usize,
    /// Latches of the part of which at most one is set.
    pub exclusive: Vec<Vec<u32>>,
    /// By latch of the whole: its variable, and which bit.
    latches: Vec<(usize, u32)>,
    /// By input of the whole: which input of the composition, and which bit.
    inputs: Vec<(usize, u32)>,
}

/// An execution as values of variables and inputs.
#[derive(Clone, Debug)]
pub struct Values {
    /// The first state, by variable.
    pub first: Vec<u128>,
    /// The inputs of each step.
    pub inputs: Vec<Vec<u128>>,
}

impl Circuit {
    /// The circuit in which these conditions are bad; variables have these names.
    pub fn new(composition: &Composition, names: &[String], bad: &[TermId]) -> Circuit {
        let mut graph = Graph::default();
        let mut words: Words<Edge> = Words::default();
        let mut system = System::default();
        let (mut latches, mut inputs) = (Vec::new(), Vec::new());
        let terms = &composition.terms;
        for (v, variable) in composition.variables.iter().enumerate() {
            for (bit, &now) in words.bits(terms, variable.now, &mut graph).iter().enumerate() {
                let initial = variable.initial.map(|value| value >> bit & 1 == 1);
                let name = bit_name(&names[v], bit as u32, terms.width(variable.now));
                system.latches.push(Latch { now, next: now, initial, name });
                latches.push((v, bit as u32));
            }
        }
        for (i, &input) in composition.inputs.iter().enumerate() {
            for (bit, &now) in words.bits(terms, input, &mut graph).iter().enumerate() {
                system.inputs.push(Input { now, name: format!("input{i}[{bit}]") });
                inputs.push((i, bit as u32));
            }
        }
        let mut next = 0;
        for variable in &composition.variables {
            for &edge in words.bits(terms, variable.next, &mut graph) {
                system.latches[next].next = edge;
                next += 1;
            }
        }
        let conds = bad.iter().chain([&composition.moves]);
        system.bad = conds.map(|&t| words.lit(terms, t, &mut graph)).collect();
        let constraints = composition.constraints.iter();
        system.constraints = constraints.map(|&t| words.lit(terms, t, &mut graph)).collect();
        system.graph = graph;
        system.check_invariants();
        let part = reduced(&system);
        let exclusive = exclusive(composition, part.latches.iter().map(|&old| latches[old].0));
        let exclusive_of_whole = self::exclusive(composition, latches.iter().map(|l| l.0));
        let moves = bad.len();
        Circuit { whole: system, exclusive_of_whole, part, moves, exclusive, latches, inputs }
    }

    /// The same with a smaller part: these latches of it always have these values.
    pub fn narrowed(&self, composition: &Composition, stuck: Vec<Option<bool>>) -> Circuit {
        let mut all = self.part.stuck.clone();
        for (&latch, &value) in self.part.latches.iter().zip(&stuck) {
            all[latch] = value.or(all[latch]);
        }
        let smaller = part(&self.part.system, stuck);
        let latches: Vec<usize> = smaller.latches.iter().map(|&l| self.part.latches[l]).collect();
        let inputs = smaller.inputs.iter().map(|&i| self.part.inputs[i]).collect();
        let exclusive = exclusive(composition, latches.iter().map(|&old| self.latches[old].0));
        Circuit {
            whole: self.whole.clone(),
            exclusive_of_whole: self.exclusive_of_whole.clone(),
            part: Reduced { system: smaller.system, inputs, latches, stuck: all },
            moves: self.moves,
            exclusive,
            latches: self.latches.clone(),
            inputs: self.inputs.clone(),
        }
    }

    /// By latch of the part: its variable and bit.
    pub fn variables_of_part(&self) -> Vec<(usize, u32)> {
        self.part.latches.iter().map(|&whole| self.latches[whole]).collect()
    }

    /// By latch of the whole: its variable and bit.
    pub fn variables_of_whole(&self) -> &[(usize, u32)] {
        &self.latches
    }

    /// The inputs of the part that choose a thread.
    pub fn choice(&self) -> Vec<usize> {
        let inputs = self.part.inputs.iter().enumerate();
        inputs.filter(|(_, whole)| self.inputs[**whole].0 == 0).map(|(i, _)| i).collect()
    }

    /// How inputs of the part choose a thread, or nobody.
    pub fn turns(&self, threads: usize) -> Choice {
        let inputs = self.choice();
        let bits: Vec<u32> = inputs.iter().map(|&i| self.inputs[self.part.inputs[i]].1).collect();
        let number = |n: usize| bits.iter().map(|bit| n >> bit & 1 == 1).collect();
        let processes = (0..threads).map(number).collect();
        // There is a number that is none of a thread; the largest is.
        Choice { processes, nobody: vec![true; bits.len()], inputs }
    }

    /// The latches of the part in an order for decision diagrams: flags as they come, thread by
    /// thread; then the lowest bits of all words, the next ones, and so on, because a word is mostly
    /// equal to another one, or its sum with something.
    pub fn order(&self, composition: &Composition) -> Vec<u32> {
        let bit = |latch: u32| {
            let (variable, bit) = self.latches[self.part.latches[latch as usize]];
            let is_flag = composition.terms.width(composition.variables[variable].now) == 1;
            (!is_flag, bit)
        };
        let mut order: Vec<u32> = (0..self.part.latches.len() as u32).collect();
        order.sort_by_key(|&latch| bit(latch));
        order
    }

    /// The values of all variables in an execution of the part.
    pub fn values(&self, composition: &Composition, execution: &Execution) -> Values {
        let mut first: Vec<u128> =
            composition.variables.iter().map(|v| v.initial.unwrap_or(0)).collect();
        for (&latch, &value) in self.part.latches.iter().zip(&execution.first) {
            let (variable, bit) = self.latches[latch];
            first[variable] = first[variable] & !(1 << bit) | u128::from(value) << bit;
        }
        let step = |bits: &Vec<bool>| {
            let mut inputs = vec![0; composition.inputs.len()];
            for (&input, &value) in self.part.inputs.iter().zip(bits) {
                let (which, bit) = self.inputs[input];
                inputs[which] |= u128::from(value) << bit;
            }
            inputs
        };
        Values { first, inputs: execution.inputs.iter().map(step).collect() }
    }
}

/// For each thread the latches that say where it stands, if latches have these variables.
fn exclusive(composition: &Composition, latches: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); composition.steps.len()];
    for (latch, variable) in (0..).zip(latches) {
        if let Name::At(thread, _) = composition.variables[variable].name {
            groups[thread.index()].push(latch);
        }
    }
    groups
}
