//! How much is compared: limits of patience, bounds and choices for the engines, and what bounds
//! leave out.
//!
//! Engines count different things (changes of the running thread, turns, writes, clusters). So that
//! a bound on any of them is compared fairly, the row of an engine says which executions it covers
//! by their [`Extent`]. What the referee finds in a covered execution must be found.

use std::time::Duration;

use raddle_engines::options::{EngineOption, Given, Kind, Measure, Value, Without};
use raddle_engines::{Cut, ENGINES, EngineRow, Extent};
use raddle_interp::{ConfirmedTrace, Event};

/// A bound that no generated program exceeds.
fn enough(measure: Measure) -> u64 {
    match measure {
        // Iterations that are not pure.
        Measure::Iterations => 12,
        Measure::Contexts | Measure::Writes => 1000,
        // The search ends when threads do.
        Measure::Steps => 1000,
        Measure::Instructions => 1_000_000,
    }
}

/// How much to try.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Executions of `explore`; a program with more is skipped.
    pub executions: u64,
    /// For each engine.
    pub time: Duration,
    /// A bound for all engines; those without such a bound are left out.
    pub bound: Option<Bound>,
    /// Compare this engine only.
    pub engine: Option<&'static str>,
    /// What is chosen; only engines that have all these options are compared.
    pub choices: Vec<Choice>,
    /// What is switched off; only engines that have all these switches are compared.
    pub without: Vec<String>,
    /// Only engines that the default engine rests on; the others may take long.
    pub of_default: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            executions: 2000,
            time: Duration::from_secs(10),
            bound: None,
            engine: None,
            choices: Vec::new(),
            without: Vec::new(),
            of_default: false,
        }
    }
}

/// A bound on executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// On what.
    pub measure: Measure,
    /// How many.
    pub most: u32,
}

/// One of the names that an option takes.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The option.
    pub option: &'static EngineOption,
    /// The name.
    pub name: &'static str,
}

impl Bound {
    /// From `OPTION=NUMBER`, if some engine has that.
    pub fn parse(text: &str) -> Option<Bound> {
        let (option, most) = text.split_once('=')?;
        let Kind::Bound(measure, _) = option_named(option)?.kind else { return None };
        Some(Bound { measure, most: most.parse().ok()? })
    }

    /// The most changes of the running thread in what it lets pass, for the referee.
    pub fn switches(self) -> Option<u32> {
        (self.measure == Measure::Contexts).then_some(self.most)
    }

    /// Whether this is what it leaves out.
    pub fn is_cut(self, cut: &Cut) -> bool {
        match *cut {
            Cut::Contexts { bound } => self.measure == Measure::Contexts && bound == self.most,
            Cut::Writes { bound } => self.measure == Measure::Writes && bound == self.most,
            Cut::Loop { .. }
            | Cut::Recursion { .. }
            | Cut::Calls { .. }
            | Cut::Threads { .. }
            | Cut::Object { .. }
            | Cut::Steps { .. }
            | Cut::AllSteps { .. }
            | Cut::Allocations { .. }
            | Cut::Instructions { .. }
            | Cut::Inputs { .. }
            | Cut::Uninitialised { .. }
            | Cut::Signals
            | Cut::Undefined
            | Cut::Arguments(_)
            | Cut::Time => false,
        }
    }
}

impl Choice {
    /// From `OPTION=NAME`, or `OPTION` for a flag, if some engine has that.
    pub fn parse(text: &str) -> Option<Choice> {
        if let Some(option) = option_named(text).filter(|o| o.kind == Kind::Flag) {
            return Some(Choice { option, name: "" });
        }
        let (option, name) = text.split_once('=')?;
        let option = option_named(option)?;
        let Kind::OneOf(names) = option.kind else { return None };
        let (name, _) = names.iter().find(|(n, _)| *n == name)?;
        Some(Choice { option, name })
    }
}

fn option_named(name: &str) -> Option<&'static EngineOption> {
    ENGINES.iter().find_map(|row| row.option(name))
}

/// How far an engine is to search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Until it has an answer.
    Deepening,
    /// At once as far as any generated program goes.
    Everything,
}

impl Limits {
    /// Whether an engine has all that is asked for.
    pub fn fit(&self, row: &EngineRow) -> bool {
        let has = |measure| {
            let counts = |o: &EngineOption| matches!(o.kind, Kind::Bound(m, _) if m == measure);
            row.options.iter().any(counts)
        };
        self.bound.is_none_or(|bound| has(bound.measure))
            && self.choices.iter().all(|c| row.option(c.option.name).is_some())
            && self.without.iter().all(|name| row.switch(name).is_some())
            && self.engine.is_none_or(|name| name == row.name)
    }

    /// What an engine is given.
    pub fn given(&self, row: &EngineRow, depth: Depth) -> Given {
        let mut given = Given::default();
        for Choice { option, name } in &self.choices {
            let value = match option.kind {
                Kind::Flag => Value::Flag,
                _ => Value::Text((*name).into()),
            };
            given = given.with(option, value);
        }
        given.without = row
            .switches
            .iter()
            .filter(|s| self.without.iter().any(|name| name == s.name))
            .collect();
        for option in row.options {
            let Kind::Bound(measure, without) = option.kind else { continue };
            let bound = match self.bound {
                Some(bound) if bound.measure == measure => Some(u64::from(bound.most)),
                Some(_) | None => {
                    let all = depth == Depth::Everything && without == Without::Deepens;
                    all.then(|| enough(measure))
                }
            };
            if let Some(bound) = bound {
                given = given.with(option, Value::Number(bound));
            }
        }
        given
    }

    /// The most changes of the running thread with which every execution is covered, however much
    /// it writes; none if not even those without a change are.
    pub fn covered_switches(&self, row: &EngineRow, threads: u32) -> Option<u32> {
        let Bound { most, .. } = self.bound?;
        let given = self.given(row, Depth::Deepening);
        let is_covered =
            |&switches: &u32| (row.covers)(&given, Extent { switches, writes: u32::MAX, threads });
        (0..=most).rev().find(is_covered)
    }

    /// Whether an execution is covered.
    pub fn covers(&self, row: &EngineRow, threads: u32, trace: &ConfirmedTrace) -> bool {
        let given = self.given(row, Depth::Deepening);
        let writes = trace.steps().iter().filter(|step| may_write(&step.event)).count();
        let writes = u32::try_from(writes).unwrap_or(u32::MAX);
        (row.covers)(&given, Extent { switches: trace.switches(), writes, threads })
    }
}

/// Whether others can notice a step of a trace by what it leaves.
fn may_write(event: &Event) -> bool {
    match event {
        Event::Write { target, .. }
        | Event::Update { target, .. }
        | Event::Alloc { target }
        | Event::Free { target } => target.shared,
        Event::Lock { .. }
        | Event::Unlock { .. }
        | Event::TryLock { .. }
        | Event::Create { .. }
        | Event::End
        | Event::Return { .. } => true,
        Event::Read { .. }
        | Event::Assign { .. }
        | Event::Input { .. }
        | Event::Call { .. }
        | Event::Join { .. }
        | Event::AtomicBegin
        | Event::AtomicEnd
        | Event::SpuriousWakeup
        | Event::SpuriousFailure { .. }
        | Event::Exit
        | Event::Violation => false,
    }
}
