//! The search for everything that can be found: solve, replay, leave out what was shown, go on.
//!
//! A [`Question`] is a set of things that are looked for, each with a literal: violations, races,
//! deadlocks, cuts. The solver is asked for a model of any that is still open; the question looks
//! at the model, usually by a replay, and closes what it shows, or adds clauses that exclude it. It
//! is over when nothing is open, nothing more has a model, or one finding is enough.
//! **Invariant:** each answer makes the set of models that are left smaller, so the search ends.

use raddle_interp::{ConfirmedTrace, ReplayError, Wanted, replay_guided};
use raddle_ir::Place;
use raddle_sat::{Answer, Lit};
use raddle_summary::CutKind;
use raddle_term::Terms;

use super::composition::{Composition, Schedule, Shown};
use super::formula::Formula;
use super::recheck;
use super::scene::Scene;
use super::witness::{Model, Stand};

/// How to search.
#[derive(Clone, Copy, Default, Debug)]
pub struct Manner {
    /// One finding is enough.
    pub first_only: bool,
    /// The number of context switches is bounded, so replay must not add any.
    pub strict: bool,
    /// Each model is compared with what was said, and with the memory model.
    pub recheck: bool,
}

/// What was found so far.
#[derive(Default)]
pub struct Findings {
    /// Violations, replayed.
    pub found: Vec<ConfirmedTrace>,
    /// What the replays of others said.
    pub unconfirmed: Vec<String>,
    /// What could not be decided.
    pub open: Vec<(CutKind, Place)>,
}

/// A composition that is asked questions.
pub struct Search<'a> {
    /// What was composed.
    pub scene: Scene<'a>,
    /// Its terms.
    pub terms: &'a mut Terms,
    /// The formula.
    pub composition: &'a mut dyn Composition,
    /// How.
    pub manner: Manner,
    /// What was found.
    pub findings: Findings,
}

/// How a question ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// There is nothing else.
    Complete,
    /// One finding is enough.
    Enough,
    /// The time is up.
    Time,
}

/// Things to be looked for.
pub trait Question {
    /// A literal that implies one that is still open, if any is.
    fn open(&mut self, formula: &mut dyn Formula) -> Option<Lit>;
    /// Looks at a model of that literal and leaves out what it shows. An error is a mistake in
    /// raddle.
    fn model(&mut self, search: &mut Search) -> Result<(), String>;
}

impl<'a> Search<'a> {
    /// Asks until there is no other answer. An error is a mistake in raddle.
    pub fn exhaust(&mut self, question: &mut dyn Question) -> Result<End, String> {
        loop {
            if self.manner.first_only && !self.findings.found.is_empty() {
                return Ok(End::Enough);
            }
            let formula = self.composition.formula();
            let Some(open) = question.open(formula) else { return Ok(End::Complete) };
            match formula.solve(&[open]) {
                Answer::Unsatisfiable => return Ok(End::Complete),
                Answer::Interrupted => return Ok(End::Time),
                Answer::Satisfiable => {
                    assert!(formula.value(open), "a model is one of what was asked");
                    question.model(self)?;
                }
            }
        }
    }

    /// Whether a literal holds in the last model.
    pub fn value(&mut self, lit: Lit) -> bool {
        self.composition.formula().value(lit)
    }

    /// The values of the last model.
    pub fn values(&mut self) -> Model<'_> {
        let values = self.composition.formula().variables(self.terms.variable_count());
        Model::new(self.scene, self.terms, values)
    }

    /// Replays the last model, which shows this. An outer error is a mistake in raddle, an inner
    /// one says why the replay did not get there.
    pub fn replay(
        &mut self,
        shown: Shown,
        stands: &[Stand],
        wanted: &Wanted,
    ) -> Result<Result<ConfirmedTrace, ReplayError>, String> {
        let schedule = self.look(shown)?;
        let strict = self.manner.strict;
        let values = self.composition.formula().variables(self.terms.variable_count());
        let mut model = Model::new(self.scene, self.terms, values);
        let guide = model.guide(&schedule, if strict { stands } else { &[] });
        let mut answers = model.answers(self.composition.initial());
        Ok(replay_guided(self.scene.program, &guide, &mut answers, wanted))
    }

    /// The schedule of the last model, which shows this, checked if that is wanted.
    pub fn look(&mut self, shown: Shown) -> Result<Schedule, String> {
        let schedule = self.composition.schedule(self.scene, shown);
        debug_assert_eq!(schedule.check_invariants(self.scene), Ok(()), "a schedule is an order");
        if self.manner.recheck {
            self.composition.formula().recheck(self.terms)?;
            let values = self.composition.formula().variables(self.terms.variable_count());
            let mut model = Model::new(self.scene, self.terms, values);
            let (initial, idle) = (self.composition.initial(), self.composition.idle());
            recheck::check(self.scene, &mut model, initial, idle, &schedule, shown)?;
        }
        Ok(schedule)
    }
}
