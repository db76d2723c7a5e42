//! The circuit as decision diagrams: all states that are reached, forward, or backward if that
//! takes too many nodes.
//!
//! The variables are in the order of the automata: for each thread its control states and flags, with
//! what is shared at the first thread that uses it; then words, bit by bit. The bits that choose a
//! thread tell cases apart: in each only the variables of one thread, and what it shares, change.

use std::time::{Duration, Instant};

use raddle_aig::Execution;
use raddle_reach::{
    BDD_NODES, Bdd, BddEnd, Cube, Direction, Interrupted, Limits, Pairs, Plan, Question,
};

use super::bits::Circuit;
use super::bounded::Bounded;
use super::compose::Composition;
use super::found::End;
use super::how::Method;
use super::search::{PATIENCE_WITH_PAIRS, Search, Turn};
use super::undefined::so_far;
use crate::{Ground, Large, Progress, Reason};

/// When to tell first how far the search is; then each time after twice as long, because a step
/// that is interrupted begins anew.
const FIRST: Duration = Duration::from_millis(500);

/// With more latches than these diagrams are made on request only.
const MOST_LATCHES: usize = 400;

/// What came out.
pub enum Answer {
    /// An execution whose last step is bad.
    Violated(Execution),
    /// Nothing bad is reached.
    Holds {
        /// Whether all states that are reached are known, or all that lead to something bad.
        direction: Direction,
        /// How many; the largest number if there are more.
        states: u64,
        /// In how many steps all of them are found.
        depth: u64,
    },
    /// The diagrams are too large.
    Full,
    /// The time was up.
    Time,
}

/// What a turn came to.
pub enum Seen {
    /// An execution whose last step is bad.
    Violation(Execution),
    /// All states: the end of the search.
    All(End),
}

/// A search that takes turns with others, forward only.
pub struct Turns<'a> {
    order: &'a [u32],
    split: &'a [usize],
    question: Question<'a>,
    bdd: Option<Bdd<'a>>,
    full: bool,
}

impl<'a> Turns<'a> {
    /// Nothing is made before the first turn.
    pub fn new(question: Question<'a>, order: &'a [u32], split: &'a [usize]) -> Turns<'a> {
        Turns { order, split, question, bdd: None, full: order.len() > MOST_LATCHES }
    }

    /// A turn. Diagrams that are too large get no other one.
    pub fn turn(&mut self, limits: &Limits) -> Answer {
        if self.full {
            return Answer::Full;
        }
        let plan = self.plan();
        let bdd = self.bdd.get_or_insert_with(|| Bdd::new(self.question, plan));
        match bdd.run(limits) {
            Ok(BddEnd::Violated(execution)) => Answer::Violated(execution),
            Ok(BddEnd::Holds) => {
                let (states, depth) = (bdd.states() as u64, bdd.depth() as u64);
                Answer::Holds { direction: Direction::Forward, states, depth }
            }
            Ok(BddEnd::Full) => {
                (self.full, self.bdd) = (true, None);
                Answer::Full
            }
            Err(Interrupted) => Answer::Time,
        }
    }

    /// Which of these bad edges is reached, if that can be known in time.
    pub fn reaches(&self, bad: &[usize], limits: &Limits) -> Result<Option<usize>, Interrupted> {
        let mut bdd = Bdd::new(Question { bad, ..self.question }, self.plan());
        match bdd.run(limits)? {
            BddEnd::Violated(execution) => {
                let shown = self.question.system.run(&execution).unwrap_or_default();
                Ok(bad.iter().copied().find(|b| shown.contains(b)))
            }
            BddEnd::Holds => Ok(None),
            BddEnd::Full => Err(Interrupted),
        }
    }

    fn plan(&self) -> Plan<'a> {
        let (order, split) = (self.order, self.split);
        Plan { direction: Direction::Forward, order, split, nodes: BDD_NODES }
    }
}

/// Looks for something bad.
pub fn look(
    circuit: &Circuit,
    composition: &Composition,
    question: Question,
    limits: &Limits,
    progress: &mut dyn FnMut(Progress),
) -> Answer {
    let order = circuit.order(composition);
    let split = circuit.choice();
    for direction in [Direction::Forward, Direction::Backward] {
        let plan = Plan { direction, order: &order, split: &split, nodes: BDD_NODES };
        let mut bdd = Bdd::new(question, plan);
        let mut slice = FIRST;
        loop {
            let size = format!("{} latches, {:.0} states", order.len(), bdd.states());
            let steps = Some(("steps", bdd.depth() as u64));
            progress(Progress::doing("diagrams", steps).of_size(size));
            if limits.is_over() {
                return Answer::Time;
            }
            let end = Instant::now() + slice;
            let deadline = Some(limits.deadline.map_or(end, |d| d.min(end)));
            match bdd.run(&Limits { deadline, stop: limits.stop.clone() }) {
                Ok(BddEnd::Violated(execution)) => return Answer::Violated(execution),
                Ok(BddEnd::Holds) => {
                    let (states, depth) = (bdd.states() as u64, bdd.depth() as u64);
                    return Answer::Holds { direction, states, depth };
                }
                Ok(BddEnd::Full) => break,
                Err(Interrupted) => slice = slice.saturating_mul(2),
            }
        }
    }
    Answer::Full
}

impl Search<'_> {
    /// A turn of diagrams of all interleavings, given what is known; nothing if there is no answer, or if a
    /// certificate is wanted: that needs an invariant.
    pub(super) fn turn_of_diagrams(
        &mut self,
        diagrams: &mut Turns,
        (free, known): (Question, &[Cube]),
        slice: Duration,
    ) -> Option<Seen> {
        if self.how.method != Method::Auto || self.wants_certificate() {
            return None;
        }
        match diagrams.turn(&self.slice(2 * slice)) {
            Answer::Violated(execution) => Some(Seen::Violation(execution)),
            Answer::Holds { direction: _, states, depth } => {
                self.found.figures.depth = depth;
                self.found.figures.reached = states;
                self.found.all_interleavings = true;
                let mut reaches = |bad: &[usize], limits: &Limits| diagrams.reaches(bad, limits);
                self.note_undefined(&mut reaches, Some((free, known)));
                Some(Seen::All(End::Complete(Ground::States { count: states })))
            }
            Answer::Full | Answer::Time => None,
        }
    }

    /// Looks at all states.
    pub(super) fn diagrams(
        &mut self,
        circuit: &Circuit,
        (question, free): (Question, Question),
        bounded: &mut Bounded,
        open: &mut Vec<usize>,
        progress: &mut dyn FnMut(Progress),
    ) -> Turn {
        if self.narrows {
            let stuck = self.stuck(&mut Pairs::new(free), free, PATIENCE_WITH_PAIRS);
            self.narrows = false;
            if let Ok(Some(stuck)) = stuck {
                return Turn::Narrower(stuck);
            }
        }
        let answer = match self.is_enough() {
            true => Answer::Time,
            false => look(circuit, &self.composition, question, &self.limits, progress),
        };
        let end = match answer {
            Answer::Violated(execution) => {
                return self.handled(circuit, &execution, bounded, open);
            }
            Answer::Holds { direction, states, depth } => {
                let ground = match direction {
                    Direction::Forward => Ground::States { count: states },
                    Direction::Backward => Ground::Unreached { count: states },
                };
                self.found.figures.depth = depth;
                if direction == Direction::Forward {
                    self.found.figures.reached = states;
                }
                let bmc = &mut bounded.steps;
                let mut reaches = |bad: &[usize], limits: &_| so_far(bmc, bad, limits);
                self.note_undefined(&mut reaches, Some((question, &[])));
                self.certify_by_ic3(circuit, free, None, progress);
                End::Complete(ground)
            }
            Answer::Full => {
                let place = self.composition.layout.entry_place(self.task.program);
                End::No(Reason::Large { what: Large::Diagrams(BDD_NODES as u64), place })
            }
            Answer::Time => End::Time,
        };
        Turn::End(end)
    }
}
