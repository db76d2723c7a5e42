//! The engine for those who do not choose one.
//!
//! `staged` decides what it can; for the properties that it does not decide, and where it has no answer
//! because something is not modelled or a violation could not be replayed, the exhaustive interpreter runs as well. The
//! findings are put together; the program is safe only if what covers everything says so.

use std::time::Instant;

use raddle_ir::Property;

use crate::explore::Explore;
use crate::staged::{SUPPORTED, Staged};
use crate::{Budget, Engine, Outcome, Progress, Reason, Task, Verdict};

/// `staged`, and `explore` for what is left.
pub struct Auto;

impl Engine for Auto {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let left: Vec<Property> = task.checked.iter().filter(|p| !SUPPORTED.contains(p)).collect();
        if left.is_empty() {
            let staged = Staged::default().check(task, budget, progress);
            return match staged.verdict {
                Verdict::Unknown(Reason::Unsupported { .. } | Reason::Internal(_)) => {
                    second_opinion(staged, Explore.check(task, budget, progress))
                }
                Verdict::Safe | Verdict::Unsafe | Verdict::Bounded(_) | Verdict::Unknown(_) => {
                    staged
                }
            };
        }
        // Something is left to explore: keep a part of the time for it.
        let now = Instant::now();
        let share = budget.deadline.map(|d| now + d.saturating_duration_since(now).mul_f64(0.6));
        let decided = task.checked.iter().filter(|p| SUPPORTED.contains(p)).collect();
        let part = Task { program: task.program, checked: decided, settings: task.settings };
        let staged = Staged::default().check(&part, &Budget { deadline: share }, progress);
        if task.settings.first_only && staged.verdict == Verdict::Unsafe {
            return staged;
        }
        let explored = Explore.check(task, budget, progress);
        combine(task, staged, explored, &left)
    }
}

/// The interpreter's answer, if it has one where `staged` had none.
fn second_opinion(staged: Outcome, explored: Outcome) -> Outcome {
    match explored.verdict {
        Verdict::Safe | Verdict::Unsafe => explored,
        Verdict::Bounded(_) | Verdict::Unknown(_) => staged,
    }
}

/// Puts two outcomes together: `explored` covers everything, `staged` all but the properties `left`.
fn combine(task: &Task, staged: Outcome, explored: Outcome, left: &[Property]) -> Outcome {
    let mut findings = staged.findings;
    let known: Vec<_> = findings.iter().map(|t| t.finding().key(task.program)).collect();
    for trace in explored.findings {
        if !known.contains(&trace.finding().key(task.program)) {
            findings.push(trace);
        }
    }
    let verdict = match (findings.is_empty(), &staged.verdict, &explored.verdict) {
        (false, ..) => Verdict::Unsafe,
        (true, _, Verdict::Safe) => Verdict::Safe,
        (true, Verdict::Safe, Verdict::Unknown(Reason::Time)) => Verdict::Unknown(Reason::Time),
        (true, Verdict::Safe, other) => other.clone(),
        (true, other, _) => other.clone(),
    };
    let mut notes = staged.notes;
    notes.extend(explored.notes);
    if staged.verdict == Verdict::Safe && verdict != Verdict::Safe && verdict != Verdict::Unsafe {
        let names: Vec<&str> = left.iter().map(|p| p.name()).collect();
        notes.push(format!(
            "All other properties hold in every execution; open is only: {}.",
            names.join(", ")
        ));
    }
    let statistics = staged.statistics.into_iter().chain(explored.statistics).collect();
    Outcome { verdict, findings, statistics, stages: staged.stages, notes }
}
