//! Steps of a system as clauses of one solver, made when they are asked for.
//!
//! Idea: the value of a node in step k is a literal; a latch in step k+1 is its next function in
//! step k, so that no equalities are needed. Gates are those of `blast`: constants vanish, equal
//! gates are one gate, and exclusive ors and choices, which an and-inverter graph takes apart, are
//! gates again. Steps may be those of several systems with the same latches in turn (`rounds.rs`).
//! Invariant: literals of a step are made from those of the step before only.

use raddle_aig::{Edge, Execution, Gates, Shape, System};
use raddle_blast::{Circuit, ClauseSink, Tables};
use raddle_sat::{Answer, Lit, Solver};

use crate::{Cube, Interrupted, Limits, Question};

/// In which states the first step begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// Initial ones.
    Initial,
    /// Any.
    Anywhere,
}

/// The steps so far.
pub struct Unrolling<'a> {
    question: Question<'a>,
    /// Whose steps these are, in turn. They have the same latches.
    systems: Vec<&'a System>,
    begin: Begin,
    tables: Tables,
    pub solver: Solver,
    /// By step and node.
    steps: Vec<Vec<Option<Lit>>>,
    /// Cubes that no state is in, certainly.
    known: Vec<Cube>,
    /// By system and node: the latch or input that it is.
    owner: Vec<Vec<Option<Owner>>>,
}

#[derive(Clone, Copy)]
enum Owner {
    Latch(usize),
    Input,
}

/// By node: the latch or input that it is.
fn owners(system: &System) -> Vec<Option<Owner>> {
    let mut owner = vec![None; system.graph.len()];
    for (i, latch) in system.latches.iter().enumerate() {
        owner[latch.now.node()] = Some(Owner::Latch(i));
    }
    for input in &system.inputs {
        owner[input.now.node()] = Some(Owner::Input);
    }
    owner
}

impl<'a> Unrolling<'a> {
    pub fn new(question: Question<'a>, begin: Begin) -> Unrolling<'a> {
        Unrolling::in_turn(question, vec![question.system], begin)
    }

    /// Steps of these systems in turn.
    pub fn in_turn(
        question: Question<'a>,
        systems: Vec<&'a System>,
        begin: Begin,
    ) -> Unrolling<'a> {
        let mut solver = Solver::for_short_searches();
        let tables = Tables::new(&mut solver);
        let owner = systems.iter().map(|s| owners(s)).collect();
        let (steps, known) = (Vec::new(), Vec::new());
        Unrolling { question, systems, begin, tables, solver, steps, known, owner }
    }

    /// Whose step this is.
    fn system(&self, step: usize) -> &'a System {
        self.systems[step % self.systems.len()]
    }

    /// No state is in one of these cubes, certainly: said of all steps to come.
    pub fn know(&mut self, cubes: &[Cube]) {
        self.known = cubes.to_vec();
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a step in which constraints hold, and exclusive latches are exclusive.
    pub fn push(&mut self) {
        self.push_unconstrained();
        let step = self.len() - 1;
        for &constraint in &self.system(step).constraints {
            let lit = self.lit(step, constraint);
            self.solver.clause(&[lit]);
        }
    }

    /// Adds a step in which constraints need not hold.
    pub fn push_unconstrained(&mut self) {
        let step = self.len();
        self.steps.push(vec![None; self.system(step).graph.len()]);
        // From an initial state on that is implied, and known latches make it vanish.
        if self.begin == Begin::Anywhere {
            let known = std::mem::take(&mut self.known);
            for cube in &known {
                let mut clause = Vec::new();
                for bit in cube {
                    let lit = self.latch(step, bit.latch as usize);
                    clause.push(if bit.value { !lit } else { lit });
                }
                self.solver.clause(&clause);
            }
            self.known = known;
            let groups = self.question.exclusive;
            for group in groups {
                for (i, &a) in group.iter().enumerate() {
                    for &b in &group[i + 1..] {
                        let (a, b) = (self.latch(step, a as usize), self.latch(step, b as usize));
                        self.solver.clause(&[!a, !b]);
                    }
                }
            }
        }
    }

    /// A latch before a step.
    pub fn latch(&mut self, step: usize, latch: usize) -> Lit {
        self.lit(step, self.system(step).latches[latch].now)
    }

    /// The value of a latch before a step, if it is the same in all executions.
    pub fn constant(&mut self, step: usize, latch: usize) -> Option<bool> {
        let lit = self.latch(step, latch);
        Circuit { gates: &mut self.tables, sink: &mut self.solver }.as_constant(lit)
    }

    /// Says that an input holds in a step that nothing was asked about.
    pub fn fix(&mut self, step: usize, input: Edge) {
        debug_assert!(self.owner(step, input.node()).is_some() && !input.is_complement());
        let known = self.steps[step][input.node()].replace(self.tables.tru());
        debug_assert_eq!(known, None, "nothing was asked yet");
    }

    /// A latch after a step.
    pub fn next(&mut self, step: usize, latch: usize) -> Lit {
        self.lit(step, self.system(step).latches[latch].next)
    }

    /// Whether something bad happens in a step.
    pub fn bad(&mut self, step: usize) -> Lit {
        self.any_of(step, self.question.bad)
    }

    /// Whether one of the bad edges holds in a step.
    pub fn any_of(&mut self, step: usize, bad: &[usize]) -> Lit {
        let system = self.system(step);
        let all: Vec<Lit> = bad.iter().map(|&b| self.lit(step, system.bad[b])).collect();
        self.any(&all)
    }

    /// Whether one of these holds.
    pub fn any(&mut self, all: &[Lit]) -> Lit {
        Circuit { gates: &mut self.tables, sink: &mut self.solver }.or_many(all)
    }

    /// Whether two of these latches are set after a step.
    pub fn two_next(&mut self, step: usize, latches: &[u32]) -> Lit {
        let (mut one, mut two) = (!self.tables.tru(), !self.tables.tru());
        for &latch in latches {
            let lit = self.next(step, latch as usize);
            let mut gates = Circuit { gates: &mut self.tables, sink: &mut self.solver };
            let again = gates.and(one, lit);
            two = gates.or(two, again);
            one = gates.or(one, lit);
        }
        two
    }

    /// The exclusive or of two literals.
    pub fn differ(&mut self, a: Lit, b: Lit) -> Lit {
        Circuit { gates: &mut self.tables, sink: &mut self.solver }.xor(a, b)
    }

    /// The value of an edge in a step.
    pub fn lit(&mut self, step: usize, edge: Edge) -> Lit {
        let mut stack = vec![(step, edge.node())];
        let mut needed: Vec<(usize, Edge)> = Vec::new();
        while let Some(&(step, node)) = stack.last() {
            if self.steps[step][node].is_some() {
                stack.pop();
                continue;
            }
            needed.clear();
            match self.system(step).graph.shape(node) {
                Shape::False => {}
                Shape::Free => needed.extend(self.origin(step, node)),
                Shape::And(a, b) | Shape::Xor(a, b) => needed.extend([(step, a), (step, b)]),
                Shape::NotIte(c, a, b) => needed.extend([(step, c), (step, a), (step, b)]),
            }
            let before = stack.len();
            let open = needed.iter().filter(|(s, e)| self.steps[*s][e.node()].is_none());
            stack.extend(open.map(|(s, e)| (*s, e.node())));
            if stack.len() == before {
                let lit = self.make(step, node);
                self.steps[step][node] = Some(lit);
            }
        }
        self.known(step, edge)
    }

    /// What a latch was made of in the step before.
    fn origin(&self, step: usize, node: usize) -> Option<(usize, Edge)> {
        match self.owner(step, node) {
            Some(Owner::Latch(i)) if step > 0 => {
                Some((step - 1, self.system(step - 1).latches[i].next))
            }
            Some(Owner::Latch(_) | Owner::Input) | None => None,
        }
    }

    fn owner(&self, step: usize, node: usize) -> Option<Owner> {
        self.owner[step % self.systems.len()][node]
    }

    fn known(&self, step: usize, edge: Edge) -> Lit {
        let lit = self.steps[step][edge.node()].expect("operands are made before");
        if edge.is_complement() { !lit } else { lit }
    }

    fn make(&mut self, step: usize, node: usize) -> Lit {
        let shape = self.system(step).graph.shape(node);
        if shape == Shape::Free {
            return self.free(step, node);
        }
        let lits = |edges: [Edge; 3]| edges.map(|e| self.known(step, e));
        match shape {
            Shape::False => !self.tables.tru(),
            Shape::Free => unreachable!("handled above"),
            Shape::And(a, b) => {
                let [a, b, _same] = lits([a, b, b]);
                Circuit { gates: &mut self.tables, sink: &mut self.solver }.and(a, b)
            }
            Shape::Xor(a, b) => {
                let [a, b, _same] = lits([a, b, b]);
                Circuit { gates: &mut self.tables, sink: &mut self.solver }.xor(a, b)
            }
            Shape::NotIte(c, a, b) => {
                let [c, a, b] = lits([c, a, b]);
                !Circuit { gates: &mut self.tables, sink: &mut self.solver }.ite(c, a, b)
            }
        }
    }

    fn free(&mut self, step: usize, node: usize) -> Lit {
        if let Some((before, next)) = self.origin(step, node) {
            let lit = self.known(before, next);
            // What clauses have decided by now is a constant: that somebody moved, when only one can, or
            // that nothing bad happened. Gates of it vanish.
            return match self.solver.fixed(lit) {
                Some(true) => self.tables.tru(),
                Some(false) => !self.tables.tru(),
                None => lit,
            };
        }
        if let (Some(Owner::Latch(i)), Begin::Initial) = (self.owner(step, node), self.begin)
            && let Some(value) = self.system(step).latches[i].initial
        {
            let tru = self.tables.tru();
            return if value { tru } else { !tru };
        }
        self.solver.new_lit()
    }

    /// Whether there is a model.
    pub fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Result<bool, Interrupted> {
        self.solver.set_deadline(limits.deadline);
        self.solver.set_stop_flag(limits.stop.clone());
        match self.solver.solve(assumptions) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Interrupted => Err(Interrupted),
        }
    }

    /// The values of inputs in a step of the model; those that nobody asked for are 0.
    pub fn inputs(&mut self, step: usize) -> Vec<bool> {
        let inputs = &self.system(step).inputs;
        inputs.iter().map(|i| self.value(step, i.now)).collect()
    }

    /// The values of latches before a step of the model; those that nobody asked for are 0, or as
    /// they begin.
    pub fn latches(&mut self, step: usize) -> Vec<bool> {
        let latches = &self.system(step).latches;
        let initial = self.begin == Begin::Initial && step == 0;
        latches
            .iter()
            .map(|l| match l.initial.filter(|_| initial) {
                Some(value) => value,
                None => self.value(step, l.now),
            })
            .collect()
    }

    fn value(&mut self, step: usize, edge: Edge) -> bool {
        self.steps[step][edge.node()].is_some_and(|lit| self.solver.value(lit))
    }

    /// The execution in a model.
    pub fn execution(&mut self, last: usize) -> Execution {
        let first = self.latches(0);
        Execution { first, inputs: (0..=last).map(|k| self.inputs(k)).collect() }
    }
}
