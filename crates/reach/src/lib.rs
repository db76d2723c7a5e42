//! Whether a transition system reaches something bad.
//!
//! Reading order: this file (questions and answers), `unroll.rs` (steps of a system as clauses),
//! [`Bmc`] (from the initial states, step by step), [`Rounds`] (a step of each process at a time),
//! [`Induction`] (from any state, k steps), [`Ic3`] (an invariant, clause by clause), [`Copies`] (of
//! which it speaks of few), [`Pairs`] (a simple one beforehand), [`Bdd`] (all states, as decision
//! diagrams), [`certify`] (whether an invariant is one), [`minimal`] and [`needed`] (what of it can
//! be left out), [`lasso`] and [`Fair`] (infinite executions).
//!
//! All methods are resumed where they were when their time was up, so that they can take turns.
//!
//! **Invariant:** knows no program. A violation comes with an execution that [`System::run`] accepts;
//! that nothing bad is reached is said by induction, by IC3, or
//! because no execution goes on, or all states are known.

mod bdd;
mod bmc;
mod certify;
mod copies;
mod ic3;
mod induction;
pub mod lasso;
mod minimal;
mod pairs;
mod rounds;
mod unroll;

use std::time::Instant;

use raddle_aig::{Edge, System};
use raddle_sat::StopFlag;

pub use bdd::{Bdd, Direction, End as BddEnd, Fair, FairEnd, Lasso, NODES as BDD_NODES, Plan};
pub use bmc::{Bmc, Found};
pub use certify::{Flaw, allows, certify};
pub use copies::Copies;
pub use ic3::{End, Ic3};
pub use induction::Induction;
pub use minimal::{minimal, needed};
pub use pairs::Pairs;
pub use rounds::{Choice, Processes, Rounds};

/// A latch with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit {
    /// Which latch.
    pub latch: u32,
    /// Its value.
    pub value: bool,
}

/// A set of states: those in which latches have these values. Sorted, each latch once.
pub type Cube = Vec<Bit>;

/// What is to be decided: whether one of some bad edges of a system is reached.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The system.
    pub system: &'a System,
    /// Which of its bad edges count.
    pub bad: &'a [usize],
    /// An edge without which a step changes nothing, if there is one: an execution can do without
    /// such steps.
    pub moves: Option<Edge>,
    /// Groups of latches of which at most one is set in any state that is reached, certainly.
    pub exclusive: &'a [Vec<u32>],
}

/// Until when to search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When to give up for now.
    pub deadline: Option<Instant>,
    /// When to give up for good.
    pub stop: StopFlag,
}

impl Limits {
    /// Whether one of them is reached.
    pub fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// The time was up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// What holds of all states that are reached, besides what is known of exclusive latches: none of
/// these cubes is.
pub type Invariant = Vec<Cube>;
