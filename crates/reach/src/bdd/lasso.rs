//! An infinite execution from diagrams: a way to the states in which fair ones can stay for ever, and a
//! loop among these.
//!
//! Idea: from a state go, by the shortest way inside the set, to a step with each condition that no step
//! of the loop has yet, and then back to where the loop begins. If no way leads back the loop begins anew
//! where we are: that happens only as often as there are components that are left for good.
//! Source: Clarke, Grumberg, McMillan, Zhao, DAC 1995.
//! Invariant: what is given is an execution of the system, checked by running it.

use oxidd::BooleanFunction;
use oxidd::bcdd::BCDDFunction;
use raddle_aig::{Edge, Execution};

use super::fair::Fair;
use super::steps::Stopped;
use super::{Bdd, after};
use crate::{Interrupted, Limits};

/// An infinite execution: the last step leads to the state in which the loop begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The way to the loop and once around.
    pub execution: Execution,
    /// How many steps come before the loop.
    pub begin: usize,
}

/// A loop that is not closed yet.
struct Walk {
    inputs: Vec<Vec<bool>>,
    state: Vec<bool>,
    /// By condition: whether a step since the loop began has it.
    seen: Vec<bool>,
}

impl Walk {
    fn step(&mut self, bdd: &Bdd, inputs: Vec<bool>) {
        let system = bdd.question.system;
        let values = system.values(&self.state, &inputs);
        for (seen, &bad) in self.seen.iter_mut().zip(bdd.question.bad) {
            let edge: Edge = system.bad[bad];
            *seen |= values[edge.node()] != edge.is_complement();
        }
        self.state = after(system, &self.state, &inputs);
        self.inputs.push(inputs);
    }
}

impl Fair<'_> {
    /// One of the executions that [`run`](Fair::run) has found to exist; `None` if diagrams become too
    /// large on the way.
    pub fn lasso(&self, limits: &Limits) -> Result<Option<Lasso>, Interrupted> {
        match self.loops(limits) {
            Ok(lasso) => Ok(Some(lasso)),
            Err(Stopped::Full) => Ok(None),
            Err(Stopped::Interrupted) => Err(Interrupted),
        }
    }

    fn loops(&self, limits: &Limits) -> Result<Lasso, Stopped> {
        let (bdd, set) = (&self.bdd, self.left().expect("some executions are fair"));
        let mut shown = set.clone();
        let mut nearest = 0;
        for (i, ring) in bdd.rings.iter().enumerate() {
            shown = ring.and(set)?;
            nearest = i;
            if shown.satisfiable() {
                break;
            }
        }
        let state = bdd.state(&bdd.variables.pick(&shown).expect("what is left is reached"));
        let Execution { first, inputs } = bdd.way_to(nearest, state.clone())?;
        let (mut begin, mut first_of_loop) = (inputs.len(), state.clone());
        let conditions = bdd.question.bad.len();
        let mut walk = Walk { inputs, state, seen: vec![false; conditions] };
        loop {
            for condition in 0..conditions {
                if !walk.seen[condition] {
                    let there = self.go(&mut walk, Some(condition), set, set, limits)?;
                    assert!(there, "each condition can be come to from what is left");
                }
            }
            let back = bdd.only(&first_of_loop)?;
            let is_closed = walk.state == first_of_loop;
            if is_closed || self.go(&mut walk, None, &back, set, limits)? {
                let execution = Execution { first, inputs: walk.inputs };
                assert!(bdd.question.system.run(&execution).is_ok(), "steps are steps");
                return Ok(Lasso { execution, begin });
            }
            (begin, first_of_loop) = (walk.inputs.len(), walk.state.clone());
            walk.seen.fill(false);
        }
    }

    /// Goes on, by a shortest way inside a set, up to and including a step, with a condition if there is
    /// one, that leads to a goal; says whether there is a way.
    fn go(
        &self,
        walk: &mut Walk,
        condition: Option<usize>,
        goal: &BCDDFunction,
        set: &BCDDFunction,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let bdd = &self.bdd;
        let mut found = self.before(condition, goal, limits)?.and(set)?;
        let mut rings = vec![found.clone()];
        let here = bdd.only(&walk.state)?;
        while !found.and(&here)?.satisfiable() {
            let last = rings.last().expect("there is a first one");
            let new = self.before(None, last, limits)?.and(set)?.and(&found.not()?)?;
            if !new.satisfiable() {
                return Ok(false);
            }
            found = found.or(&new)?;
            rings.push(new);
        }
        rings.pop();
        for ring in rings.iter().rev() {
            let values = bdd.step(None, &bdd.only(&walk.state)?, ring)?;
            walk.step(bdd, bdd.inputs(&values));
        }
        let values = bdd.step(condition, &bdd.only(&walk.state)?, goal)?;
        walk.step(bdd, bdd.inputs(&values));
        Ok(true)
    }
}
