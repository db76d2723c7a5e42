//! Reachability with decision diagrams: all states, one step further each time.
//!
//! Idea: forward, the states that are reached in so many steps are a diagram; its image is that of
//! each case (`steps.rs`), with variables quantified as soon as no other function needs them.
//! Backward, the states from which something bad is reached; the pre-image puts the next values of
//! latches in for latches. When nothing new comes all is known. The states that were new in each
//! step are kept: from them an execution is put together.
//! Source: Burch, Clarke, McMillan, Dill, Hwang, LICS 1990; conjunctive partitions: Burch, Clarke, Long, 1991.
//! Elsewhere: diagrams themselves are those of OxiDD; infinite executions in `fair.rs` and `lasso.rs`.
//! Limits: a fixed number of nodes ([`End::Full`]); one operation on diagrams is not interrupted.

mod fair;
mod lasso;
mod steps;

pub use fair::{End as FairEnd, Fair};
pub use lasso::Lasso;
pub use steps::NODES;

use oxidd::bcdd::BCDDFunction;
use oxidd::util::{SatCountCache, num::F64};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst, VarNo};
use raddle_aig::{Edge, Execution, System};

use crate::{Interrupted, Limits, Question};
use steps::{Case, Steps, Stopped, Variables, check};

/// Where the search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// In the initial states.
    Forward,
    /// Where something bad happens.
    Backward,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// An execution whose last step is bad.
    Violated(Execution),
    /// Nothing bad is reached.
    Holds,
    /// The diagrams are too large.
    Full,
}

/// How to make diagrams of a system.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// Which direction.
    pub direction: Direction,
    /// The latches in the order of the variables.
    pub order: &'a [u32],
    /// Inputs that are a number, lowest bit first: who makes a step. Where it stands is what the
    /// exclusive latches of this number say. What else they mean costs time only.
    pub split: &'a [usize],
    /// Most nodes of diagrams, mostly [`NODES`].
    pub nodes: usize,
}

/// A search.
pub struct Bdd<'a> {
    question: Question<'a>,
    plan: Plan<'a>,
    variables: Variables,
    steps: Option<Steps>,
    images: Vec<Image>,
    reached: BCDDFunction,
    /// The states that were new after 0, 1, … steps.
    rings: Vec<BCDDFunction>,
}

/// How the image of a case is made.
struct Image {
    constraint: BCDDFunction,
    /// Relations, each with the variables that are not needed after it.
    parts: Vec<(BCDDFunction, BCDDFunction)>,
    /// From variables after a step to those before one.
    rename: Subst<BCDDFunction>,
}

impl<'a> Bdd<'a> {
    /// Nothing is known yet.
    pub fn new(question: Question<'a>, plan: Plan<'a>) -> Bdd<'a> {
        let variables = Variables::new(question.system, plan.order, plan.nodes);
        let reached = variables.constant(false);
        let (steps, images, rings) = (None, Vec::new(), Vec::new());
        Bdd { question, plan, variables, steps, images, reached, rings }
    }

    /// In so many steps nothing bad happens.
    pub fn depth(&self) -> usize {
        self.rings.len()
    }

    /// How many states have been reached so far, or lead to something bad.
    pub fn states(&self) -> f64 {
        let mut cache: SatCountCache<F64, std::hash::RandomState> = SatCountCache::default();
        let latches = self.variables.latches.len() as u32;
        self.reached.sat_count(latches, &mut cache).0
    }

    /// Goes on until there is an answer.
    pub fn run(&mut self, limits: &Limits) -> Result<End, Interrupted> {
        match self.search(limits) {
            Ok(end) => Ok(end),
            Err(Stopped::Full) => Ok(End::Full),
            Err(Stopped::Interrupted) => Err(Interrupted),
        }
    }

    fn search(&mut self, limits: &Limits) -> Result<End, Stopped> {
        self.begin(limits)?;
        loop {
            let steps = self.steps.as_ref().expect("it was made above");
            let last = self.rings.last().expect("there is a first one");
            if let Some(shown) = self.shown(steps, last)? {
                let execution = match self.plan.direction {
                    Direction::Forward => self.execution_to(&shown)?,
                    Direction::Backward => self.execution_from(&shown)?,
                };
                let accepted = self.question.system.run(&execution);
                let wanted = |bad: Vec<usize>| bad.iter().any(|b| self.question.bad.contains(b));
                assert!(accepted.is_ok_and(wanted), "rings are steps");
                return Ok(End::Violated(execution));
            }
            if !self.grow(limits)? {
                return Ok(End::Holds);
            }
        }
    }

    /// Adds the ring of states that are one step further; says whether there are any.
    fn grow(&mut self, limits: &Limits) -> Result<bool, Stopped> {
        let steps = self.steps.as_ref().expect("a search has begun");
        let last = self.rings.last().expect("there is a first one");
        let mut found = self.variables.constant(false);
        let moving = steps.cases.iter().enumerate().filter(|(_, c)| !c.changed.is_empty());
        for (i, case) in moving {
            check(limits)?;
            self.variables.tidy_up();
            let of_case = match self.plan.direction {
                Direction::Forward => self.images[i].of(last, limits)?,
                Direction::Backward => self.before(case, last)?,
            };
            found = found.or(&of_case)?;
        }
        let new = found.and(&self.reached.not()?)?;
        if !new.satisfiable() {
            return Ok(false);
        }
        self.reached = self.reached.or(&new)?;
        self.rings.push(new);
        Ok(true)
    }

    /// What of the last ring ends the search, with the inputs of the last step when going forward.
    fn shown(&self, steps: &Steps, last: &BCDDFunction) -> Result<Option<BCDDFunction>, Stopped> {
        match self.plan.direction {
            Direction::Forward => self.bad_in(steps, last),
            Direction::Backward => {
                let shown = last.and(&steps.initial)?;
                Ok(shown.satisfiable().then_some(shown))
            }
        }
    }

    /// What of a set is bad, with inputs, in one case.
    fn bad_in(&self, steps: &Steps, set: &BCDDFunction) -> Result<Option<BCDDFunction>, Stopped> {
        for case in &steps.cases {
            let here = set.and(&case.constraint)?;
            for (_, bad) in &case.bad {
                let shown = here.and(bad)?;
                if shown.satisfiable() {
                    return Ok(Some(shown));
                }
            }
        }
        Ok(None)
    }

    /// Makes what is made once.
    fn begin(&mut self, limits: &Limits) -> Result<(), Stopped> {
        if !self.rings.is_empty() {
            return Ok(());
        }
        let steps = Steps::new(self.question, &self.variables, self.plan.split, limits)?;
        let first = match self.plan.direction {
            Direction::Forward => steps.initial.clone(),
            Direction::Backward => {
                let inputs = self.variables.cube(&self.variables.inputs)?;
                let mut any = self.variables.constant(false);
                for case in &steps.cases {
                    for (_, bad) in &case.bad {
                        let and = BooleanOperator::And;
                        any = any.or(&case.constraint.apply_exists(and, bad, &inputs)?)?;
                    }
                }
                any
            }
        };
        self.images.clear();
        if self.plan.direction == Direction::Forward {
            for case in &steps.cases {
                self.images.push(Image::new(&self.variables, case, limits)?);
            }
        }
        self.steps = Some(steps);
        self.reached = first.clone();
        self.rings.push(first);
        Ok(())
    }

    /// The states from which a case leads to a set.
    fn before(&self, case: &Case, set: &BCDDFunction) -> Result<BCDDFunction, Stopped> {
        let there = self.leads_to(case, set)?;
        let inputs = self.variables.cube(&self.variables.inputs)?;
        Ok(there.apply_exists(BooleanOperator::And, &case.constraint, &inputs)?)
    }

    /// When a case leads to a set, if it may happen.
    fn leads_to(&self, case: &Case, set: &BCDDFunction) -> Result<BCDDFunction, Stopped> {
        let vars: Vec<VarNo> =
            case.changed.iter().map(|(latch, _)| self.variables.latches[*latch].0).collect();
        let values: Vec<BCDDFunction> = case.changed.iter().map(|c| c.1.clone()).collect();
        Ok(set.substitute(&Subst::new(vars, values))?)
    }

    /// A step from one of some states to one of others, with its inputs. If it shall have one of the
    /// bad edges that are asked about, with that.
    fn step(
        &self,
        condition: Option<usize>,
        from: &BCDDFunction,
        to: &BCDDFunction,
    ) -> Result<Vec<bool>, Stopped> {
        let steps = self.steps.as_ref().expect("rings are made from it");
        for case in &steps.cases {
            let mut here = from.and(&case.constraint)?;
            if let Some(condition) = condition {
                let Some((_, holds)) = case.bad.iter().find(|(c, _)| *c == condition) else {
                    continue;
                };
                here = here.and(holds)?;
            }
            let here = here.and(&self.leads_to(case, to)?)?;
            if let Some(values) = self.variables.pick(&here) {
                return Ok(values);
            }
        }
        unreachable!("a ring is what cases lead to or from")
    }

    /// An execution to a state of the last ring, with inputs, backwards through the rings.
    fn execution_to(&self, shown: &BCDDFunction) -> Result<Execution, Stopped> {
        let values = self.variables.pick(shown).expect("it is not empty");
        let mut execution = self.way_to(self.rings.len() - 1, self.state(&values))?;
        execution.inputs.push(self.inputs(&values));
        Ok(execution)
    }

    /// The steps to a state of a ring, backwards through the rings before it.
    fn way_to(&self, ring: usize, mut state: Vec<bool>) -> Result<Execution, Stopped> {
        let mut inputs = Vec::new();
        for ring in self.rings[..ring].iter().rev() {
            let values = self.step(None, ring, &self.only(&state)?)?;
            inputs.push(self.inputs(&values));
            state = self.state(&values);
        }
        inputs.reverse();
        Ok(Execution { first: state, inputs })
    }

    /// An execution from an initial state of the last ring to the first ring.
    fn execution_from(&self, shown: &BCDDFunction) -> Result<Execution, Stopped> {
        let steps = self.steps.as_ref().expect("rings are made from it");
        let first = self.state(&self.variables.pick(shown).expect("it is not empty"));
        let (mut state, mut inputs) = (first.clone(), Vec::new());
        for ring in self.rings.iter().rev().skip(1) {
            let chosen = self.inputs(&self.step(None, &self.only(&state)?, ring)?);
            state = after(self.question.system, &state, &chosen);
            inputs.push(chosen);
        }
        // The last step is the bad one.
        let shown = self.bad_in(steps, &self.only(&state)?)?;
        let shown = shown.expect("the first ring is where something bad happens");
        inputs.push(self.inputs(&self.variables.pick(&shown).expect("it is not empty")));
        Ok(Execution { first, inputs })
    }

    /// One state.
    fn only(&self, state: &[bool]) -> Result<BCDDFunction, Stopped> {
        let values = self.variables.latches.iter().zip(state);
        let literals: Vec<(VarNo, bool)> = values.map(|(l, &value)| (l.0, value)).collect();
        Ok(self.variables.literals(&literals)?)
    }

    fn state(&self, values: &[bool]) -> Vec<bool> {
        self.variables.latches.iter().map(|l| values[l.0 as usize]).collect()
    }

    fn inputs(&self, values: &[bool]) -> Vec<bool> {
        self.variables.inputs.iter().map(|&i| values[i as usize]).collect()
    }
}

/// The state after a step.
fn after(system: &System, state: &[bool], inputs: &[bool]) -> Vec<bool> {
    let values = system.values(state, inputs);
    let value = |e: Edge| values[e.node()] != e.is_complement();
    system.latches.iter().map(|l| value(l.next)).collect()
}

impl Image {
    fn new(variables: &Variables, case: &Case, limits: &Limits) -> Result<Image, Stopped> {
        let latches = || case.changed.iter().map(|(latch, _)| variables.latches[*latch]);
        let mut open: Vec<VarNo> = latches().map(|l| l.0).collect();
        open.extend(&variables.inputs);
        // What no function needs goes with the first; the rest after its last use. (Where nothing
        // changes there is no image; nobody asks for it.)
        let mut ends: Vec<Vec<VarNo>> = vec![Vec::new(); case.changed.len().max(1)];
        for var in open {
            check(limits)?;
            let literal = [variables.literal(var, false)?, variables.literal(var, true)?];
            let mut last = 0;
            for (k, (_, next)) in case.changed.iter().enumerate() {
                if next.restrict(&literal[0])? != next.restrict(&literal[1])? {
                    last = k;
                }
            }
            ends[last].push(var);
        }
        let mut parts = Vec::new();
        for ((_, next), ((_, primed), mut vars)) in case.changed.iter().zip(latches().zip(ends)) {
            vars.sort_unstable();
            parts.push((variables.var(primed)?.equiv(next)?, variables.cube(&vars)?));
        }
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (now, primed) in latches() {
            from.push(primed);
            to.push(variables.var(now)?);
        }
        let constraint = case.constraint.clone();
        Ok(Image { constraint, parts, rename: Subst::new(from, to) })
    }

    fn of(&self, set: &BCDDFunction, limits: &Limits) -> Result<BCDDFunction, Stopped> {
        let mut now = set.and(&self.constraint)?;
        for (relation, done) in &self.parts {
            check(limits)?;
            now = now.apply_exists(BooleanOperator::And, relation, done)?;
        }
        Ok(now.substitute(&self.rename)?)
    }
}
