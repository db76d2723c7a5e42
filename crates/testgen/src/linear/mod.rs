//! Formulas about infinite executions of random small programs: the engine against a checker that looks
//! at every state.
//!
//! Reading order: [`generate`] (programs and formulas), [`graph`] (all states of a program, by the
//! interpreter), [`tableau`] (what a formula still demands after a letter), [`fair`] (components that are
//! fair), this file (the comparison). Nothing of it is shared with the engine's automata, circuits or
//! searches; with the interpreter it shares steps and the meaning of atoms.

pub mod fair;
pub mod generate;
pub mod graph;
pub mod tableau;

use std::time::{Duration, Instant};

use raddle_engines::circuit::Circuit;
use raddle_engines::{Budget, Engine, Given, Reason, Settings, Task, Verdict};
use raddle_ir::linear::Fairness;
use raddle_ir::{Program, Property};

use graph::Graph;

/// What a comparison came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Both say that it holds.
    Holds,
    /// Both say that it does not.
    Violated,
    /// The program or its product with the formula has too many states.
    Large,
    /// The engine had no answer in time.
    Undecided,
}

/// Most states of a random program.
const MOST: usize = 1500;

/// The answer by looking at every state: whether all that is asked holds; `None` if there are more than
/// `most`.
pub fn reference(program: &Program, most: usize) -> Option<bool> {
    let linear = &program.linear;
    let atoms = linear.formulas.first().map_or(&[][..], |s| &s.atoms);
    let graph = Graph::new(program, atoms, most)?;
    let broken = match linear.formulas.first() {
        Some(sentence) => {
            let product = tableau::product(&graph, &sentence.formula)?;
            fair::has_fair_cycle(&product, linear.fairness)
        }
        None => {
            (0..graph.threads).any(|t| fair::has_fair_cycle(&graph.waiting(t), linear.fairness))
        }
    };
    Some(!broken)
}

/// Compares the engine with the reference; an error says how they differ.
pub fn compare(program: &Program, time: Duration) -> Result<Compared, String> {
    let Some(expected) = reference(program, MOST) else { return Ok(Compared::Large) };
    let settings = Settings::default();
    let task = Task { program, settings: &settings };
    let budget = Budget::until(Some(Instant::now() + time));
    let outcome = Circuit::new(&Given::default()).check(&task, &budget, &mut |_| {});
    match (&outcome.verdict, expected) {
        (Verdict::Safe(_), true) => Ok(Compared::Holds),
        (Verdict::Unsafe, false) => Ok(Compared::Violated),
        (Verdict::Unknown(Reason::Time), _) => Ok(Compared::Undecided),
        (verdict, _) => {
            let expected = if expected { "it holds" } else { "it is violated" };
            Err(format!("{verdict:?}, but {expected}"))
        }
    }
}

/// The program and question of a seed.
pub fn of_seed(seed: u64) -> Program {
    let mut program = generate::program(seed);
    program.linear.fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][seed as usize % 3];
    program
}

/// What is asked about a program, for messages.
pub fn question(program: &Program) -> String {
    let asked = match program.linear.formulas.first() {
        Some(sentence) => format!("{:?} over {:?}", sentence.formula, sentence.atoms),
        None => Property::Starvation.name().to_string(),
    };
    format!("fairness {}: {asked}", program.linear.fairness.name())
}
