//! Smaller systems with the same violations: stuck latches are constants, the rest is the cone.
//!
//! Idea: run the system with three values, all inputs unknown, and let a latch that has had two
//! values be unknown from then on; the latches that still have a value when nothing changes any more
//! are stuck at it. Flags kept in an `int`, mutexes and pointers lose most of their bits this way.
//! Then only what bad edges and constraints depend on is kept.
//! Source: ternary simulation as in ABC's `scorr` and `trim`; optimistic constants as in
//! Wegman and Zadeck 1991.

use crate::gates::Gates;
use crate::graph::{Edge, Graph, Node};
use crate::system::{Input, Latch, System};

/// A part of a system.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The part.
    pub system: System,
    /// For each of its inputs the one of the whole.
    pub inputs: Vec<usize>,
    /// For each of its latches the one of the whole.
    pub latches: Vec<usize>,
    /// For each latch of the whole its value, if it is stuck.
    pub stuck: Vec<Option<bool>>,
}

/// By latch: the value that it always has, if three-valued simulation finds one.
pub fn stuck_latches(system: &System) -> Vec<Option<bool>> {
    let mut latches: Vec<Option<bool>> = system.latches.iter().map(|l| l.initial).collect();
    loop {
        let values = simulate(system, &latches);
        let mut changed = false;
        for (latch, known) in system.latches.iter().zip(&mut latches) {
            if known.is_some() && value(&values, latch.next) != *known {
                *known = None;
                changed = true;
            }
        }
        if !changed {
            return latches;
        }
    }
}

/// The value of an edge, given those of nodes.
pub fn value(values: &[Option<bool>], edge: Edge) -> Option<bool> {
    values[edge.node()].map(|v| v != edge.is_complement())
}

/// The values of all nodes, inputs unknown.
pub fn simulate(system: &System, latches: &[Option<bool>]) -> Vec<Option<bool>> {
    let mut free = vec![None; system.graph.len()];
    for (latch, &known) in system.latches.iter().zip(latches) {
        free[latch.now.node()] = known;
    }
    let mut values: Vec<Option<bool>> = Vec::with_capacity(system.graph.len());
    for (i, &free) in free.iter().enumerate() {
        let next = match system.graph.node(i) {
            Node::False => Some(false),
            Node::Free => free,
            Node::And(a, b) => match (value(&values, a), value(&values, b)) {
                (Some(false), _any) | (_any, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (None, _any) | (_any, None) => None,
            },
        };
        values.push(next);
    }
    values
}

/// The part of a system that decides about its bad edges.
pub fn reduced(system: &System) -> Reduced {
    part(system, stuck_latches(system))
}

/// The part of a system that decides about its bad edges, where some latches are known to be stuck in
/// all states that are reached.
pub fn part(system: &System, stuck: Vec<Option<bool>>) -> Reduced {
    let values = simulate(system, &stuck);
    let (needed, cone) = cone_of_influence(system, &values);
    let mut part = System::default();
    let mut map: Vec<Option<Edge>> = vec![None; system.graph.len()];
    let (mut inputs, mut latches) = (Vec::new(), Vec::new());
    for (edge, value) in map.iter_mut().zip(&values) {
        *edge = value.map(|v| part.graph.constant(v));
    }
    for (i, latch) in system.latches.iter().enumerate() {
        if needed[i] {
            let now = part.graph.free();
            map[latch.now.node()] = Some(now);
            latches.push(i);
            let (initial, name) = (latch.initial, latch.name.clone());
            part.latches.push(Latch { now, next: now, initial, name });
        }
    }
    for (i, input) in system.inputs.iter().enumerate() {
        if cone[input.now.node()] {
            let now = part.graph.free();
            map[input.now.node()] = Some(now);
            inputs.push(i);
            part.inputs.push(Input { now, name: input.name.clone() });
        }
    }
    copy(&system.graph, &cone, &mut map, &mut part.graph);
    let edge = |e: Edge| {
        let new = map[e.node()].expect("the cone was copied");
        new.complement_if(e.is_complement())
    };
    for (new, &old) in part.latches.iter_mut().zip(&latches) {
        new.next = edge(system.latches[old].next);
    }
    part.bad = system.bad.iter().map(|&b| edge(b)).collect();
    part.constraints = system.constraints.iter().map(|&c| edge(c)).collect();
    part.check_invariants();
    Reduced { system: part, inputs, latches, stuck }
}

/// Copies the conjunctions of a cone; free nodes and constants have their edges already.
fn copy(from: &Graph, cone: &[bool], map: &mut [Option<Edge>], to: &mut Graph) {
    for i in 0..from.len() {
        if let (Node::And(a, b), true) = (from.node(i), cone[i]) {
            let new = |e: Edge| {
                let new = map[e.node()].expect("operands come first");
                new.complement_if(e.is_complement())
            };
            let (a, b) = (new(a), new(b));
            map[i] = Some(to.and(a, b));
        }
    }
}

/// By latch, and by node: whether something bad, or a constraint, depends on it. What has a constant
/// value never counts.
fn cone_of_influence(system: &System, values: &[Option<bool>]) -> (Vec<bool>, Vec<bool>) {
    let mut owner = vec![None; system.graph.len()];
    for (i, latch) in system.latches.iter().enumerate() {
        owner[latch.now.node()] = Some(i);
    }
    let mut seen = vec![false; system.graph.len()];
    let mut needed = vec![false; system.latches.len()];
    let roots = system.bad.iter().chain(&system.constraints);
    let mut work: Vec<usize> = roots.map(|e| e.node()).collect();
    while let Some(i) = work.pop() {
        // A node with a constant value depends on nothing.
        if values[i].is_some() || std::mem::replace(&mut seen[i], true) {
            continue;
        }
        match (system.graph.node(i), owner[i]) {
            (Node::And(a, b), _) => work.extend([a.node(), b.node()]),
            (Node::Free, Some(latch)) => {
                needed[latch] = true;
                work.push(system.latches[latch].next.node());
            }
            (Node::Free | Node::False, _) => {}
        }
    }
    (needed, seen)
}
