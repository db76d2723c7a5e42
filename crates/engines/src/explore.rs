//! The exhaustive interpreter as an engine.
//!
//! All the work is in `raddle_interp::explore`; here only its limits and what it left out become
//! verdicts. Inputs are tried with a few values only, so a program that reads inputs is never
//! called safe. States are remembered unless that is switched off; then every execution is run,
//! one by one, and that search is the referee of all others.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_interp::gauge::Gauge;
use raddle_interp::{self as interp, InputValues, Settings, explore};
use raddle_ir::{Place, Property};

use crate::options::{self, EngineOption, Given, Kind, Measure, Switch, Without};
use crate::outcome::further_findings;
use crate::{
    Bounds, Budget, Cut, Engine, EngineRow, Extent, Ground, Limit, Note, Outcome, Progress, Reason,
    Role, Statistic, Task, Values, Verdict,
};

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "explore",
    summary: "runs every interleaving with partial-order reduction, from each state once (the referee)",
    source: "Flanagan, Godefroid: Dynamic Partial-Order Reduction for Model Checking Software; \
             Yang et al.: Efficient Stateful Dynamic Partial Order Reduction",
    bounded: "some executions within the printed limits, or some values of inputs, were not run",
    decides: &Property::SAFETY,
    values: Values::Some,
    role: Role::Referee,
    options: &[UNWIND, CONTEXTS, STEPS, INPUTS, NO_REDUCTION],
    switches: &[STATES, TRANSACTIONS, SYMMETRY],
    covers: Extent::is_within_switches,
    make: |given, _| Ok(Box::new(Explore::new(given))),
};

/// Most iterations of each loop.
pub const UNWIND: EngineOption = EngineOption {
    kind: Kind::Bound(Measure::Iterations, Without::Fixed),
    help: "Most iterations of each loop in one activation of its function [default: any number]",
    ..options::UNWIND
};

/// Most changes of the running thread.
pub const CONTEXTS: EngineOption = EngineOption {
    help: "Most changes of the running thread up to a bug: every interleaving within the bound is run \
           [default: any number]",
    ..options::CONTEXTS
};

/// Most instructions of one execution.
pub const STEPS: EngineOption = EngineOption {
    name: "steps",
    short: None,
    value: "N",
    kind: Kind::Bound(Measure::Instructions, Without::Fixed),
    help: "Most instructions of one execution",
    more: "",
};

/// The values of inputs.
pub const INPUTS: EngineOption = EngineOption {
    name: "inputs",
    short: None,
    value: "V1,V2,…",
    kind: Kind::Numbers,
    help: "Values that inputs take [default: values in the program and their neighbours]",
    more: "",
};

/// No partial-order reduction.
pub const NO_REDUCTION: EngineOption = EngineOption {
    name: "no-reduction",
    short: None,
    value: "",
    kind: Kind::Flag,
    help: "Run every interleaving, also equivalent ones",
    more: "",
};

/// States are remembered.
pub const STATES: Switch = Switch {
    name: "states",
    help: "explore remembers states: many interleavings of few states end soon",
};

/// Critical sections are taken as a whole.
pub const TRANSACTIONS: Switch = Switch {
    name: "transactions",
    help: "explore takes critical sections as a whole as long as nobody can disturb them",
};

/// Threads that are alike can change places.
pub const SYMMETRY: Switch = Switch {
    name: "symmetry",
    help: "threads that are alike can change places: staged orders the first steps of copies of a \
           thread, explore takes states that differ only in who is where for one",
};

/// Runs every interleaving.
#[derive(Clone, Debug, Default)]
pub struct Explore {
    /// Most instructions of one execution, if not the default of the interpreter.
    pub steps: Option<u64>,
    /// Values that inputs take; empty means values that occur in the program.
    pub inputs: Vec<i128>,
    /// Also equivalent interleavings.
    pub no_reduction: bool,
    /// Executions are run one by one.
    pub forgetful: bool,
    /// Every visible operation is a step of its own.
    pub fine: bool,
    /// Threads that are alike are told apart.
    pub told_apart: bool,
    /// Tells how far it is.
    pub gauge: Arc<Gauge>,
}

impl Explore {
    /// As the user wants it.
    pub fn new(given: &Given) -> Explore {
        Explore {
            steps: given.number(&STEPS),
            inputs: given.numbers(&INPUTS),
            no_reduction: given.has(&NO_REDUCTION),
            forgetful: given.without.contains(&STATES),
            fine: given.without.contains(&TRANSACTIONS),
            told_apart: given.without.contains(&SYMMETRY),
            gauge: Arc::default(),
        }
    }
}

impl Engine for Explore {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let defaults = Settings::default();
        let settings = Settings {
            reduction: !self.no_reduction,
            contexts: task.settings.contexts,
            inputs: match self.inputs.as_slice() {
                [] => defaults.inputs,
                these => InputValues::These(these.to_vec()),
            },
            max_steps: self.steps.unwrap_or(defaults.max_steps),
            unwind: task.settings.unwind,
            deadline: budget.deadline,
            cancelled: budget.cancelled(),
            gauge: Arc::clone(&self.gauge),
            max_executions: None,
            first_only: task.settings.first_only,
            collect_final_states: false,
            // Every interleaving is every one, also of states that were met before.
            states: !self.forgetful && !self.no_reduction,
            transactions: !self.fine,
            symmetry: !self.told_apart,
            // The other half is for the path, for copies of states and for the program itself.
            memory: budget.memory.map(|bytes| bytes / 2),
        };
        progress(Progress::doing("interleavings", None));
        let result = explore(task.program, &settings);
        let mut outcome = Outcome::new(match result.findings.is_empty() {
            true => without_findings(&result.cuts),
            false => Verdict::Unsafe,
        });
        if outcome.verdict == Verdict::Unsafe && !task.settings.first_only {
            outcome.notes.extend(further_findings(
                task.program,
                &result.findings,
                result.cuts.iter().map(limit).collect(),
            ));
        }
        if matches!(outcome.verdict, Verdict::Safe(_) | Verdict::Bounded(_)) {
            outcome.notes.extend(undefined(&result.undefined));
        }
        outcome.findings = result.findings;
        outcome.statistics = vec![
            Statistic { name: "executions", value: result.executions },
            Statistic { name: "states", value: result.states },
            Statistic { name: "transitions", value: result.transitions },
        ];
        outcome.check_invariants(task);
        outcome
    }
}

/// One note for each property that is not checked and would have shown something.
fn undefined(found: &BTreeSet<(Property, Place)>) -> Vec<Note> {
    let properties: BTreeSet<Property> = found.iter().map(|u| u.0).collect();
    let note = |property| {
        let places = found.iter().filter(|u| u.0 == property).map(|u| u.1).collect();
        Note::Undefined { property, places, certain: true }
    };
    properties.into_iter().map(note).collect()
}

fn without_findings(cuts: &[interp::Cut]) -> Verdict {
    let (mut bounds, mut unsupported) = (Vec::new(), Vec::new());
    for cut in cuts {
        match limit(cut) {
            Limit::Unsupported { what, place } => unsupported.push((what, place)),
            Limit::Cut(cut) => bounds.push(cut),
        }
    }
    if !unsupported.is_empty() {
        return Verdict::Unknown(Reason::Unsupported(unsupported));
    }
    match bounds.as_slice() {
        [] => Verdict::Safe(Ground::Exhaustion),
        cuts if cuts.contains(&Cut::Time) => Verdict::Unknown(Reason::Time),
        _ => Verdict::Bounded(Bounds::new(bounds)),
    }
}

/// What the interpreter left out, as engines say it.
fn limit(cut: &interp::Cut) -> Limit {
    Limit::Cut(match *cut {
        interp::Cut::Unwind { place, bound } => Cut::Loop { place, bound },
        interp::Cut::Contexts { bound } => Cut::Contexts { bound },
        interp::Cut::Steps { bound } => Cut::Instructions { bound },
        interp::Cut::Inputs { place } => Cut::Inputs { place },
        interp::Cut::Uninitialised { place } => Cut::Uninitialised { place },
        interp::Cut::Time => Cut::Time,
        interp::Cut::Unsupported { ref what, place } => {
            return Limit::Unsupported { what: what.clone(), place };
        }
    })
}
