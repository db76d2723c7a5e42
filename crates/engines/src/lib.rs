//! The engines: ways to decide whether some interleaving of a program breaks a property.
//!
//! Reading order: this file (what an engine is given), [`outcome`] (what it answers), [`explore`] (the exhaustive
//! interpreter as an engine), [`bounded`] (what engines on thread summaries share), [`staged`] (summaries composed by
//! an order theory), [`auto`] (the default).
//!
//! **Invariant:** a violation in an [`Outcome`] is replayed; `Safe` is only said when no bound cut anything off.

use std::time::{Duration, Instant};

use raddle_ir::Program;

pub mod auto;
pub mod bounded;
pub mod explore;
pub mod outcome;
pub mod staged;

pub use outcome::{
    Bounds, Cut, Ground, Limit, Mistake, Note, Outcome, Reason, StageFigures, Statistic, Verdict,
};

/// What is to be decided.
pub struct Task<'a> {
    /// The program, instrumented for the properties that are checked: `program.checked`.
    pub program: &'a Program,
    /// How.
    pub settings: &'a Settings,
}

/// The choices a user can make; each engine reads those that concern it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most iterations of a loop (and depth of recursion); `None` deepens until the time is up.
    pub unwind: Option<u32>,
    /// Most instructions of one execution (`explore`).
    pub steps: Option<u64>,
    /// Values that inputs take in `explore`; empty means values that occur in the program.
    pub inputs: Vec<i128>,
    /// Partial-order reduction in `explore`.
    pub reduction: bool,
    /// Most context switches.
    pub contexts: Option<u32>,
    /// Optimisations of `staged` that are switched off, by name (see [`staged::SWITCHES`]).
    pub without: Vec<String>,
    /// An SMT solver to use instead of the built-in solver and order theory.
    pub solver: Option<bounded::solver::SmtSolver>,
    /// How much memory the process has resident, in bytes: for figures about stages.
    pub resident: Option<fn() -> Option<u64>>,
    /// Stop at the first finding instead of looking for all.
    pub first_only: bool,
    /// Each model is compared with what the solver was told. On by default with the feature `paranoid`.
    pub recheck: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            unwind: None,
            steps: None,
            inputs: Vec::new(),
            reduction: true,
            contexts: None,
            without: Vec::new(),
            solver: None,
            resident: None,
            first_only: false,
            recheck: cfg!(feature = "paranoid"),
        }
    }
}

/// How long an engine may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// What is left.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }
}

/// What an engine reports while it works.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What it does now, in a few words (`unwinding 4: 1203 events, 88123 clauses`).
    pub text: String,
}

/// A way to decide a task.
pub trait Engine {
    /// Decides the task within the budget.
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome;
}

/// An engine that users can choose.
pub struct EngineRow {
    /// The name for `--engine`.
    pub name: &'static str,
    /// One line for the help text.
    pub summary: &'static str,
    /// Makes the engine.
    pub make: fn() -> Box<dyn Engine>,
}

/// The engine for those who do not choose one.
pub const AUTO: EngineRow = EngineRow {
    name: "auto",
    summary: "staged, and explore where staged meets something that it does not model",
    make: || Box::new(auto::Auto),
};

/// All engines.
pub const ENGINES: &[EngineRow] = &[
    EngineRow {
        name: "staged",
        summary: "thread summaries composed by an order theory inside the SAT solver",
        make: || Box::new(staged::Staged::default()),
    },
    EngineRow {
        name: "explore",
        summary: "runs every interleaving with partial-order reduction (small programs, the referee)",
        make: || Box::new(explore::Explore),
    },
];
