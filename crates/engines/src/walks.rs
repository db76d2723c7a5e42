//! Executions at random, beside the searches that prove something.
//!
//! Programs of several hundred lines with inputs are often too large for `staged` and `explore` to
//! get beyond their start in the time that users wait, though their mistakes show in many
//! executions. So `auto` also runs some of them at random (`raddle_interp::walk` says how they are
//! chosen). That gives findings, replayed like all others, and never a proof: an answer without
//! findings stays as it is.
//! Limits: a bound on context switches is not kept, so there are no walks with one, nor with a
//! bound on iterations.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use raddle_interp::{ConfirmedTrace, InputValues, Settings, walk};

use crate::outcome::{distinct, further_findings};
use crate::{Budget, Cut, Limit, Mistake, Note, Outcome, Reason, Task, Verdict};

/// Most instructions of one walk: most are much shorter, and those without an end should not take
/// all the time.
const STEPS: u64 = 20_000;
/// The most that walks take.
const MOST: Duration = Duration::from_secs(60);
/// How often they tell what they have found.
const ROUND: Duration = Duration::from_secs(1);
/// How often walks that wait look whether to go on.
const LOOK: Duration = Duration::from_millis(20);

/// How long there were walks, and whether there are to be more.
#[derive(Debug, Default)]
pub struct Pace {
    milliseconds: AtomicU64,
    go: AtomicBool,
}

impl Pace {
    /// How long there were walks so far.
    pub fn walked(&self) -> Duration {
        Duration::from_millis(self.milliseconds.load(Ordering::Relaxed))
    }

    /// More of them, or none for now.
    pub fn go(&self, go: bool) {
        self.go.store(go, Ordering::Relaxed);
    }
}

/// Whether walks stay within the bounds that the user has set.
pub fn are_wanted(task: &Task) -> bool {
    task.settings.contexts.is_none() && task.settings.unwind.is_none()
}

/// Walks as long as it may. All that was found is told each time that it is more than before.
pub fn walks(task: &Task, budget: &Budget, pace: &Pace, tell: &mut dyn FnMut(Vec<ConfirmedTrace>)) {
    let mut found = Vec::new();
    for seed in 1.. {
        while !pace.go.load(Ordering::Relaxed) && !budget.is_over() {
            thread::sleep(LOOK);
        }
        let left = MOST.saturating_sub(pace.walked());
        if left.is_zero() || budget.is_over() {
            return;
        }
        let begin = Instant::now();
        let end = begin + left.min(ROUND);
        let settings = Settings {
            inputs: InputValues::FromConstants { at_most: 64 },
            max_steps: STEPS,
            deadline: Some(budget.deadline.map_or(end, |last| last.min(end))),
            cancelled: budget.cancelled(),
            first_only: task.settings.first_only,
            ..Settings::default()
        };
        let before = found.len();
        found.extend(walk(task.program, &settings, seed));
        // At least one, so that walks come to an end.
        let taken = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
        pace.milliseconds.fetch_add(taken, Ordering::Relaxed);
        found = distinct(task.program, found);
        if found.len() > before {
            tell(found.clone());
        }
    }
}

/// An answer with what walks have found beside it.
pub fn joined(mut outcome: Outcome, walked: Vec<ConfirmedTrace>, task: &Task) -> Outcome {
    let enough = task.settings.first_only && outcome.verdict == Verdict::Unsafe;
    if walked.is_empty() || enough {
        return outcome;
    }
    let program = task.program;
    let mut limits = Vec::new();
    for note in std::mem::take(&mut outcome.notes) {
        match note {
            // Said anew.
            Note::FurtherFindings { limits: known, .. } => limits = known,
            Note::Mistake(_) | Note::Undefined { .. } => outcome.notes.push(note),
            // About answers without findings.
            Note::Reduced { .. } | Note::Large { .. } | Note::OneThread => {}
        }
    }
    match outcome.verdict {
        Verdict::Unsafe => {}
        // A trace is evidence, and a proof that denies it is wrong.
        Verdict::Safe(_) => {
            let what = "a proof denies what was replayed".to_string();
            outcome.notes.push(Note::Mistake(Mistake::Model(what)));
        }
        Verdict::Bounded(bounds) => limits.extend(bounds.cuts.into_iter().map(Limit::Cut)),
        Verdict::Unknown(reason) => match reason {
            Reason::Unsupported(list) => limits
                .extend(list.into_iter().map(|(what, place)| Limit::Unsupported { what, place })),
            Reason::Internal(mistake) => {
                outcome.notes.push(Note::Mistake(mistake));
                limits.push(Limit::Cut(Cut::Time));
            }
            Reason::Time | Reason::Solver(_) | Reason::Large { .. } => {
                limits.push(Limit::Cut(Cut::Time));
            }
        },
    }
    outcome.verdict = Verdict::Unsafe;
    outcome.certificate = None;
    outcome.findings.extend(walked);
    outcome.findings = distinct(program, outcome.findings);
    if !task.settings.first_only {
        outcome.notes.extend(further_findings(program, &outcome.findings, limits));
    }
    outcome.check_invariants(task);
    outcome
}
