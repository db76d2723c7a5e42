//! All states as decision diagrams: whether some infinite execution is fair.
//!
//! They say whether there is something to be found or to be proved, and prove by themselves that there
//! is nothing; what there is, bounded model checking shows.

use raddle_aig::{Edge, System};
use raddle_reach::{Fair as Diagrams, FairEnd, Limits, Question};

use super::Fair;
use crate::circuit::compose::Composition;
use crate::circuit::how::Method;

/// With more latches than these diagrams are made on request only.
const MOST_LATCHES: usize = 400;

/// What diagrams are made of.
pub struct States<'a> {
    fair: &'a Fair,
    /// Its bad edges are what must hold infinitely often.
    system: System,
    justice: Vec<usize>,
    order: Vec<u32>,
    split: Vec<usize>,
}

impl<'a> States<'a> {
    /// Those of a circuit with what its executions must satisfy.
    pub fn new(fair: &'a Fair, composition: &Composition) -> States<'a> {
        // Steps of which nothing is asked are not looked at, so something is asked of each.
        let justice = std::iter::once(Edge::TRUE).chain(fair.justice.iter().copied());
        let system = System { bad: justice.collect(), ..fair.system.clone() };
        let justice = (0..system.bad.len()).collect();
        let (order, split) = (fair.circuit.order(composition), fair.circuit.choice());
        States { fair, system, justice, order, split }
    }
}

/// What is known of infinite executions that are fair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Nothing yet.
    Nothing,
    /// There is none, by looking at so many states.
    None {
        /// How many; the largest number if there are more.
        states: u64,
    },
    /// There is one.
    Some,
    /// Diagrams are too large, or not wanted.
    Never,
}

/// A search that takes turns with others.
pub struct Turns<'a> {
    states: &'a States<'a>,
    diagrams: Option<Diagrams<'a>>,
    known: Known,
}

impl<'a> Turns<'a> {
    /// Nothing is made before the first turn.
    pub fn new(states: &'a States<'a>, method: Method) -> Turns<'a> {
        let wanted = match method {
            Method::Bmc | Method::Look | Method::Induction | Method::Ic3 => false,
            Method::Bdd => true,
            Method::Auto => states.order.len() <= MOST_LATCHES,
        };
        let known = if wanted { Known::Nothing } else { Known::Never };
        Turns { states, diagrams: None, known }
    }

    /// A turn, with what is known after it.
    pub fn turn(&mut self, limits: &Limits) -> Known {
        if self.known != Known::Nothing {
            return self.known;
        }
        let States { fair, system, justice, order, split } = self.states;
        let exclusive = &fair.circuit.exclusive;
        let question = Question { system, bad: justice, moves: None, exclusive };
        let new = || Diagrams::new(question, order, split);
        let diagrams = self.diagrams.get_or_insert_with(new);
        if let Ok(end) = diagrams.run(limits) {
            self.known = match end {
                FairEnd::None => Known::None { states: diagrams.states() as u64 },
                FairEnd::Some => Known::Some,
                FairEnd::Full => Known::Never,
            };
            // They are not needed any more, and large.
            self.diagrams = None;
        }
        self.known
    }
}
