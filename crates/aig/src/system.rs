//! Transition systems: a graph whose free nodes are inputs and latches.
//!
//! A state is the values of the latches; a step reads inputs. At first a latch has its initial value,
//! or any. A bad edge that holds in some step of an execution is a violation. Constraints hold in
//! every step of an execution that counts, up to and including the bad one.
//! Invariants (`check_invariants`): each free node is one input or one latch; edges exist.

use crate::graph::{Edge, Graph, Node};

/// A latch.
#[derive(Clone, Debug)]
pub struct Latch {
    /// Its value in a step: a free node.
    pub now: Edge,
    /// Its value in the next step.
    pub next: Edge,
    /// Its first value; any if there is none.
    pub initial: Option<bool>,
    /// Its name for people.
    pub name: String,
}

/// An input.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its value: a free node.
    pub now: Edge,
    /// Its name for people.
    pub name: String,
}

/// A transition system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// All functions.
    pub graph: Graph,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// What must not happen.
    pub bad: Vec<Edge>,
    /// What happens always.
    pub constraints: Vec<Edge>,
}

/// An execution: what is not determined by the system itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The first values of the latches.
    pub first: Vec<bool>,
    /// The inputs of each step.
    pub inputs: Vec<Vec<bool>>,
}

impl System {
    /// What a step does: the values of all nodes.
    pub fn values(&self, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
        assert_eq!(latches.len(), self.latches.len(), "each latch has a value");
        assert_eq!(inputs.len(), self.inputs.len(), "each input has a value");
        let mut free = vec![false; self.graph.len()];
        for (latch, &value) in self.latches.iter().zip(latches) {
            free[latch.now.node()] = value;
        }
        for (input, &value) in self.inputs.iter().zip(inputs) {
            free[input.now.node()] = value;
        }
        self.graph.evaluate(|i| free[i])
    }

    /// The bad edges that hold in the last step of an execution, or what is wrong with it.
    pub fn run(&self, execution: &Execution) -> Result<Vec<usize>, &'static str> {
        let mut state = execution.first.clone();
        for (latch, &value) in self.latches.iter().zip(&state) {
            if latch.initial.is_some_and(|i| i != value) {
                return Err("it does not begin in an initial state");
            }
        }
        let mut bad = Vec::new();
        for inputs in &execution.inputs {
            let values = self.values(&state, inputs);
            let value = |e: Edge| values[e.node()] != e.is_complement();
            if !self.constraints.iter().all(|&c| value(c)) {
                return Err("it breaks a constraint");
            }
            bad = (0..self.bad.len()).filter(|&i| value(self.bad[i])).collect();
            state = self.latches.iter().map(|l| value(l.next)).collect();
        }
        Ok(bad)
    }

    /// Panics if it is none.
    pub fn check_invariants(&self) {
        self.graph.check_invariants();
        let mut owned = vec![0; self.graph.len()];
        let free = self.inputs.iter().map(|i| i.now).chain(self.latches.iter().map(|l| l.now));
        for edge in free {
            assert!(!edge.is_complement(), "a free node itself");
            owned[edge.node()] += 1;
        }
        for (i, &owners) in owned.iter().enumerate() {
            let expected = usize::from(self.graph.node(i) == Node::Free);
            assert_eq!(owners, expected, "node {i} has one owner iff it is free");
        }
        let nexts = self.latches.iter().map(|l| l.next);
        for edge in nexts.chain(self.bad.iter().copied()).chain(self.constraints.iter().copied()) {
            assert!(edge.node() < self.graph.len(), "edges exist");
        }
    }
}
