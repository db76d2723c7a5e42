//! Bounded model checking of a circuit in two ways, which share what they look for.
//!
//! Step by step, under the restricted scheduler, shows that executions end, and is what induction
//! begins with. In rounds, in which each thread makes a step or none ([`raddle_reach::Rounds`]), finds
//! violations sooner: an execution takes as many rounds as its busiest thread makes steps. The race of
//! `bench/papers/daisy.c` with `-DWITNESS=2` takes 7 rounds or 14 steps.

use std::time::{Duration, Instant};

use raddle_reach::{Bmc, Found, Interrupted, Limits, Processes, Question, Rounds};

use super::bits::Circuit;
use super::compose::Composition;
use super::found::{End, Figures};
use super::how::Method;
use super::search::{Search, Turn};

/// How long to look for something near, if there is no limit.
const LOOK: Duration = Duration::from_secs(5);

/// With more nodes of the circuit, counted for each thread, making its parts alone takes seconds.
pub const MOST_NODES_OF_ROUNDS: usize = 20_000_000;

/// With more clauses than these neither goes further: others need memory, too.
const MOST_CLAUSES: u64 = 20_000_000;

/// Both ways.
pub struct Bounded<'a> {
    /// Step by step.
    pub steps: Bmc<'a>,
    /// In rounds, if that is wanted and there is more to look at.
    pub rounds: Option<Rounds<'a>>,
}

impl<'a> Bounded<'a> {
    /// Nothing is known yet. The second question is the same with a free scheduler.
    pub fn new(
        question: Question<'a>,
        free: Question<'a>,
        processes: Option<&'a Processes>,
    ) -> Bounded<'a> {
        let rounds = processes.map(|p| Rounds::new(free, p));
        Bounded { steps: Bmc::new(question), rounds }
    }

    /// No longer looks for this edge.
    pub fn close(&mut self, bad: usize) {
        self.steps.close(bad);
        self.rounds.iter_mut().for_each(|r| r.close(bad));
    }

    /// Whether there is no room for a further step.
    pub fn is_full(&self) -> bool {
        self.steps.clauses() >= MOST_CLAUSES
    }

    /// Says how far it is.
    pub fn tell(&self, figures: &mut Figures) {
        let (depth, clauses) = self.rounds.as_ref().map_or((0, 0), |r| (r.depth(), r.clauses()));
        figures.rounds = figures.rounds.max(depth as u64);
        figures.depth = self.steps.depth() as u64;
        figures.clauses = self.steps.clauses() + clauses;
    }

    /// Goes on step by step until something is found.
    pub fn run_steps(&mut self, limits: &Limits) -> Result<Found, Interrupted> {
        while !self.is_full() {
            match self.steps.step(limits)? {
                Found::Nothing => {}
                found => return Ok(found),
            }
        }
        Ok(Found::Nothing)
    }

    /// Goes on in rounds until something is found.
    pub fn run_rounds(&mut self, limits: &Limits) -> Result<Found, Interrupted> {
        while let Some(rounds) = &mut self.rounds {
            match rounds.step(limits)? {
                Found::Nothing if rounds.clauses() < MOST_CLAUSES => {}
                Found::Nothing => self.rounds = None,
                found => return Ok(found),
            }
        }
        Ok(Found::Nothing)
    }
}

/// What came of looking for a slice of the time.
pub enum Looked {
    /// Something was found, or there is nothing left to look at.
    Turn(Turn),
    /// All executions end within so many steps or rounds, and nothing was found.
    Ends {
        /// How many.
        bound: u32,
    },
    /// Nothing so far.
    Nothing,
}

impl Search<'_> {
    /// Bounded model checking, a slice of the time each way.
    pub(super) fn run_bounded(
        &mut self,
        circuit: &Circuit,
        bounded: &mut Bounded,
        open: &mut Vec<usize>,
        slice: Duration,
    ) -> Looked {
        match (bounded.run_rounds(&self.slice(slice)), &mut bounded.rounds) {
            (Ok(Found::Violation(execution)), _) => {
                return Looked::Turn(self.handled(circuit, &execution, bounded, open));
            }
            (Ok(Found::End), Some(rounds)) => {
                self.found.all_interleavings = true;
                let bound = rounds.depth() as u32;
                self.note_undefined(&mut |bad, limits| rounds.reaches(bad, limits), None);
                return Looked::Ends { bound };
            }
            (Ok(Found::End), None) => unreachable!("whoever comes to the end is there"),
            (Ok(Found::Nothing) | Err(Interrupted), _) => {}
        }
        if self.how.method == Method::Look {
            return match bounded.rounds {
                Some(_) if !self.limits.is_over() => Looked::Nothing,
                Some(_) | None => Looked::Turn(Turn::End(End::Time)),
            };
        }
        match bounded.run_steps(&self.slice(slice)) {
            Ok(Found::Violation(execution)) => {
                Looked::Turn(self.handled(circuit, &execution, bounded, open))
            }
            Ok(Found::End) => {
                let bmc = &mut bounded.steps;
                let bound = bmc.depth() as u32;
                self.note_undefined(&mut |bad, limits| bmc.reaches(bad, limits), None);
                Looked::Ends { bound }
            }
            Ok(Found::Nothing) | Err(Interrupted) => Looked::Nothing,
        }
    }
}

/// Until when to look for something near before a proof for any number of threads is looked for: longer
/// if it is known how many there are.
pub fn deadline_to_look(end: Option<Instant>, composition: &Composition) -> Instant {
    let now = Instant::now();
    let part = if composition.main_creates_no_more { 4 } else { 8 };
    now + end.map_or(LOOK, |end| end.saturating_duration_since(now) / part)
}
