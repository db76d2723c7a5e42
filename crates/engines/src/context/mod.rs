//! The context engine (paper 002): executions in which the running thread changes at most N times.
//!
//! A slot ([`crate::slots`]) is a *context*: what one thread executes between two changes of the
//! running thread. Every unit of a thread has the number of its context; the contents of shared
//! cells at the end of each context are all that threads tell each other. Bugs that need few
//! changes are found early, whatever their number of steps, and the formula grows with N times the
//! accesses and N times the cells.
//!
//! Who runs in a context ([`Scheduling`]) is either chosen by the solver or fixed, threads taking
//! turns; then contexts in which nothing happens count as well. Where contexts begin and end is
//! written down ([`Encoding`]) for each unit, as the paper does, or for each context, as it
//! proposes at its end. What the paper leaves out: N grows until there is a verdict, and a further
//! context is looked at, to find out whether any execution needs it ([`needed`]); if none does, the
//! answer is one about all executions. We differ: any number of threads, created and joined by the
//! program; an access of its own is a unit of its own, and atomic sections are one unit, so neither
//! needs a constraint; mutexes are words that are read and written in one unit (what the paper's
//! transformation to C amounts to); races and deadlocks are states in which threads stand before
//! something, without flags or counters in memory ([`crate::slots::goals`]).
//!
//! Limits: symbolic addresses cost a case for each cell that they may reach; if that is too much
//! the answer is UNKNOWN and says where. Many threads that all must run need as many contexts.
//!
//! Reading order: this file, [`contexts`] (the numbers of units), [`needed`].

pub mod contexts;
pub mod needed;

use raddle_ir::Property;
use raddle_term::Terms;

use crate::bounded::builtin::BuiltIn;
use crate::bounded::composition::{Beyond, Composed, Composer, Job, Stop};
use crate::bounded::deepen::{self, SUMMARIES, next_bound};
use crate::bounded::facts::Facts;
use crate::bounded::formula::Formula;
use crate::bounded::initial::InitialMemory;
use crate::bounded::scene::Scene;
use crate::bounded::symmetry;
use crate::options::{
    self, EngineOption, Given, Kind, Measure, Switch, SwitchSet, UNWIND, Without,
};
use crate::slots::chain::Encoder;
use crate::slots::composition::{Edge, Slots, edges};
use crate::slots::goals;
use crate::slots::numbers::{Gap, Numbers};
use crate::{Budget, Cut, Engine, EngineRow, Outcome, Progress, Role, Task, Values};
use contexts::{Contexts, Plan};

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "context",
    summary: "at most N context switches; memory is passed on from context to context",
    source: "Rabinovitz, Grumberg: Bounded Model Checking of Concurrent Programs",
    bounded: "no violation in executions with at most the printed number of context switches, within the printed unrolling",
    decides: &Property::SAFETY,
    values: Values::All,
    role: Role::Search,
    options: &[UNWIND, CONTEXTS, SCHEDULE, ENCODING],
    switches: &[SUMMARIES, REPRESENTATIVES],
    covers: |given, extent| {
        let Some(most) = given.small(&CONTEXTS) else { return true };
        // A change from one thread to another may take all turns but one.
        let turns = match Context::new(given).scheduling {
            Scheduling::Free => 1,
            Scheduling::RoundRobin => extent.threads.saturating_sub(1).max(1),
        };
        extent.switches.saturating_mul(turns) <= most
    },
    make: |given, _| Ok(Box::new(Context::new(given))),
};

/// Most changes of the running thread.
pub const CONTEXTS: EngineOption = EngineOption {
    kind: Kind::Bound(Measure::Contexts, Without::Deepens),
    help: "Most changes of the running thread up to a bug [default: deepen until the time is up]",
    more: "If no execution needs more, nothing found is VERDICT: SAFE.",
    ..options::CONTEXTS
};

/// Who runs in a context.
pub const SCHEDULE: EngineOption = EngineOption {
    name: "schedule",
    short: None,
    value: "WHO",
    kind: Kind::OneOf(&[
        ("free", "any thread may run next"),
        ("round-robin", "threads take turns; a turn in which nothing happens counts"),
    ]),
    help: "Who runs after a change of the running thread [default: free]",
    more: "",
};

/// How contexts are written down.
pub const ENCODING: EngineOption = EngineOption {
    name: "context-encoding",
    short: None,
    value: "HOW",
    kind: Kind::OneOf(&[
        ("block", "for each step the number of its context"),
        ("begin", "for each context the step with which it begins"),
    ]),
    help: "What the formula says of contexts [default: block]",
    more: "",
};

/// One execution of those that differ in nothing that matters.
pub const REPRESENTATIVES: Switch = Switch {
    name: "representatives",
    help: "contexts begin with a conflict, or in the order of threads; copies of a thread begin in order",
};

/// Context switches at the first bound, at least.
const FIRST: u32 = 2;

/// Who runs in a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scheduling {
    /// Any thread.
    #[default]
    Free,
    /// Threads take turns, in the order of their creation.
    RoundRobin,
}

/// How it is written down where contexts begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// For each unit the number of its context.
    #[default]
    Block,
    /// For each context the unit with which it begins.
    Begin,
}

/// The context engine.
#[derive(Default)]
pub struct Context {
    /// Who runs.
    pub scheduling: Scheduling,
    /// How contexts are written down.
    pub encoding: Encoding,
    /// Most context switches, if the user has fixed them.
    fixed: Option<u32>,
    /// Most context switches now.
    switches: u32,
    /// What is switched off.
    without: SwitchSet,
}

impl Context {
    /// As the user wants it.
    pub fn new(given: &Given) -> Context {
        let scheduling = match given.text(&SCHEDULE) {
            Some("round-robin") => Scheduling::RoundRobin,
            Some(_) | None => Scheduling::Free,
        };
        let encoding = match given.text(&ENCODING) {
            Some("begin") => Encoding::Begin,
            Some(_) | None => Encoding::Block,
        };
        let without = given.without.clone();
        Context { scheduling, encoding, without, ..Context::default() }
    }
}

impl Engine for Context {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        self.fixed = task.settings.contexts;
        self.switches = self.fixed.unwrap_or(FIRST);
        deepen::check(self, task, budget, progress)
    }
}

impl Composer for Context {
    fn compose(&mut self, job: &Job, terms: &mut Terms) -> Result<Composed, Stop> {
        let scene = job.scene;
        if self.fixed.is_none() {
            // With fewer not even all threads have run.
            self.switches = self.switches.max(scene.skeleton.threads.len() as u32);
        }
        let plan = Plan::new(scene.skeleton, self.switches, self.scheduling);
        let mut formula = BuiltIn::new(job.budget, job.task.settings.recheck);
        let facts = &mut Facts::new(scene, terms);
        let initial = &mut InitialMemory::new(scene);
        let mut contexts = Contexts::new(&mut formula, &plan, self.encoding);
        for Edge { condition, from, to } in edges(scene, terms, &mut formula, facts) {
            contexts.numbers.edge(&mut formula, condition, from, to, Gap::Later);
        }
        let all = self.without.contains(&REPRESENTATIVES);
        if self.scheduling == Scheduling::Free && !all {
            copies_in_order(scene, terms, &mut formula, facts, &contexts.numbers);
        }
        let mut encoder = Encoder { terms, formula: &mut formula, numbers: &mut contexts.numbers };
        let memory = encoder.memory(scene, initial, facts, job.budget)?;
        for &t in scene.skeleton.assumptions.iter().chain(&initial.assumptions) {
            formula.assert_implies(terms, &[], t);
        }
        let within = plan.within(&mut formula, &contexts.owned);
        let mut goals = goals::encode(job, terms, &mut formula, &contexts.numbers, facts, within)?;
        let beyond = plan.beyond(&mut formula, &contexts.owned);
        let marked = if all { beyond } else { Some(formula.tru()) };
        if let Some(condition) = marked {
            needed::require(scene, terms, &mut formula, &mut contexts, &memory, &plan, condition);
        }
        let cut = Cut::Contexts { bound: self.switches };
        goals.beyond = beyond.map(|lit| Beyond { lit, cut });
        let sizes = vec![
            ("contexts", plan.switches as usize + 1),
            ("pieces", memory.pieces),
            ("cells", memory.cells.len()),
        ];
        let initial = std::mem::replace(initial, InitialMemory::new(scene));
        let formula = Box::new(formula);
        let numbers = contexts.numbers;
        let composition = Box::new(Slots { formula, numbers, initial, late: None, sizes });
        Ok(Composed { composition, goals, strict: true })
    }

    fn bound(&self) -> Option<Cut> {
        None
    }

    fn deepen(&mut self) -> bool {
        if self.fixed.is_some() {
            return false;
        }
        self.switches = next_bound(self.switches).saturating_add(1);
        true
    }

    fn without(&self) -> &SwitchSet {
        &self.without
    }
}

/// Threads that are copies of each other begin in the order of their creation. Roles are changed as
/// a whole, which keeps the number of contexts; of all variants of an execution this is the one
/// whose threads come first in the list ([`needed`]).
fn copies_in_order(
    scene: Scene,
    terms: &Terms,
    formula: &mut dyn Formula,
    facts: &mut Facts,
    numbers: &Numbers,
) {
    let Scene { skeleton, knowledge, .. } = scene;
    for pair in symmetry::find(skeleton, terms, knowledge, &mut facts.implication) {
        let [first, second] = pair.units.map(|unit| (unit.0, 0));
        let always = formula.tru();
        numbers.edge(formula, always, first, second, Gap::Same);
    }
}
