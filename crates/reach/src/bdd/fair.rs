//! Infinite executions with decision diagrams: is there one in which each of some conditions holds
//! infinitely often?
//!
//! Idea: of all states that are reached keep those from which, for each condition, a step with that
//! condition can be come to and made without leaving what is kept. What is left when no state goes any
//! more is where fair executions can be for ever; if nothing is left there is none.
//! Source: Emerson and Lei, LICS 1986. We differ: a condition is one on steps, not on states, because
//! fairness speaks of who makes a step.
//! The conditions are the bad edges of the question. A step that changes nothing counts as one.
//! To leave out states that no way leads to inside the set, too, made rounds fewer and the whole slower
//! on six algorithms for mutual exclusion.
//! Elsewhere: one of them, in `lasso.rs`.
//! Limits: those of `mod.rs`.

use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator};

use super::steps::{Steps, Stopped, check};
use super::{Bdd, Direction, Plan};
use crate::{Interrupted, Limits, Question};

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// No infinite execution is fair.
    None,
    /// Some are.
    Some,
    /// The diagrams are too large.
    Full,
}

/// A search. It goes on where it was when the time was up, but for the condition that it looked at.
pub struct Fair<'a> {
    pub(super) bdd: Bdd<'a>,
    /// All that is reached is known.
    complete: bool,
    /// How far it is, once all that is reached is known.
    round: Option<Round>,
}

/// One look at all conditions.
struct Round {
    /// The states that were left before it.
    before: BCDDFunction,
    /// Those that are left.
    left: BCDDFunction,
    /// The next condition.
    condition: usize,
}

impl Round {
    fn of(left: BCDDFunction) -> Round {
        Round { before: left.clone(), left, condition: 0 }
    }
}

impl<'a> Fair<'a> {
    /// Nothing is known yet. There is at least one condition: where all executions count it is one that
    /// always holds. The direction is that of reachable states: forward.
    pub fn new(question: Question<'a>, plan: Plan<'a>) -> Fair<'a> {
        assert_eq!(plan.direction, Direction::Forward, "what is reached comes first");
        assert!(!question.bad.is_empty(), "steps without a condition are not looked at");
        Fair { bdd: Bdd::new(question, plan), complete: false, round: None }
    }

    /// How many states have been reached so far.
    pub fn states(&self) -> f64 {
        self.bdd.states()
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
        self.bdd.begin(limits)?;
        while !self.complete {
            self.complete = !self.bdd.grow(limits)?;
        }
        let first = self.bdd.reached.clone();
        let mut round = self.round.take().unwrap_or_else(|| Round::of(first));
        let end = self.rounds(&mut round, limits);
        self.round = Some(round);
        end
    }

    /// Goes on until nothing is left, or a round leaves all that there was before it.
    fn rounds(&self, round: &mut Round, limits: &Limits) -> Result<End, Stopped> {
        let conditions = self.bdd.question.bad.len();
        while round.left.satisfiable() {
            while round.condition < conditions {
                round.left = self.comes_to(round.condition, &round.left, limits)?;
                round.condition += 1;
            }
            if round.left == round.before {
                return Ok(End::Some);
            }
            *round = Round::of(round.left.clone());
        }
        Ok(End::None)
    }

    /// The states in which fair executions can be for ever, if all is known; before that more.
    pub(super) fn left(&self) -> Option<&BCDDFunction> {
        self.round.as_ref().map(|r| &r.left)
    }

    fn steps(&self) -> &Steps {
        self.bdd.steps.as_ref().expect("a search has begun")
    }

    /// The states of a set from which a step with this condition can be come to and made without
    /// leaving the set.
    fn comes_to(
        &self,
        condition: usize,
        set: &BCDDFunction,
        limits: &Limits,
    ) -> Result<BCDDFunction, Stopped> {
        let mut found = self.before(Some(condition), set, limits)?.and(set)?;
        let mut new = found.clone();
        while new.satisfiable() {
            let before = self.before(None, &new, limits)?.and(set)?;
            new = before.and(&found.not()?)?;
            found = found.or(&new)?;
        }
        Ok(found)
    }

    /// The states from which a step, with this condition if there is one, leads to a set.
    pub(super) fn before(
        &self,
        condition: Option<usize>,
        set: &BCDDFunction,
        limits: &Limits,
    ) -> Result<BCDDFunction, Stopped> {
        let variables = &self.bdd.variables;
        let inputs = variables.cube(&variables.inputs)?;
        let mut found = variables.constant(false);
        for case in &self.steps().cases {
            check(limits)?;
            variables.tidy_up();
            let mut there = self.bdd.leads_to(case, set)?;
            if let Some(condition) = condition {
                let Some((_, holds)) = case.bad.iter().find(|(c, _)| *c == condition) else {
                    continue;
                };
                there = there.and(holds)?;
            }
            let of_case = there.apply_exists(BooleanOperator::And, &case.constraint, &inputs)?;
            found = found.or(&of_case)?;
        }
        Ok(found)
    }
}
