//! The circuit as decision diagrams: all states that are reached, forward, or backward if that
//! takes too many nodes.
//!
//! The variables are in the order of the automata: for each thread its control states and flags, with
//! what is shared at the first thread that uses it; then words, bit by bit. The bits that choose a
//! thread tell cases apart: in each only the variables of one thread, and what it shares, change.

use std::time::{Duration, Instant};

use raddle_aig::Execution;
use raddle_reach::{BDD_NODES, Bdd, BddEnd, Direction, Interrupted, Limits, Plan, Question};

use super::bits::Circuit;
use super::compose::Composition;
use crate::Progress;

/// When to tell first how far the search is; then each time after twice as long, because a step
/// that is interrupted begins anew.
const FIRST: Duration = Duration::from_millis(500);

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
