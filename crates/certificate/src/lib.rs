//! Whether a certificate is a proof of a program, by code that shares nothing with what found it.
//!
//! Idea: the certificate says that some states are never reached, over variables with names, and a
//! *legend* says what each name means in the program itself: where a thread stands (its calls and
//! the next instruction), a register of an activation, bytes of an object. The checker executes the
//! program symbolically, instruction by instruction as `docs/semantics.md` says, from each place of
//! each thread to the next places, and asks a solver: the conjuncts hold at first; each step from a
//! state in which they hold leads to one in which they hold; no such step violates what is checked,
//! comes to something unsupported, or makes a thread or an object that the legend does not know.
//! The legend is not believed: what it leaves out or gets wrong leads to a refusal.
//!
//! *Pointers.* There is no points-to analysis. What an address can be is what the solver finds in
//! states that the conjuncts allow; each such address is looked up among all objects.
//!
//! *Steps of several instructions.* The places of the legend are few, so a step has one instruction
//! (or atomic section) first and then others, its *tail*. That is the same as single instructions if
//! nothing in a tail can be noticed: for each memory that a tail touches, no other thread touches the
//! same, one of them writing, before the tail's thread moves on. `glue.rs` has the argument and the
//! check. Whatever waits, creates or ends a thread, or opens an atomic section comes first in its step.
//!
//! *What holds besides.* Some facts are so plain that no certificate has them: a constant that is
//! handed over, a global that nobody writes, an object that is not made yet. The checker guesses
//! them as it goes and keeps those that are inductive together with the conjuncts (`facts.rs`).
//! Source: Lipton, Reduction, CACM 1975, for tails; Flanagan, Leino: Houdini, FME 2001, for facts.
//!
//! Limits: the front end and the program model are trusted, and that neither the addresses of
//! objects nor the numbers of threads matter beyond those that the legend has. A thread's copies of
//! thread-local globals live from the beginning. Not covered, and said so by [`No::Outside`]:
//! deadlocks, leaks and formulas; any number of threads; floating point.
//!
//! Reading order: `legend.rs`, `state.rs` (variables and places), `prove.rs` (the solver), `step.rs`
//! with `value.rs`, `memory.rs` and `lives.rs` (what instructions do), `facts.rs`, `glue.rs`, `races.rs`.

mod facts;
mod glue;
mod legend;
mod lives;
mod memory;
mod prove;
mod races;
mod state;
mod step;
mod value;

use std::time::Instant;

use raddle_ir::{Place, Program, Property};
use raddle_sat::StopFlag;

/// A certificate, as far as it is text.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// What its names mean: the lines of the legend.
    pub legend: &'a [String],
    /// None of these is reached: names of variables, with ` bit N` for one bit of a wider one.
    pub never: &'a [Vec<(String, bool)>],
}

/// When to give up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// At this time.
    pub deadline: Option<Instant>,
    /// When this is set.
    pub stop: StopFlag,
}

/// Why a certificate is not accepted here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum No {
    /// It is beyond what can be checked here.
    Outside(Outside, Place),
    /// A line of the legend means nothing in this program.
    Legend(String),
    /// A name that the legend does not have.
    Name(String),
    /// A conjunct does not hold at first, by its number.
    Initial(usize),
    /// A step from this place does not keep a conjunct.
    Step(usize, Place),
    /// It does not exclude a violation.
    Violation(Property, Place),
    /// It does not exclude something that the legend has no name for, or that is unsupported.
    End(Place),
    /// A step goes on after something that others can notice, at the first place, with something
    /// that others can notice, at the second.
    Glued(Place, Place),
    /// The time was up.
    Time,
}

/// What is not covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// There is no legend.
    NoLegend,
    /// The certificate is one about any number of threads.
    AnyNumber,
    /// A property that is about all threads at once.
    Property(Property),
    /// Floating point, or products of more than 64 bits that must not overflow.
    Arithmetic,
    /// Too many addresses for one access, or too many or too long ways from place to place.
    Many,
}

/// Checks that a certificate is a proof of a program.
pub fn check(program: &Program, claim: Claim, limits: &Limits) -> Result<(), No> {
    if claim.legend.is_empty() {
        return Err(No::Outside(Outside::NoLegend, Place::UNKNOWN));
    }
    for property in program.checked.iter() {
        if !is_covered(property) {
            return Err(No::Outside(Outside::Property(property), Place::UNKNOWN));
        }
    }
    let legend = legend::Legend::read(program, claim.legend)?;
    let never = legend.cubes(claim.never)?;
    let mut checker = facts::Checker::new(program, &legend, &never, limits)?;
    let steps = checker.inductive()?;
    glue::check(&mut checker.machine, &steps)?;
    match program.checked.contains(Property::Races) {
        true => races::check(&mut checker.machine, &steps),
        false => Ok(()),
    }
}

/// Whether a violation of the property is seen at one thread, or two.
fn is_covered(property: Property) -> bool {
    match property {
        Property::Unreach
        | Property::Assertions
        | Property::Races
        | Property::Memory
        | Property::Overflow
        | Property::Locks => true,
        Property::Deadlocks
        | Property::Leaks
        | Property::LostMemory
        | Property::Linear
        | Property::Starvation => false,
    }
}
