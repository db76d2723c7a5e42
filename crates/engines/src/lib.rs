//! The engines: ways to decide whether some interleaving of a program breaks a property.
//!
//! Reading order: this file (what an engine is given and what it answers), [`explore`] (the exhaustive
//! interpreter as an engine), [`staged`] (thread summaries composed by an order theory), [`auto`] (the default).
//!
//! **Invariant:** a violation in an [`Outcome`] is a [`ConfirmedTrace`], which only a successful
//! replay in the interpreter can make. `Safe` is only said when no bound cut anything off.

use std::time::{Duration, Instant};

use raddle_interp::ConfirmedTrace;
use raddle_ir::{Place, Program, PropertySet};

pub mod auto;
pub mod explore;
pub mod staged;

/// What is to be decided.
pub struct Task<'a> {
    /// The program, instrumented for the properties.
    pub program: &'a Program,
    /// What is checked.
    pub checked: PropertySet,
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
    pub solver: Option<staged::solver::SmtSolver>,
    /// How much memory the process has resident, in bytes: for figures about stages.
    pub resident: Option<fn() -> Option<u64>>,
    /// Stop at the first finding instead of looking for all.
    pub first_only: bool,
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

/// What an engine found out.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The violations, each replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// Figures for people, name and value.
    pub statistics: Vec<(&'static str, String)>,
    /// What the stages of the engine took, if it has stages.
    pub stages: Vec<StageFigures>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

/// What one stage of an engine took, summed over all bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct StageFigures {
    /// Its name.
    pub name: &'static str,
    /// Wall-clock time.
    pub seconds: f64,
    /// By how much the resident memory grew, if that was asked for.
    pub bytes: Option<u64>,
}

/// The answer to a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No execution violates a property.
    Safe,
    /// Some execution does.
    Unsafe,
    /// No execution within these bounds does.
    Bounded(Bounds),
    /// No answer.
    Unknown(Reason),
}

/// How far a bounded answer goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Each bound that cut something off, in words (`loops unrolled 4 times (main.c:12, main.c:20)`).
    pub cuts: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time is up.
    Time,
    /// The memory is used up.
    Memory,
    /// Something that is not modelled can be reached.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Place,
    },
    /// The SMT solver that the user chose cannot be used.
    Solver(String),
    /// A mistake in raddle: what was expected and what happened.
    Internal(String),
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
    summary: "staged, and explore for the properties that staged does not decide",
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
