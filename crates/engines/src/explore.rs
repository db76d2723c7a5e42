//! The exhaustive interpreter as an engine.
//!
//! All the work is in `raddle_interp::explore`; here only its limits and what it left out are put into
//! the words of verdicts. Inputs are tried with a few values only, so a program that reads inputs is never
//! called safe.

use std::collections::BTreeSet;

use raddle_interp::{Cut, InputValues, Settings, explore};
use raddle_ir::Program;

use crate::{Bounds, Budget, Engine, Outcome, Progress, Reason, Task, Verdict};

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
        let verdict = if result.findings.is_empty() {
            without_findings(task.program, &result.cuts)
        } else {
            Verdict::Unsafe
        };
        let mut notes = Vec::new();
        if verdict == Verdict::Unsafe && !result.cuts.is_empty() && !task.settings.first_only {
            let words = bounds(task.program, &result.cuts).join("; ");
            notes.push(format!("There may be further findings: the search was limited ({words})."));
        }
        Outcome {
            verdict,
            findings: result.findings,
            statistics: vec![
                ("executions", result.executions.to_string()),
                ("transitions", result.transitions.to_string()),
            ],
            stages: Vec::new(),
            notes,
        }
    }
}

fn without_findings(program: &Program, cuts: &[Cut]) -> Verdict {
    for cut in cuts {
        if let Cut::Unsupported { what, place } = cut {
            return Verdict::Unknown(Reason::Unsupported { what: what.clone(), place: *place });
        }
    }
    match cuts {
        [] => Verdict::Safe,
        cuts if cuts.contains(&Cut::Time) => Verdict::Unknown(Reason::Time),
        cuts => Verdict::Bounded(Bounds { cuts: bounds(program, cuts) }),
    }
}

/// What was left out, in words.
fn bounds(program: &Program, cuts: &[Cut]) -> Vec<String> {
    let words: BTreeSet<String> = cuts
        .iter()
        .map(|cut| match cut {
            Cut::Unwind { place, bound } => {
                format!("loop at {} unrolled {bound} times", program.show_place(*place))
            }
            Cut::Contexts { bound } => format!("schedules with at most {bound} context switches"),
            Cut::Steps { bound } => format!("executions of at most {bound} instructions"),
            Cut::Inputs { place } => {
                format!("some values only of the input at {}", program.show_place(*place))
            }
            Cut::Uninitialised { place } => {
                format!("memory read before it is written at {}", program.show_place(*place))
            }
            Cut::Unsupported { what, place } => {
                format!("{what} at {} is not modelled", program.show_place(*place))
            }
            Cut::Time => "the time was up".to_string(),
        })
        .collect();
    words.into_iter().collect()
}
