//! The formula of a program as text, for other solvers.
//!
//! What is written is what a solver would be told up to the first question; a listener takes its
//! place.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use raddle_ir::{InstrRef, Property};
use raddle_sat::Lit;
use raddle_term::Terms;

use super::Staged;
use crate::bounded::composition::{Composition, Job, Stop};
use crate::bounded::formula::any_of;
use crate::bounded::races::sites;
use crate::bounded::scene::Scene;
use crate::bounded::smtlib::name;
use crate::bounded::solver::{Conversation, Heard, Numbers, SmtSolver};
use crate::{Budget, SwitchSet, Task};

/// A formula in SMT-LIB 2.
pub struct Export {
    /// The Booleans that stand for something that goes wrong, by name.
    pub goals: Vec<(String, Wrong)>,
    /// The commands. The last one asks whether one of the goals can hold.
    pub text: String,
}

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A property is violated at an instruction.
    Violation(Property, InstrRef),
    /// Two instructions race.
    Race([InstrRef; 2]),
    /// A deadlock.
    Deadlock,
}

/// Writes down what it is told and says nothing.
struct Listener(Arc<Mutex<String>>);

impl Conversation for Listener {
    fn send(&mut self, text: &str) -> Result<(), String> {
        self.0.lock().map_err(|e| e.to_string())?.push_str(text);
        Ok(())
    }

    fn hear(&mut self, _deadline: Option<Instant>) -> Heard {
        Heard::Ended
    }
}

/// The formula of a summarised program for a solver that counts with such numbers.
pub fn export(
    task: &Task,
    without: SwitchSet,
    (scene, terms): (Scene, Terms),
    numbers: Numbers,
) -> Result<Export, String> {
    let heard = Arc::new(Mutex::new(String::new()));
    let ear = Arc::clone(&heard);
    let start = move || Ok(Box::new(Listener(Arc::clone(&ear))) as Box<dyn Conversation>);
    let listener = SmtSolver { name: "export".into(), numbers, start: Arc::new(start) };
    let staged = Staged::with(without, Some(listener));
    let job = Job { task, scene, budget: &Budget::default() };
    let mut terms = terms;
    let order = staged.order(&job).map_err(|stop| match stop {
        Stop::Time => "the time is up".to_string(),
        Stop::Solver(what) => what,
        Stop::Large { .. } => "the formula would be too large".to_string(),
    })?;
    let (mut axioms, found) = staged.encode(&job, &mut terms, order).ok_or("the time is up")?;
    let skeleton = scene.skeleton;
    let violations = skeleton.violations.iter().zip(&found.violations);
    let violations = violations.map(|(v, &lit)| (lit, Wrong::Violation(v.property, v.site)));
    let races = found.races.iter().map(|g| (g.selector, Wrong::Race(sites(skeleton, g))));
    let deadlocks = found.deadlocks.iter().map(|d| (d.some, Wrong::Deadlock));
    let goals: Vec<(Lit, Wrong)> = violations.chain(races).chain(deadlocks).collect();
    let lits: Vec<Lit> = goals.iter().map(|g| g.0).collect();
    let formula = axioms.formula();
    let any = any_of(formula, &lits);
    formula.solve(&[any]);
    let goals = goals.into_iter().map(|(lit, wrong)| (name(lit), wrong)).collect();
    let text = heard.lock().map_err(|e| e.to_string())?.clone();
    Ok(Export { goals, text })
}
