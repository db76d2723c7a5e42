//! A system as decision diagrams: what each latch becomes, case by case.
//!
//! Idea: fix the inputs that choose who makes a step, and where that thread stands, and most latches
//! stay as they are: a *case* has functions for the others only, and an image touches only these.
//! Functions for all places at once would be far larger: diagrams do not know that a thread stands in
//! one place only. Cases in which nothing changes are left out.
//! Invariant: the cases of a number differ in which of the exclusive latches is set, so that each state
//! that is reached is in one of them, whoever the number means.
//! Variables: inputs first, then for each latch, in the given order, the one before and the one after
//! a step, next to each other (Burch, Clarke, Long, 1991).
//! Limits: a fixed number of nodes; if they do not suffice there is no answer.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OutOfMemory};
use oxidd::{BooleanFunction, Manager, ManagerRef, VarNo};
use raddle_aig::{Edge, Node, System};

use crate::{Interrupted, Limits, Question};

/// Most nodes, if nothing else is said.
pub const NODES: usize = 1 << 22;
/// Entries of the cache of operations, for so many nodes.
const CACHE: usize = 1 << 20;

/// Why something was not made.
pub enum Stopped {
    /// The time is up.
    Interrupted,
    /// There are too many nodes.
    Full,
}

impl From<OutOfMemory> for Stopped {
    fn from(_: OutOfMemory) -> Stopped {
        Stopped::Full
    }
}

impl From<Interrupted> for Stopped {
    fn from(_: Interrupted) -> Stopped {
        Stopped::Interrupted
    }
}

/// Looks at the time.
pub fn check(limits: &Limits) -> Result<(), Interrupted> {
    if limits.is_over() { Err(Interrupted) } else { Ok(()) }
}

/// The variables.
pub struct Variables {
    manager: BCDDManagerRef,
    /// Most nodes.
    nodes: usize,
    pub inputs: Vec<VarNo>,
    /// By latch: before and after a step.
    pub latches: Vec<(VarNo, VarNo)>,
}

impl Variables {
    /// Of a system; `order` has each latch once.
    pub fn new(system: &System, order: &[u32], nodes: usize) -> Variables {
        assert_eq!(order.len(), system.latches.len(), "each latch has a place");
        let manager = oxidd::bcdd::new_manager(nodes, CACHE.min(nodes), 1);
        let inputs = system.inputs.len() as VarNo;
        let all = inputs + 2 * system.latches.len() as VarNo;
        manager.with_manager_exclusive(|m| m.add_vars(all));
        let mut latches = vec![(0, 0); system.latches.len()];
        for (place, &latch) in (0..).zip(order) {
            latches[latch as usize] = (inputs + 2 * place, inputs + 2 * place + 1);
        }
        Variables { manager, nodes, inputs: (0..inputs).collect(), latches }
    }

    /// The nodes of inputs and latches, with their variables before a step.
    fn of<'a>(&'a self, system: &'a System) -> impl Iterator<Item = (Edge, VarNo)> + 'a {
        let inputs = system.inputs.iter().map(|i| i.now).zip(self.inputs.iter().copied());
        let latches = system.latches.iter().map(|l| l.now);
        inputs.chain(latches.zip(self.latches.iter().map(|l| l.0)))
    }

    /// A variable.
    pub fn var(&self, var: VarNo) -> AllocResult<BCDDFunction> {
        self.manager.with_manager_shared(|m| BCDDFunction::var(m, var))
    }

    /// A variable or its complement.
    pub fn literal(&self, var: VarNo, value: bool) -> AllocResult<BCDDFunction> {
        let positive = self.var(var)?;
        if value { Ok(positive) } else { positive.not() }
    }

    /// A conjunction of literals.
    pub fn literals(&self, literals: &[(VarNo, bool)]) -> AllocResult<BCDDFunction> {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        let mut cube = self.constant(true);
        // From the last variable on: then each conjunction is one more node.
        for &(var, value) in sorted.iter().rev() {
            cube = cube.and(&self.literal(var, value)?)?;
        }
        Ok(cube)
    }

    /// Drops nodes that nobody needs any more, if there are many.
    pub fn tidy_up(&self) {
        self.manager.with_manager_shared(|m| {
            if m.num_inner_nodes() > self.nodes / 2 {
                m.gc();
            }
        });
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|m| match value {
            true => BCDDFunction::t(m),
            false => BCDDFunction::f(m),
        })
    }

    /// A conjunction of variables.
    pub fn cube(&self, vars: &[VarNo]) -> AllocResult<BCDDFunction> {
        let literals: Vec<(VarNo, bool)> = vars.iter().map(|&v| (v, true)).collect();
        self.literals(&literals)
    }

    /// The value of each variable in a cube; those that do not matter are false.
    pub fn pick(&self, set: &BCDDFunction) -> Option<Vec<bool>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|v| v == oxidd::util::OptBool::True).collect())
    }
}

/// What happens for some values of inputs and latches.
pub struct Case {
    /// When a step may be made, these values included.
    pub constraint: BCDDFunction,
    /// The latches that may change, each with its next value.
    pub changed: Vec<(usize, BCDDFunction)>,
    /// When something bad happens if a step may be made: each of the bad edges that are asked about for
    /// which that can be, with its number among them.
    pub bad: Vec<(usize, BCDDFunction)>,
}

/// All functions of a system.
pub struct Steps {
    /// The initial states.
    pub initial: BCDDFunction,
    /// What can happen, each step in one of them.
    pub cases: Vec<Case>,
}

impl Steps {
    /// Makes all functions; the number that the inputs of `split` are tells cases apart, and so does
    /// where the thread of that number stands.
    pub fn new(
        question: Question,
        variables: &Variables,
        split: &[usize],
        limits: &Limits,
    ) -> Result<Steps, Stopped> {
        let system = question.system;
        let first = system.latches.iter().zip(&variables.latches);
        let first: Vec<(VarNo, bool)> =
            first.filter_map(|(latch, &(now, _))| Some((now, latch.initial?))).collect();
        let initial = variables.literals(&first)?;
        let mut steps = Steps { initial, cases: Vec::new() };
        for number in 0..1usize << split.len() {
            let value = |bit: usize| number >> bit & 1 == 1;
            let inputs = split.iter().enumerate().map(|(b, &i)| (variables.inputs[i], value(b)));
            let inputs: Vec<(VarNo, bool)> = inputs.collect();
            let group = question.exclusive.get(number).map_or(&[][..], Vec::as_slice);
            // One of them is set, or none. Without a group that is one case.
            for place in group.iter().map(Some).chain([None]) {
                let mut fixed = inputs.clone();
                for latch in group {
                    fixed.push((variables.latches[*latch as usize].0, Some(latch) == place));
                }
                steps.add(question, variables, &fixed, limits)?;
            }
        }
        Ok(steps)
    }

    /// Adds what happens for these values.
    fn add(
        &mut self,
        question: Question,
        variables: &Variables,
        fixed: &[(VarNo, bool)],
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let system = question.system;
        let nodes = nodes(question, variables, fixed, limits)?;
        let edge = |e: Edge| -> AllocResult<BCDDFunction> {
            let node = nodes[e.node()].as_ref().expect("the cone was made");
            if e.is_complement() { node.not() } else { Ok(node.clone()) }
        };
        let mut constraint = variables.constant(true);
        for &c in &system.constraints {
            constraint = constraint.and(&edge(c)?)?;
        }
        constraint = constraint.and(&variables.literals(fixed)?)?;
        let mut changed = Vec::new();
        for (i, latch) in system.latches.iter().enumerate() {
            let next = edge(latch.next)?;
            if next != edge(latch.now)? {
                changed.push((i, next));
            }
        }
        let mut bad = Vec::new();
        for (number, &b) in question.bad.iter().enumerate() {
            let function = edge(system.bad[b])?;
            if function.satisfiable() {
                bad.push((number, function));
            }
        }
        if constraint.satisfiable() && !(changed.is_empty() && bad.is_empty()) {
            self.cases.push(Case { constraint, changed, bad });
        }
        variables.tidy_up();
        Ok(())
    }
}

/// The values of nodes that follow from the values of some.
fn known(system: &System, variables: &Variables, fixed: &[(VarNo, bool)]) -> Vec<Option<bool>> {
    let mut known: Vec<Option<bool>> = vec![None; system.graph.len()];
    for (edge, var) in variables.of(system) {
        let value = fixed.iter().find(|(v, _)| *v == var);
        known[edge.node()] = value.map(|(_, value)| *value);
    }
    for i in 0..known.len() {
        let value = |e: Edge| known[e.node()].map(|v| v != e.is_complement());
        known[i] = match system.graph.node(i) {
            Node::False => Some(false),
            Node::Free => known[i],
            Node::And(a, b) => match (value(a), value(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (None, _) | (_, None) => None,
            },
        };
    }
    known
}

/// The nodes that matter where some are known.
fn needed(question: Question, known: &[Option<bool>]) -> Vec<bool> {
    let system = question.system;
    let mut needed = vec![false; system.graph.len()];
    let latches = system.latches.iter().flat_map(|l| [l.now, l.next]);
    let roots = latches.chain(system.constraints.iter().copied());
    for edge in roots.chain(question.bad.iter().map(|&b| system.bad[b])) {
        needed[edge.node()] = true;
    }
    for i in (0..needed.len()).rev() {
        if let (Node::And(a, b), true, None) = (system.graph.node(i), needed[i], known[i]) {
            needed[a.node()] = true;
            needed[b.node()] = true;
        }
    }
    needed
}

/// The functions of all nodes that matter, where some variables have these values.
fn nodes(
    question: Question,
    variables: &Variables,
    fixed: &[(VarNo, bool)],
    limits: &Limits,
) -> Result<Vec<Option<BCDDFunction>>, Stopped> {
    let system = question.system;
    let known = known(system, variables, fixed);
    let needed = needed(question, &known);
    let mut all: Vec<Option<BCDDFunction>> = vec![None; system.graph.len()];
    for (edge, var) in variables.of(system) {
        all[edge.node()] = Some(variables.var(var)?);
    }
    for i in (0..all.len()).filter(|&i| needed[i]) {
        check(limits)?;
        let function = match (known[i], system.graph.node(i)) {
            (Some(value), _) => variables.constant(value),
            (None, Node::False) => unreachable!("it is known"),
            (None, Node::Free) => continue,
            (None, Node::And(a, b)) => {
                let operand = |e: Edge| -> AllocResult<BCDDFunction> {
                    let node = all[e.node()].as_ref().expect("operands come first");
                    if e.is_complement() { node.not() } else { Ok(node.clone()) }
                };
                operand(a)?.and(&operand(b)?)?
            }
        };
        all[i] = Some(function);
    }
    Ok(all)
}
