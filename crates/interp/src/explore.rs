//! Exhaustive exploration of all executions: what can be set, what comes out. The search itself is
//! [`crate::remember`], or [`crate::dpor`] where states are not remembered.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use raddle_ir::{Place, Program, Property, Unmodelled};

use crate::discipline::Discipline;
use crate::dpor;
use crate::gauge::Gauge;
use crate::inputs::{Candidates, waits_spuriously};
use crate::names::Watch;
use crate::remember::{self, Answered, Mode};
use crate::state::Code;
use crate::trace::ConfirmedTrace;
use crate::transition::World;
use crate::walk::Walk;

/// Which values an `Input` (other than a `Choice`) takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValues {
    /// The constants of that width in the program and their neighbours, 0, 1, -1, least and
    /// greatest; at most so many values.
    FromConstants {
        /// The limit.
        at_most: usize,
    },
    /// These values, cut to the width.
    These(Vec<i128>),
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Partial-order reduction; without it every interleaving of visible steps is run (or every
    /// state visited).
    pub reduction: bool,
    /// How often the running thread may change; `None`: any number. There is no reduction then: the
    /// executions that it leaves out may be those with few changes.
    pub contexts: Option<u32>,
    /// Values of inputs.
    pub inputs: InputValues,
    /// Instructions per execution.
    pub max_steps: u64,
    /// How often one activation may come back to a loop head; `None`: no limit.
    pub unwind: Option<u32>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stop when somebody sets this.
    pub cancelled: Arc<AtomicBool>,
    /// Tells how far a search is that remembers states, and when it is to rest.
    pub gauge: Arc<Gauge>,
    /// How many executions to run at most; `None`: no limit.
    pub max_executions: Option<u64>,
    /// Stop at the first finding.
    pub first_only: bool,
    /// Collect the hashes of final states.
    pub collect_final_states: bool,
    /// Remember states, so as to go on from each only once.
    pub states: bool,
    /// Take critical sections as a whole where nobody can disturb them; only where states are
    /// remembered.
    pub transactions: bool,
    /// States that differ only in which of several threads that are alike is where are one; only
    /// where states are remembered.
    pub symmetry: bool,
    /// Bytes that remembered states may take; if that is not enough, none is remembered. `None`: no
    /// limit.
    pub memory: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            reduction: true,
            contexts: None,
            inputs: InputValues::FromConstants { at_most: 16 },
            max_steps: 100_000,
            unwind: None,
            deadline: None,
            cancelled: Arc::default(),
            gauge: Arc::default(),
            max_executions: None,
            first_only: false,
            collect_final_states: false,
            states: true,
            transactions: true,
            symmetry: true,
            memory: None,
        }
    }
}

/// Why something was left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// A loop was left out of after so many iterations.
    Unwind {
        /// Its head.
        place: Place,
        /// The limit.
        bound: u32,
    },
    /// The running thread could have changed once more.
    Contexts {
        /// The limit.
        bound: u32,
    },
    /// An execution was too long.
    Steps {
        /// The limit.
        bound: u64,
    },
    /// Not all values of an input were tried.
    Inputs {
        /// The input.
        place: Place,
    },
    /// The content of memory that was never written was taken as 0 or all ones only.
    Uninitialised {
        /// The read.
        place: Place,
    },
    /// Something that is not modelled was reached.
    Unsupported {
        /// What.
        what: Unmodelled,
        /// Where.
        place: Place,
    },
    /// Time or the number of executions ran out, or the search was cancelled.
    Time,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// All findings, one per [`crate::FindingKey`].
    pub findings: Vec<ConfirmedTrace>,
    /// How many executions were run to their end; where states are remembered, how many final
    /// states were met.
    pub executions: u64,
    /// How many states were remembered.
    pub states: u64,
    /// How many visible transitions were executed.
    pub transitions: u64,
    /// What was left out, sorted.
    pub cuts: Vec<Cut>,
    /// Where threads ended in undefined behaviour, with the property, not checked, that would have
    /// shown it.
    pub undefined: BTreeSet<(Property, Place)>,
    /// Hashes of the final states (global memory, and which threads ended), if asked for.
    pub final_states: BTreeSet<u64>,
}

impl Exploration {
    /// Whether every execution was covered.
    pub fn complete(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The same with what a search has found that did not come to its end.
    fn with(mut self, other: Exploration) -> Exploration {
        for trace in other.findings {
            if self.findings.iter().all(|known| known.key() != trace.key()) {
                self.findings.push(trace);
            }
        }
        self.undefined.extend(other.undefined);
        self
    }
}

/// What transitions need to know at the start of a search.
fn world<'a>(code: &'a Code<'a>, settings: &'a Settings) -> World<'a> {
    let program = code.program;
    World {
        code,
        settings,
        candidates: Candidates::new(program, &settings.inputs),
        cuts: BTreeSet::new(),
        undefined: BTreeSet::new(),
        wakes: waits_spuriously(program),
        leaks: program.checked.looks_at_heap(),
        lost: program.checked.contains(Property::LostMemory),
        races: program.checked.contains(Property::Races),
        foreign: false,
        vain: false,
        came_back: false,
        decided: 0,
        ahead: None,
        discipline: None,
        watch: None,
    }
}

/// Runs executions at random until the deadline, or until somebody cancels it: a search for
/// findings only, which proves nothing.
pub fn walk(program: &Program, settings: &Settings, seed: u64) -> Vec<ConfirmedTrace> {
    let code = Code::new(program);
    let attempt = |own| dpor::walk(world(&code, settings), own, Walk::new(seed));
    let found = attempt(true).or_else(|| attempt(false));
    found.expect("without ownership nothing is foreign").findings
}

/// Explores all executions.
pub fn explore(program: &Program, settings: &Settings) -> Exploration {
    let code = Code::new(program);
    let world = || world(&code, settings);
    // Ownership of objects is trusted until a thread is seen to reach what it should not know.
    let stateless = || {
        dpor::search(world(), true).unwrap_or_else(|| {
            dpor::search(world(), false).expect("without ownership nothing is foreign")
        })
    };
    if !settings.states {
        return stateless();
    }
    // Final states tell who is who; where lost memory is looked for, all registers count.
    let alike = settings.symmetry
        && settings.reduction
        && settings.contexts.is_none()
        && !settings.collect_final_states
        && !program.checked.contains(Property::LostMemory);
    let mut mode = Mode { own_objects: true, count_steps: false, alike };
    let mut before = Exploration::default();
    // Where context switches are counted, transitions are as short as can be.
    let long = settings.transactions && settings.reduction && settings.contexts.is_none();
    let mut discipline = long.then(Discipline::default);
    loop {
        let watch = mode.alike.then(|| Watch::new(program));
        let world = World { discipline: discipline.clone(), watch, ..world() };
        match remember::search(world, mode) {
            Answered::Refuted(found, refined) => {
                discipline = Some(*refined);
                before = before.with(found);
            }
            Answered::Yes(exploration) => return exploration.with(before),
            Answered::Foreign => mode.own_objects = false,
            Answered::Unlike(found) => {
                mode.alike = false;
                before = before.with(found);
            }
            Answered::Shorter(found) => {
                mode.count_steps = true;
                before = before.with(found);
            }
            Answered::Full(found) => return stateless().with(found).with(before),
        }
    }
}
