//! One bound decided by an SMT solver: violations, then cuts, as the built-in back end does.
//!
//! A model gives values for the variables of terms and clocks for units; the units sorted by their clocks
//! are a schedule, which is replayed like any other.

use std::collections::BTreeMap;

use raddle_interp::{ConfirmedTrace, replay_guided};
use raddle_ir::{Place, Property};
use raddle_summary::{CutKind, Knowledge, Limits, Skeleton};
use raddle_term::VarId;
use rustc_hash::FxHashMap;

use super::before::Unit;
use super::smtlib::{self, Options, Script, clock_name, question};
use super::solver::{self, Process, Reply};
use super::witness::Model;
use super::{Level, wanted};
use crate::Task;

/// Why a search ended early.
enum Stop {
    Time,
    /// The solver cannot be used.
    Solver(String),
    /// A mistake in raddle.
    Internal(String),
}

/// Decides one bound with the solver of the settings.
pub(super) fn level(
    task: &Task,
    knowledge: &Knowledge,
    skeleton: &mut Skeleton,
    limits: &Limits,
    command: &str,
) -> Level {
    let options = Options {
        clocks: solver::clocks(command),
        contexts: task.settings.contexts,
        deadline: limits.deadline,
    };
    let Some(script) = smtlib::encode(task.program, knowledge, skeleton, options) else {
        return Level::Time;
    };
    let process = match Process::start(command, limits.deadline) {
        Ok(process) => process,
        Err(what) => return stopped(Stop::Solver(what)),
    };
    let mut search = Search { task, knowledge, skeleton, script, process };
    let text = std::mem::take(&mut search.script.text);
    search.process.send(&text);
    match search.all() {
        Ok(level) => level,
        Err(stop) => stopped(stop),
    }
}

fn stopped(stop: Stop) -> Level {
    match stop {
        Stop::Time => Level::Time,
        Stop::Solver(what) => Level::Cut(vec![(CutKind::Unsupported(what), Place::UNKNOWN)]),
        Stop::Internal(what) => Level::Internal(what),
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    knowledge: &'a Knowledge,
    skeleton: &'a Skeleton,
    script: Script,
    process: Process,
}

impl Search<'_> {
    fn all(&mut self) -> Result<Level, Stop> {
        let found = self.violations()?;
        if !found.is_empty() {
            return Ok(Level::Found(super::distinct(self.task.program, found)));
        }
        let mut cuts = self.cuts()?;
        let races = self.task.checked.contains(Property::Races) && self.skeleton.threads.len() > 1;
        let left = [(races, "races"), (!self.skeleton.waits.is_empty(), "deadlocks")];
        if cuts.is_empty() {
            cuts.extend(left.iter().filter(|l| l.0).map(|(_, name)| {
                let what = format!("the property {name} with --solver");
                (CutKind::Unsupported(what), Place::UNKNOWN)
            }));
        }
        Ok(if cuts.is_empty() { Level::Safe } else { Level::Cut(cuts) })
    }

    fn stop(&self) -> Stop {
        self.process.failure().map_or(Stop::Time, |what| Stop::Solver(what.into()))
    }

    /// Asks for a model of one of these; what is then done with the model happens before `(pop 1)`.
    fn ask(&mut self, names: &[String]) -> Result<bool, Stop> {
        match self.process.ask(&format!("(push 1)\n{}", question(names))) {
            Reply::Satisfiable => Ok(true),
            Reply::Unsatisfiable => Ok(false),
            Reply::None => Err(self.stop()),
        }
    }

    fn violations(&mut self) -> Result<Vec<ConfirmedTrace>, Stop> {
        let skeleton = self.skeleton;
        let mut open: Vec<usize> = (0..skeleton.violations.len()).collect();
        let mut found = Vec::new();
        while !open.is_empty() {
            let names: Vec<String> = open.iter().map(|i| format!("violation{i}")).collect();
            match self.ask(&names) {
                Ok(true) => {}
                Ok(false) => {
                    self.process.send("(pop 1)\n");
                    break;
                }
                Err(Stop::Time) if !found.is_empty() => break,
                Err(stop) => return Err(stop),
            }
            let values = self.process.values(&names).ok_or_else(|| self.stop())?;
            let hit = open.iter().zip(&values).find(|(_, v)| **v != 0).map(|(i, _)| *i);
            let hit = hit
                .ok_or_else(|| Stop::Internal("a model of a violation violates nothing".into()))?;
            let violation = &skeleton.violations[hit];
            let mut model = Model::with(skeleton, self.variables()?);
            let order = self.order()?;
            self.process.send("(pop 1)\n");
            let guide = model.guide_along(order, &[(violation.thread.0, violation.unit)]);
            let mut answers = model.answers(self.knowledge);
            let wanted = wanted(skeleton, violation);
            match replay_guided(self.task.program, &guide, &mut answers, &wanted) {
                Ok(trace) => found.push(trace),
                Err(e) => {
                    let what = format!("a violation could not be replayed: {e}");
                    return Err(Stop::Internal(what));
                }
            }
            if self.task.settings.first_only {
                break;
            }
            open.retain(|&i| skeleton.violations[i].site != violation.site);
        }
        Ok(found)
    }

    /// The cuts that some execution reaches.
    fn cuts(&mut self) -> Result<Vec<(CutKind, Place)>, Stop> {
        let skeleton = self.skeleton;
        let mut open: Vec<usize> = (0..skeleton.cuts.len()).collect();
        let mut found: Vec<(CutKind, Place)> = Vec::new();
        while !open.is_empty() {
            let names: Vec<String> = open.iter().map(|i| format!("cut{i}")).collect();
            let reached = self.ask(&names)?;
            let values = match reached {
                true => self.process.values(&names).ok_or_else(|| self.stop())?,
                false => Vec::new(),
            };
            self.process.send("(pop 1)\n");
            if !reached {
                break;
            }
            let before = found.len();
            for (&i, _) in open.iter().zip(&values).filter(|(_, v)| **v != 0) {
                let key = (skeleton.cuts[i].kind.clone(), skeleton.cuts[i].place);
                if !found.contains(&key) {
                    found.push(key);
                }
            }
            if found.len() == before {
                return Err(Stop::Internal("a model of a cut reaches none".into()));
            }
            open.retain(|&i| {
                let cut = &skeleton.cuts[i];
                !found.iter().any(|f| f.0 == cut.kind && f.1 == cut.place)
            });
        }
        Ok(found)
    }

    fn variables(&mut self) -> Result<FxHashMap<VarId, u128>, Stop> {
        let variables = &self.script.variables;
        let names: Vec<String> = variables.iter().map(|v| format!("v{}", v.index())).collect();
        let values = self.process.values(&names).ok_or_else(|| self.stop())?;
        Ok(self.script.variables.iter().copied().zip(values).collect())
    }

    /// All units in the order of their clocks. Units without a clock come right before the next one of their
    /// thread that has one.
    fn order(&mut self) -> Result<Vec<Unit>, Stop> {
        let timed: Vec<Unit> = self.script.units.iter().copied().collect();
        let names: Vec<String> = timed.iter().map(|&u| clock_name(u)).collect();
        let clocks = self.process.values(&names).ok_or_else(|| self.stop())?;
        let mut sorted: Vec<(u128, Unit)> = clocks.into_iter().zip(timed).collect();
        sorted.sort_unstable();
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        let mut order = Vec::new();
        for (_, (thread, index)) in sorted {
            let from = next.insert(thread.0, index + 1).unwrap_or(0);
            order.extend((from..=index).map(|i| (thread, i)));
        }
        for (i, thread) in self.skeleton.threads.iter().enumerate() {
            let i = i as u32;
            let from = next.get(&i).copied().unwrap_or(0);
            order.extend((from..thread.units).map(|u| (raddle_summary::ThreadIx(i), u)));
        }
        Ok(order)
    }
}
