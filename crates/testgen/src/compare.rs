//! One program, two engines, one answer.
//!
//! The referee is `raddle_interp::explore`. If it has seen every execution, `staged` must give the same verdict, and with a
//! bound that no loop of the generated programs exceeds the same findings. If only inputs were not tried completely, what was
//! found must still be found by `staged`. If it came to something unsupported, or to the end of its patience with a loop,
//! `staged` must not say safe. (What `staged` finds is replayed, so it can find too much only by way
//! of an internal error, which is a disagreement as well.) With a bound on context switches `explore` runs every interleaving
//! within it, and both must find the same; "safe" then means: within the bound.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use raddle_engines::staged::Staged;
use raddle_engines::{Budget, Cut, Engine, Note, Reason, Task, Verdict};
use raddle_interp::{self as interp, ConfirmedTrace, FindingKey, InputValues};
use raddle_ir::Program;

/// No loop of a generated program has more iterations that are not pure.
const BOUND: u32 = 12;

/// No execution of a generated program has more, but for loops without end.
const STEPS: u64 = 2000;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Executions of `explore`; a program with more is skipped.
    pub executions: u64,
    /// For each engine.
    pub time: Duration,
    /// Most context switches, for both engines.
    pub contexts: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { executions: 2000, time: Duration::from_secs(10), contexts: None }
    }
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Both say safe.
    Safe,
    /// Both say unsafe, with the same findings.
    Unsafe,
    /// Both came to something that is not supported, or to a loop without end.
    Open,
    /// `explore` did not see all executions.
    Skipped,
    /// `staged` gave no verdict, for this reason.
    Undecided(String),
    /// They disagree.
    Mismatch(Mismatch),
}

/// A disagreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What is wrong.
    pub kind: Kind,
    /// The two answers.
    pub text: String,
}

/// Kinds of disagreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `staged` misses a violation.
    Missed,
    /// `staged` says safe though something was cut off.
    WronglySafe,
    /// `explore` misses a violation that was replayed.
    MissedByReferee,
    /// `staged` shows a violation with more context switches than asked for.
    TooManySwitches,
    /// An internal error of `staged`.
    Internal,
    /// `explore` panics.
    RefereePanic,
    /// `staged` panics.
    Panic,
}

fn keys(findings: &[ConfirmedTrace]) -> BTreeSet<FindingKey> {
    findings.iter().map(|t| t.key().clone()).collect()
}

/// What a panic said.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_string()
}

fn mismatch(kind: Kind, text: String) -> Comparison {
    Comparison::Mismatch(Mismatch { kind, text })
}

struct Answer {
    verdict: Verdict,
    keys: BTreeSet<FindingKey>,
}

fn staged(program: &Program, unwind: Option<u32>, limits: Limits) -> Result<Answer, Comparison> {
    let contexts = limits.contexts;
    let settings =
        raddle_engines::Settings { unwind, contexts, recheck: true, ..Default::default() };
    let task = Task { program, settings: &settings };
    let budget = Budget { deadline: Some(Instant::now() + limits.time) };
    let run = || Staged::default().check(&task, &budget, &mut |_| {});
    let outcome = catch_unwind(AssertUnwindSafe(run))
        .map_err(|panic| mismatch(Kind::Panic, message(panic.as_ref())))?;
    if let Verdict::Unknown(Reason::Internal(what)) = &outcome.verdict {
        return Err(mismatch(Kind::Internal, format!("{what:?}")));
    }
    for note in &outcome.notes {
        match note {
            Note::Mistake(what) => return Err(mismatch(Kind::Internal, format!("{what:?}"))),
            Note::FurtherFindings { .. } => {}
        }
    }
    for trace in &outcome.findings {
        let switches = trace.choices().schedule.len().saturating_sub(1);
        if contexts.is_some_and(|most| switches > most as usize) {
            let text = format!(
                "{switches} switches for {:?}: {:?}",
                trace.key(),
                trace.choices().schedule
            );
            return Err(mismatch(Kind::TooManySwitches, text));
        }
    }
    Ok(Answer { keys: keys(&outcome.findings), verdict: outcome.verdict })
}

/// Runs both engines.
pub fn compare(program: &Program, limits: Limits) -> Comparison {
    let settings = raddle_interp::Settings {
        inputs: InputValues::These(vec![0, 1, 2]),
        max_executions: Some(limits.executions),
        contexts: limits.contexts,
        max_steps: STEPS,
        deadline: Some(Instant::now() + limits.time),
        ..Default::default()
    };
    let run = || raddle_interp::explore(program, &settings);
    let referee = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(exploration) => exploration,
        Err(panic) => return mismatch(Kind::RefereePanic, message(panic.as_ref())),
    };
    let mut found = Referee { keys: keys(&referee.findings), complete: true, open: None };
    for cut in &referee.cuts {
        match cut {
            // What a bound on context switches leaves out is left out by both.
            interp::Cut::Contexts { .. } => continue,
            interp::Cut::Inputs { .. } | interp::Cut::Uninitialised { .. } => {}
            interp::Cut::Unsupported { .. } | interp::Cut::Steps { .. } => {
                found.open = Some(cut.clone())
            }
            interp::Cut::Unwind { .. } | interp::Cut::Time => return Comparison::Skipped,
        }
        found.complete = false;
    }
    match judge(program, limits, &found) {
        Ok(comparison) | Err(comparison) => comparison,
    }
}

/// Whether nothing is left open but what the bound on context switches leaves out of both searches.
fn safe_within(limits: Limits, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Safe(_) => true,
        Verdict::Bounded(bounds) => match bounds.cuts[..] {
            [Cut::Contexts { bound }] => limits.contexts == Some(bound),
            _ => false,
        },
        Verdict::Unsafe | Verdict::Unknown(_) => false,
    }
}

/// What `explore` said.
struct Referee {
    keys: BTreeSet<FindingKey>,
    /// Every execution was seen to its end.
    complete: bool,
    /// Something that no engine can go beyond.
    open: Option<interp::Cut>,
}

fn judge(program: &Program, limits: Limits, referee: &Referee) -> Result<Comparison, Comparison> {
    // Deepening would never end in a loop without end.
    let first = matches!(referee.open, Some(interp::Cut::Steps { .. })).then_some(BOUND);
    let expected = &referee.keys;
    let mut answer = staged(program, first, limits)?;
    // Deepening stops at the first bound with a finding.
    if answer.verdict == Verdict::Unsafe && !expected.is_subset(&answer.keys) {
        answer = staged(program, Some(BOUND), limits)?;
    }
    let words = || {
        let Referee { keys, open, .. } = referee;
        format!("explore: {keys:?} {open:?}\nstaged: {:?} {:?}", answer.verdict, answer.keys)
    };
    if referee.complete && !answer.keys.is_subset(expected) {
        return Err(mismatch(Kind::MissedByReferee, words()));
    }
    match &answer.verdict {
        Verdict::Unsafe if expected.is_subset(&answer.keys) => Ok(Comparison::Unsafe),
        verdict if safe_within(limits, verdict) => match (&referee.open, expected.is_empty()) {
            (None, true) => Ok(Comparison::Safe),
            (Some(_), true) => Err(mismatch(Kind::WronglySafe, words())),
            (_, false) => Err(mismatch(Kind::Missed, words())),
        },
        Verdict::Safe(_) | Verdict::Unsafe => Err(mismatch(Kind::Missed, words())),
        Verdict::Bounded(_) | Verdict::Unknown(Reason::Unsupported { .. })
            if referee.open.is_some() && expected.is_empty() =>
        {
            Ok(Comparison::Open)
        }
        Verdict::Bounded(bounds) => Ok(Comparison::Undecided(format!("{:?}", bounds.cuts))),
        Verdict::Unknown(reason) => Ok(Comparison::Undecided(format!("{reason:?}"))),
    }
}
