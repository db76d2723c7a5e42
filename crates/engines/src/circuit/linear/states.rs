//! All states as decision diagrams: whether some infinite execution is fair.
//!
//! They say whether there is something to be found or to be proved, and prove by themselves that there
//! is nothing. What there is, bounded model checking shows in fewest steps; if that takes long diagrams
//! show one.
//! Invariants about one or two latches come first (`raddle_reach::Pairs`): a number that a condition
//! keeps below 4 has 30 bits that never change, which no step by itself shows. Latches that are
//! stuck are left out.

use std::cell::OnceCell;
use std::time::Duration;

use raddle_aig::reduce::part;
use raddle_aig::{Edge, Execution, System};
use raddle_reach::{
    BDD_NODES, Direction, Fair as Diagrams, FairEnd, Interrupted, Lasso, Limits, Pairs, Plan,
    Question,
};

use super::Fair;
use crate::circuit::compose::Composition;
use crate::circuit::how::Method;

/// With more latches than these diagrams are made on request only.
const MOST_LATCHES: usize = 400;
/// Turns from which on diagrams are made although it is not known which latches are stuck.
const PATIENCE: Duration = Duration::from_millis(1600);

/// What diagrams are made of.
pub struct States {
    /// Its bad edges are what must hold infinitely often.
    system: System,
    justice: Vec<usize>,
    exclusive: Vec<Vec<u32>>,
    order: Vec<u32>,
    split: Vec<usize>,
    /// By latch and by input: which it is of the circuit.
    latches: Vec<usize>,
    inputs: Vec<usize>,
}

impl States {
    /// Those of a circuit with what its executions must satisfy.
    pub fn new(fair: &Fair, composition: &Composition) -> States {
        // Steps of which nothing is asked are not looked at, so something is asked of each.
        let justice = std::iter::once(Edge::TRUE).chain(fair.justice.iter().copied());
        let system = System { bad: justice.collect(), ..fair.system.clone() };
        let justice = (0..system.bad.len()).collect();
        let (order, split) = (fair.circuit.order(composition), fair.circuit.choice());
        let exclusive = fair.circuit.exclusive.clone();
        let (latches, inputs) = (system.latches.len(), system.inputs.len());
        let (latches, inputs) = ((0..latches).collect(), (0..inputs).collect());
        States { system, justice, exclusive, order, split, latches, inputs }
    }

    fn question(&self) -> Question<'_> {
        let States { system, justice, exclusive, .. } = self;
        Question { system, bad: justice, moves: None, exclusive }
    }

    /// The same without latches that always have these values.
    fn without(&self, stuck: Vec<Option<bool>>) -> States {
        let part = part(&self.system, stuck);
        let mut latches = vec![None; self.system.latches.len()];
        for (new, &old) in (0..).zip(&part.latches) {
            latches[old] = Some(new);
        }
        let left = |all: &[u32]| all.iter().filter_map(|&l| latches[l as usize]).collect();
        let split = self.split.iter().filter_map(|s| part.inputs.iter().position(|i| i == s));
        States {
            justice: self.justice.clone(),
            exclusive: self.exclusive.iter().map(|group| left(group)).collect(),
            order: left(&self.order),
            split: split.collect(),
            system: part.system,
            latches: part.latches,
            inputs: part.inputs,
        }
    }

    /// A lasso of these states as one of the circuit; what is left out is what it is at first.
    fn of_circuit(&self, circuit: &System, lasso: Lasso) -> Lasso {
        let Lasso { execution, begin } = lasso;
        let latches = circuit.latches.iter();
        let mut first: Vec<bool> = latches.map(|l| l.initial.unwrap_or(false)).collect();
        for (&latch, &value) in self.latches.iter().zip(&execution.first) {
            first[latch] = value;
        }
        let step = |given: &Vec<bool>| {
            let mut inputs = vec![false; circuit.inputs.len()];
            for (&input, &value) in self.inputs.iter().zip(given) {
                inputs[input] = value;
            }
            inputs
        };
        let inputs = execution.inputs.iter().map(step).collect();
        Lasso { execution: Execution { first, inputs }, begin }
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
    states: &'a States,
    /// The states without latches that are stuck, once these are known.
    less: &'a OnceCell<States>,
    method: Method,
    stuck: Pairs<'a>,
    diagrams: Option<Diagrams<'a>>,
    known: Known,
}

impl<'a> Turns<'a> {
    /// Nothing is made before the first turn.
    pub fn new(states: &'a States, less: &'a OnceCell<States>, method: Method) -> Turns<'a> {
        let known = match method {
            Method::Bmc | Method::Look | Method::Induction | Method::Ic3 => Known::Never,
            Method::Bdd | Method::Auto => Known::Nothing,
        };
        let stuck = Pairs::new(Question { bad: &[], ..states.question() });
        Turns { states, less, method, stuck, diagrams: None, known }
    }

    /// A turn of so much time, with what is known after it.
    pub fn turn(&mut self, slice: Duration, limits: &Limits) -> Known {
        if self.known != Known::Nothing {
            return self.known;
        }
        let Ok(states) = self.without_stuck(slice, limits) else { return Known::Nothing };
        if self.method == Method::Auto && states.order.len() > MOST_LATCHES {
            self.known = Known::Never;
            return self.known;
        }
        let (direction, nodes) = (Direction::Forward, BDD_NODES);
        let plan = Plan { direction, order: &states.order, split: &states.split, nodes };
        let new = || Diagrams::new(states.question(), plan);
        let diagrams = self.diagrams.get_or_insert_with(new);
        if let Ok(end) = diagrams.run(limits) {
            self.known = match end {
                FairEnd::None => Known::None { states: diagrams.states() as u64 },
                FairEnd::Some => Known::Some,
                FairEnd::Full => Known::Never,
            };
            // If there is one they can show it.
            if self.known != Known::Some {
                self.diagrams = None;
            }
        }
        self.known
    }

    /// An infinite execution that is fair, if it is known that there is one; once.
    pub fn lasso(&mut self, limits: &Limits) -> Option<Lasso> {
        let (diagrams, states) = (self.diagrams.as_ref()?, self.less.get()?);
        let lasso = diagrams.lasso(limits).ok()?;
        self.diagrams = None;
        lasso.map(|lasso| states.of_circuit(&self.states.system, lasso))
    }

    /// The states without latches that are stuck, as far as that can be known in time.
    fn without_stuck(
        &mut self,
        slice: Duration,
        limits: &Limits,
    ) -> Result<&'a States, Interrupted> {
        if let Some(states) = self.less.get() {
            return Ok(states);
        }
        let mut stuck = vec![None; self.states.system.latches.len()];
        match self.stuck.run(limits) {
            Ok(never) => {
                for cube in never {
                    if let [bit] = cube[..] {
                        stuck[bit.latch as usize] = Some(!bit.value);
                    }
                }
            }
            Err(Interrupted) if slice < PATIENCE => return Err(Interrupted),
            Err(Interrupted) => {}
        }
        Ok(self.less.get_or_init(|| self.states.without(stuck)))
    }
}
