//! The staged engine (paper 004): summarise each thread, compose the summaries by
//! sequential-consistency axioms, solve with an order theory.
//!
//! What it shares with other engines on summaries is in [`crate::bounded`]. Reading order here:
//! this file (what is encoded), `compose.rs` (the axioms), `candidates.rs` (who may read
//! from whom), `mutexes.rs` (critical sections), `counters.rs` (sums of what they add), `races.rs`, `deadlocks.rs`,
//! `contexts.rs` (what else the order says), `order.rs` (what the encoding is written for) with
//! `theory.rs` and `clocks.rs`, `export.rs`.

mod candidates;
pub mod clocks;
pub mod compose;
pub mod contexts;
mod counters;
pub mod deadlocks;
pub mod export;
mod handed_over;
pub mod mutexes;
pub mod order;
pub mod races;
pub mod theory;

use raddle_ir::Property;
use raddle_sat::Lit;
use raddle_summary::Skeleton;
use raddle_term::{TermId, Terms};

use crate::bounded::before::Unit;
use crate::bounded::composition::{Composed, Composer, Goals, Job, Stop};
use crate::bounded::deepen::{self, SUMMARIES};
use crate::bounded::smtlib::Smt;
use crate::bounded::solver::{Dialogue, SmtSolver};
use crate::explore::SYMMETRY;
use crate::options::{CONTEXTS, EngineOption, Given, Host, Kind, Switch, SwitchSet, UNWIND};
use crate::{
    Budget, Cut, Engine, EngineRow, Extent, Outcome, Progress, Role, Settings, Task, Values,
};
use clocks::Clocks;
use compose::{Axioms, Pruning, Pseudo, compose, pseudo_thread};
use contexts::Contexts;
use order::Order;
use theory::Theory;

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "staged",
    summary: "thread summaries composed by an order theory inside the SAT solver",
    source: "Sinha, Wang: Staged Concurrent Program Analysis",
    bounded: "no violation in executions that stay within the printed unrolling and context switches",
    decides: &Property::SAFETY,
    values: Values::All,
    role: Role::Search,
    options: &[UNWIND, CONTEXTS, SOLVER],
    switches: SWITCHES,
    covers: Extent::is_within_switches,
    make: |given, host| Ok(Box::new(Staged::new(given, host)?)),
};

/// An SMT solver in place of the built-in one.
pub const SOLVER: EngineOption = EngineOption {
    name: "solver",
    short: None,
    value: "COMMAND",
    kind: Kind::Text,
    help: "SMT solver to use instead of the built-in solver: z3, cvc5, bitwuzla, …",
    more: "A program on PATH that reads SMT-LIB 2 from standard input, with arguments if it needs any: \
           --solver 'mathsat -input=smt2'.",
};

/// Pruning by the order of creation and join.
pub const MHP: Switch =
    Switch { name: "mhp", help: "no reads-from against the order of creation and join" };
/// Pruning by writes in between.
pub const KILL: Switch =
    Switch { name: "kill", help: "no reads-from over a write that always comes in between" };
/// Pruning by values.
pub const VALUE: Switch =
    Switch { name: "value", help: "no reads-from between values that never agree" };
/// Pruning by critical sections.
pub const LOCKSETS: Switch =
    Switch { name: "locksets", help: "no reads-from that critical sections of one mutex rule out" };
/// Reads that nothing depends on.
pub const IDLE: Switch =
    Switch { name: "idle", help: "no reads-from for values on which nothing depends" };
/// Sections of a mutex in an order of their own.
pub const MUTEXES: Switch =
    Switch { name: "mutexes", help: "critical sections are ordered, not words of mutexes read" };

/// Places that are added to.
pub const COUNTERS: Switch = Switch {
    name: "counters",
    help: "values of counters follow from how many changes came before",
};

/// The optimisations that can be switched off.
pub const SWITCHES: &[Switch] =
    &[MHP, KILL, VALUE, LOCKSETS, MUTEXES, IDLE, COUNTERS, SUMMARIES, SYMMETRY];

/// The staged engine.
#[derive(Default)]
pub struct Staged {
    /// The optimisations that are switched off.
    without: SwitchSet,
    /// An SMT solver to use instead of the built-in solver and order theory.
    solver: Option<SmtSolver>,
    /// Most context switches.
    contexts: Option<u32>,
}

impl Staged {
    /// As the user wants it.
    pub fn new(given: &Given, host: &Host) -> Result<Staged, String> {
        let solver = given.text(&SOLVER).map(host.solver).transpose()?;
        Ok(Staged::with(given.without.clone(), solver))
    }

    /// Without these optimisations, and with this solver instead of the built-in one.
    pub fn with(without: SwitchSet, solver: Option<SmtSolver>) -> Staged {
        Staged { without, solver, contexts: None }
    }
}

impl Engine for Staged {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        self.contexts = task.settings.contexts;
        deepen::check(self, task, budget, progress)
    }
}

impl Composer for Staged {
    fn compose(&mut self, job: &Job, terms: &mut Terms) -> Result<Composed, Stop> {
        let order = self.order(job)?;
        let (axioms, goals) = self.encode(job, terms, order).ok_or(Stop::Time)?;
        let strict = self.contexts.is_some();
        Ok(Composed { composition: Box::new(axioms), goals, strict })
    }

    fn bound(&self) -> Option<Cut> {
        self.contexts.map(|bound| Cut::Contexts { bound })
    }

    fn deepen(&mut self) -> bool {
        false
    }

    fn without(&self) -> &SwitchSet {
        &self.without
    }
}

impl Staged {
    /// An empty formula with the order of a skeleton's units.
    fn order(&self, job: &Job) -> Result<Box<dyn Order>, Stop> {
        let (settings, skeleton) = (job.task.settings, job.scene.skeleton);
        let units = compose::units(skeleton, switches(settings, skeleton).map_or(0, |n| n + 1));
        let Some(solver) = &self.solver else {
            return Ok(Box::new(Theory::new(&units, job.budget, settings.recheck)));
        };
        let dialogue = Dialogue::start(solver, job.budget).map_err(Stop::Solver)?;
        let smt = Smt::new(solver.numbers, dialogue, settings.recheck);
        Ok(Box::new(Clocks::new(units, smt)))
    }

    /// Encodes everything that is asked about a skeleton; `None` if the time is up.
    fn encode(
        &self,
        job: &Job,
        terms: &mut Terms,
        order: Box<dyn Order>,
    ) -> Option<(Axioms, Goals)> {
        let (task, scene, skeleton) = (job.task, job.scene, job.scene.skeleton);
        let on = |switch: &Switch| !self.without.contains(switch);
        let pruning = Pruning {
            mhp: on(&MHP),
            kill: on(&KILL),
            value: on(&VALUE),
            locksets: on(&LOCKSETS),
            mutexes: on(&MUTEXES),
            idle: on(&IDLE),
            counters: on(&COUNTERS),
            // Which copy begins first may decide how often the running thread changes.
            symmetry: on(&SYMMETRY) && task.settings.contexts.is_none(),
        };
        let mut axioms = compose(scene, terms, pruning, order, job.budget)?;
        let order = axioms.order.as_mut();
        let contexts = switches(task.settings, skeleton).map(|most| {
            contexts::encode(skeleton, order, pseudo_thread(skeleton, Pseudo::Contexts), most)
        });
        let contexts = contexts.as_ref();
        let violations = skeleton.violations.iter().map(|v| (v.condition, (v.thread, v.unit)));
        let violations = conditions(terms, order, contexts, violations);
        let cuts = skeleton.cuts.iter().map(|c| (c.condition, (c.thread, c.unit)));
        let cuts = conditions(terms, order, contexts, cuts);
        let looks_for_races =
            task.program.checked.contains(Property::Races) && skeleton.threads.len() > 1;
        let races = match looks_for_races {
            true => races::encode(scene, terms, &mut axioms, contexts, job.budget)?,
            false => Vec::new(),
        };
        let deadlocks = match skeleton.waits.is_empty() {
            true => Vec::new(),
            false => deadlocks::encode(scene, terms, &mut axioms, contexts),
        };
        Some((axioms, Goals { violations, cuts, races, deadlocks, beyond: None }))
    }
}

/// The most context switches that are looked at, if there is a bound: never more than there are
/// units.
fn switches(settings: &Settings, skeleton: &Skeleton) -> Option<u32> {
    let units = skeleton.threads.iter().map(|t| t.units).fold(0, u32::saturating_add);
    settings.contexts.map(|most| most.min(units))
}

/// Literals for conditions, each with the unit up to which the contexts must reach.
fn conditions(
    terms: &Terms,
    order: &mut dyn Order,
    contexts: Option<&Contexts>,
    conditions: impl Iterator<Item = (TermId, Unit)>,
) -> Vec<Lit> {
    let mut goal = |(condition, unit): (TermId, Unit)| {
        debug_assert_eq!(terms.width(condition), 1, "a condition is a Boolean");
        let lit = order.lit(terms, condition);
        contexts.map_or(lit, |c| c.within(order, lit, unit))
    };
    conditions.map(&mut goal).collect()
}
