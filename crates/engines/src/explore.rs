//! The exhaustive interpreter as an engine.
//!
//! All the work is in `raddle_interp::explore`; here only its limits and what it left out become verdicts. Inputs are tried with a few values only, so a program that reads inputs is never
//! called safe.

use raddle_interp::{self as interp, InputValues, Settings, explore};

use crate::outcome::further_findings;
use crate::{
    Bounds, Budget, Cut, Engine, Ground, Limit, Outcome, Progress, Reason, Statistic, Task, Verdict,
};

/// Runs every interleaving.
pub struct Explore;

impl Engine for Explore {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let defaults = Settings::default();
        let settings = Settings {
            reduction: task.settings.reduction,
            contexts: task.settings.contexts,
            inputs: match task.settings.inputs.as_slice() {
                [] => defaults.inputs,
                these => InputValues::These(these.to_vec()),
            },
            max_steps: task.settings.steps.unwrap_or(defaults.max_steps),
            unwind: task.settings.unwind,
            deadline: budget.deadline,
            max_executions: None,
            first_only: task.settings.first_only,
            collect_final_states: false,
        };
        progress(Progress { text: "running all interleavings".into() });
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
        outcome.findings = result.findings;
        outcome.statistics = vec![
            Statistic { name: "executions", value: result.executions },
            Statistic { name: "transitions", value: result.transitions },
        ];
        outcome
    }
}

fn without_findings(cuts: &[interp::Cut]) -> Verdict {
    let mut bounds = Vec::new();
    for cut in cuts {
        match limit(cut) {
            Limit::Unsupported { what, place } => {
                return Verdict::Unknown(Reason::Unsupported { what, place });
            }
            Limit::Cut(cut) => bounds.push(cut),
        }
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
