//! The engines: ways to decide whether some interleaving of a program breaks a property.
//!
//! Reading order: this file (what an engine is given), [`outcome`] (what it answers), [`options`]
//! (what users can choose), [`explore`] (the exhaustive interpreter as an engine), [`bounded`] (what
//! engines on thread summaries share), [`staged`] (summaries composed by an order theory), [`walks`]
//! (executions at random), [`structure`] (races without a search), [`together`] (one search for
//! several properties), [`auto`] (the default),
//! `choice` (whom it gives the time).
//!
//! **Invariant:** a violation in an [`Outcome`] is replayed; `Safe` is only said when no bound cut
//! anything off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use raddle_ir::{Program, Property, PropertySet};

mod accesses;
pub mod auto;
pub mod bounded;
mod choice;
pub mod circuit;
pub mod context;
pub mod explore;
pub mod lazy;
pub mod options;
pub mod outcome;
pub mod slots;
pub mod staged;
pub mod structure;
pub mod together;
pub mod unwinding;
pub mod walks;

pub use options::{CONTEXTS, EngineOption, Given, Host, Switch, SwitchSet, UNWIND};
pub use outcome::{
    Bounds, Cut, Ground, Large, Limit, Mistake, Note, Outcome, Reason, StageFigures, Statistic,
    Verdict,
};

pub use together::Together;

/// What is to be decided.
pub struct Task<'a> {
    /// The program, instrumented for the properties that are checked: `program.checked`.
    pub program: &'a Program,
    /// How.
    pub settings: &'a Settings,
}

/// The choices that concern every engine; what belongs to one engine it is given when it is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most iterations of a loop (and depth of recursion), if there is a bound.
    pub unwind: Option<u32>,
    /// Most context switches, if there is a bound.
    pub contexts: Option<u32>,
    /// How much memory the process has resident, in bytes: for figures about stages.
    pub resident: Option<fn() -> Option<u64>>,
    /// Stop at the first finding instead of looking for all.
    pub first_only: bool,
    /// raddle checks itself: the invariants of each skeleton, and each model against what the solver
    /// was told and against the memory model. By default in debug builds, hence in tests.
    pub recheck: bool,
    /// So many searches may run at once.
    pub jobs: usize,
    /// A search through all interleavings that groups of properties share, if there are several.
    pub together: Option<Arc<Together>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            unwind: None,
            contexts: None,
            resident: None,
            first_only: false,
            recheck: cfg!(debug_assertions),
            jobs: 1,
            together: None,
        }
    }
}

impl Settings {
    /// What was given of the choices that concern every engine.
    pub fn new(given: &Given) -> Settings {
        Settings {
            unwind: given.small(&UNWIND),
            contexts: given.small(&CONTEXTS),
            ..Settings::default()
        }
    }
}

/// Stack of a thread that runs engines: enough for the calls that summaries follow.
pub const STACK: usize = 16 << 20;

/// How much an engine may take. Clones are of one search: cancelling one cancels all.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Bytes that the process may use, if there is a limit: who keeps much can keep less in time.
    pub memory: Option<u64>,
    /// Nobody waits for the answer any more.
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// A budget that ends then, if ever.
    pub fn until(deadline: Option<Instant>) -> Budget {
        Budget { deadline, ..Budget::default() }
    }

    /// The same with so many bytes of memory.
    #[must_use]
    pub fn within(self, memory: Option<u64>) -> Budget {
        Budget { memory, ..self }
    }

    /// The same time for a search that can be cancelled by itself. Who cancels the whole must cancel
    /// this one, too.
    #[must_use]
    pub fn part(&self) -> Budget {
        Budget { cancelled: Arc::default(), ..self.clone() }
    }

    /// Ends the search soon, from any thread. What it still answers is right, but may be UNKNOWN.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// What is set by [`Budget::cancel`].
    pub fn cancelled(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Whether the time is up or the search was cancelled.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// What an engine reports while it works.
#[derive(Debug)]
pub struct Progress {
    /// What it does from now on, until it reports something else.
    pub doing: Doing,
    /// What it would answer if the time were up now, if that is new: the bound is complete.
    pub so_far: Option<Outcome>,
}

/// What the time goes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doing {
    /// The stage (`solving`): figures about time are by stage.
    pub stage: &'static str,
    /// The bound that is worked at: what it counts, as figures name it (`unwinding`), and how many.
    pub bound: Option<(&'static str, u64)>,
    /// How large the task is, as far as that is known (`1203 events, 88123 clauses`).
    pub size: String,
    /// How many latches, if it is a circuit.
    pub latches: Option<u64>,
}

impl Progress {
    /// An engine begins something.
    pub fn doing(stage: &'static str, bound: Option<(&'static str, u64)>) -> Progress {
        let doing = Doing { stage, bound, size: String::new(), latches: None };
        Progress { doing, so_far: None }
    }

    /// The same with the size of the task.
    #[must_use]
    pub fn of_size(mut self, size: impl Into<String>) -> Progress {
        self.doing.size = size.into();
        self
    }
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if let Some((what, bound)) = self.bound {
            write!(f, "{what} {bound}: ")?;
        }
        f.write_str(self.stage)?;
        match self.size.as_str() {
            "" => Ok(()),
            size => write!(f, " ({size})"),
        }
    }
}

/// A way to decide a task.
pub trait Engine: Send {
    /// Decides the task within the budget.
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome;
}

/// An engine that users can choose: all that help, README and tests know of it.
pub struct EngineRow {
    /// The name for `--engine`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where the idea comes from; empty for our own.
    pub source: &'static str,
    /// What BOUNDED means if it is the answer of this engine.
    pub bounded: &'static str,
    /// The properties that it decides.
    pub decides: &'static [Property],
    /// Which values of inputs it looks at.
    pub values: Values,
    /// What it is for.
    pub role: Role,
    /// The options that it has.
    pub options: &'static [EngineOption],
    /// The optimisations that can be switched off.
    pub switches: &'static [Switch],
    /// Whether the bounds that were given leave no execution of this extent out.
    pub covers: fn(&Given, Extent) -> bool,
    /// Makes the engine.
    pub make: Make,
}

/// How far an execution goes in what engines bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Changes of the running thread.
    pub switches: u32,
    /// Steps that write memory, or end a thread.
    pub writes: u32,
    /// Threads of the program.
    pub threads: u32,
}

impl Extent {
    /// Of engines whose only such bound is one on the changes of the running thread.
    pub fn is_within_switches(given: &Given, extent: Extent) -> bool {
        given.small(&CONTEXTS).is_none_or(|most| extent.switches <= most)
    }
}

/// Makes an engine from what the user gave; an error is one of usage.
pub type Make = fn(&Given, &Host) -> Result<Box<dyn Engine>, String>;

/// Which values of inputs an engine looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// All.
    All,
    /// A few: a program that reads inputs is never called safe.
    Some,
}

/// What an engine is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It searches in its own way.
    Search,
    /// The others are compared with it.
    Referee,
    /// It puts other engines together.
    Portfolio,
}

impl EngineRow {
    /// What it decides of a set of properties.
    pub fn decided(&self, checked: PropertySet) -> PropertySet {
        checked.iter().filter(|p| self.decides.contains(p)).collect()
    }
}

/// The engine for those who do not choose one.
pub const AUTO: EngineRow = auto::ROW;

/// All engines but [`AUTO`].
pub const ENGINES: &[EngineRow] =
    &[staged::ROW, context::ROW, unwinding::ROW, lazy::ROW, circuit::ROW, explore::ROW];

/// All that users can choose, the default first.
pub fn rows() -> impl Iterator<Item = &'static EngineRow> {
    static DEFAULT: EngineRow = AUTO;
    std::iter::once(&DEFAULT).chain(ENGINES)
}

/// The row of a name.
pub fn row(name: &str) -> Option<&'static EngineRow> {
    rows().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_are_consistent() {
        let names: BTreeSet<&str> = rows().map(|row| row.name).collect();
        assert_eq!(names.len(), rows().count(), "each name once");
        for row in rows() {
            let options: BTreeSet<&str> = row.options.iter().map(|o| o.name).collect();
            assert_eq!(options.len(), row.options.len(), "{}: each option once", row.name);
            let switches: BTreeSet<&str> = row.switches.iter().map(|s| s.name).collect();
            assert_eq!(switches.len(), row.switches.len(), "{}: each switch once", row.name);
            assert!(!row.decides.is_empty(), "{} decides nothing", row.name);
            for option in row.options {
                // One name takes values of one kind, whichever engine has it.
                let same = rows().filter_map(|r| r.option(option.name));
                for other in same {
                    let kinds = [option.kind, other.kind].map(|k| std::mem::discriminant(&k));
                    assert_eq!(kinds[0], kinds[1], "--{}", option.name);
                }
            }
        }
    }

    #[test]
    fn the_default_engine_has_what_its_parts_have() {
        for part in auto::PARTS {
            for option in part.options {
                assert!(AUTO.option(option.name).is_some(), "--{}", option.name);
            }
            for switch in part.switches {
                assert!(AUTO.switch(switch.name).is_some(), "{}", switch.name);
            }
        }
    }

    #[test]
    fn what_an_engine_does_not_have_is_told_with_those_that_have_it() {
        let given = Given::default().with(&explore::STEPS, options::Value::Number(3));
        let misfit = staged::ROW.misfit(&given).expect("does not fit");
        assert_eq!(misfit.what, options::MisfitKind::Option("steps"));
        assert_eq!(misfit.engines, ["auto", "explore"]);
        assert_eq!(explore::ROW.misfit(&given), None);
        let without = options::SwitchSet::default().with(&staged::MHP);
        let mut given = Given::default();
        given.without = without;
        let misfit = explore::ROW.misfit(&given).expect("does not fit");
        assert_eq!(misfit.what, options::MisfitKind::Switch("mhp"));
        assert_eq!(misfit.engines, ["auto", "staged"]);
        assert_eq!(explore::ROW.misfit(&given.for_engine(&explore::ROW)), None);
    }
}
