//! One program, all engines, one answer.
//!
//! The referee is `raddle_interp::explore`. If it has seen every execution, each engine of the
//! table must give the same verdict, and with bounds that no generated program exceeds the same
//! findings, within what its row claims: the properties that it decides, the bounds that it has. If
//! only inputs were not tried completely, what was found must still be found. If it came to
//! something unsupported, or to the end of its patience with a loop, no engine may say safe. (What
//! an engine finds is replayed, so it can find too much only by way of an internal error, which is
//! a disagreement as well.) With a bound on what engines count, what lies within it must be found
//! ([`Limits::covers`]), nothing else may be but what the referee knows, and an engine that says
//! safe says so of all executions.
//!
//! The referee runs executions one by one. Its sister that remembers states must find the same,
//! leave out the same, and come to the same final states.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use raddle_engines::options::Host;
use raddle_engines::{
    Budget, Cut, ENGINES, EngineRow, Ground, Limit, Note, Reason, Role, Settings, Task, Verdict,
    auto,
};
use raddle_interp::{self as interp, ConfirmedTrace, Exploration, FindingKey, InputValues};
use raddle_ir::{Program, PropertySet, Unmodelled};

use crate::limits::{Depth, Limits};

/// No execution of a generated program has more, but for loops without end.
const STEPS: u64 = 2000;

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// All say safe.
    Safe,
    /// All say unsafe, with the same findings.
    Unsafe,
    /// All came to something that is not supported, or to a loop without end.
    Open,
    /// The referee did not see all executions.
    Skipped,
    /// An engine gave no verdict, for this reason.
    Undecided(String),
    /// They disagree.
    Mismatch(Mismatch),
}

/// A disagreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Which engine is not of the referee's opinion.
    pub engine: &'static str,
    /// What is wrong.
    pub kind: Kind,
    /// The two answers.
    pub text: String,
}

/// Kinds of disagreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An engine misses a violation.
    Missed,
    /// An engine says safe though something was cut off.
    WronglySafe,
    /// The referee misses a violation that was replayed.
    MissedByReferee,
    /// An engine shows a violation with more context switches than asked for.
    TooManySwitches,
    /// With several jobs there is another answer than with one.
    Jobs,
    /// An internal error of an engine.
    Internal,
    /// The referee panics.
    RefereePanic,
    /// An engine panics.
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

fn mismatch(row: &EngineRow, kind: Kind, text: String) -> Comparison {
    Comparison::Mismatch(Mismatch { engine: row.name, kind, text })
}

struct Answer {
    verdict: Verdict,
    keys: BTreeSet<FindingKey>,
    /// It says that it may not have found everything: the time was up, or something is not modelled
    /// that the default engine does without.
    incomplete: bool,
    /// How many threads it saw.
    threads: u32,
}

fn ask(
    row: &EngineRow,
    program: &Program,
    depth: Depth,
    limits: &Limits,
) -> Result<Answer, Comparison> {
    let given = limits.given(row, depth);
    let settings = Settings { recheck: true, ..Settings::new(&given) };
    let task = Task { program, settings: &settings };
    let budget = Budget::until(Some(Instant::now() + limits.time));
    let run = || {
        let engine = (row.make)(&given, &Host::default());
        engine.expect("bounds of its own fit").check(&task, &budget, &mut |_| {})
    };
    let outcome = catch_unwind(AssertUnwindSafe(run))
        .map_err(|panic| mismatch(row, Kind::Panic, message(panic.as_ref())))?;
    if let Verdict::Unknown(Reason::Internal(what)) = &outcome.verdict {
        return Err(mismatch(row, Kind::Internal, format!("{what:?}")));
    }
    let mut incomplete = false;
    let of_default = auto::must_decide(row);
    for note in &outcome.notes {
        match note {
            Note::Mistake(what) => return Err(mismatch(row, Kind::Internal, format!("{what:?}"))),
            Note::Undefined { .. }
            | Note::Reduced { .. }
            | Note::Large { .. }
            | Note::OneThread => {}
            Note::FurtherFindings { limits, .. } => {
                let open = |limit: &Limit| match limit {
                    Limit::Cut(cut) => *cut == Cut::Time,
                    Limit::Unsupported { .. } => !of_default,
                };
                incomplete |= limits.iter().any(open);
            }
        }
    }
    for trace in &outcome.findings {
        let switches = trace.switches();
        if limits.bound.and_then(|b| b.switches()).is_some_and(|most| switches > most) {
            let text = format!(
                "{switches} switches for {:?}: {:?}",
                trace.key(),
                trace.choices().schedule
            );
            return Err(mismatch(row, Kind::TooManySwitches, text));
        }
    }
    let threads = outcome.statistics.iter().find(|s| s.name == "threads");
    let threads = threads.and_then(|s| u32::try_from(s.value).ok()).unwrap_or(u32::MAX);
    Ok(Answer { keys: keys(&outcome.findings), verdict: outcome.verdict, incomplete, threads })
}

/// What the referee says of a program.
struct Expected {
    /// Every execution was seen to its end.
    complete: bool,
    /// Something that no engine can go beyond.
    open: Option<interp::Cut>,
    /// All that it said.
    run: Exploration,
}

/// A search of the interpreter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Executions one by one: the referee.
    OneByOne,
    /// From each state once.
    States,
    /// Likewise, and threads that are alike change places.
    Alike,
}

/// Explores executions with at most so many changes of the running thread.
fn explored(
    program: &Program,
    limits: &Limits,
    contexts: Option<u32>,
    search: Search,
) -> Result<Exploration, Comparison> {
    let settings = interp::Settings {
        inputs: InputValues::These(vec![0, 1, 2]),
        max_executions: Some(limits.executions),
        contexts,
        max_steps: STEPS,
        deadline: Some(Instant::now() + limits.time),
        // In final states it can be seen which thread is where.
        collect_final_states: search != Search::Alike,
        states: search != Search::OneByOne,
        ..Default::default()
    };
    let run = || interp::explore(program, &settings);
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let (kind, text) = (Kind::RefereePanic, message(panic.as_ref()));
        Comparison::Mismatch(Mismatch { engine: "referee", kind, text })
    })
}

/// Asks the referee about executions with at most so many changes of the running thread; no answer
/// if it did not see enough.
fn referee(
    program: &Program,
    limits: &Limits,
    contexts: Option<u32>,
) -> Result<Expected, Comparison> {
    let run = explored(program, limits, contexts, Search::OneByOne)?;
    let mut expected = Expected { complete: true, open: None, run };
    for cut in &expected.run.cuts {
        match cut {
            // What a bound on context switches leaves out is left out by all.
            interp::Cut::Contexts { .. } => continue,
            interp::Cut::Inputs { .. } | interp::Cut::Uninitialised { .. } => {}
            interp::Cut::Unsupported { .. } | interp::Cut::Steps { .. } => {
                expected.open = Some(cut.clone());
            }
            interp::Cut::Unwind { .. } | interp::Cut::Time => return Err(Comparison::Skipped),
        }
        expected.complete = false;
    }
    Ok(expected)
}

/// Asks the referee and all engines.
pub fn compare(program: &Program, limits: &Limits) -> Comparison {
    compare_all(program, limits).unwrap_or_else(|comparison| comparison)
}

/// Whether the referee has predicted a race that it could not show.
fn is_unconfirmed(cut: &interp::Cut) -> bool {
    matches!(cut, interp::Cut::Unsupported { what: Unmodelled::UnconfirmedRace, .. })
}

/// Compares a search that remembers states with the referee.
fn remembering(
    program: &Program,
    limits: &Limits,
    contexts: Option<u32>,
    expected: &Expected,
    search: Search,
) -> Result<(), Comparison> {
    let run = explored(program, limits, contexts, search)?;
    let (known, found) = (keys(&expected.run.findings), keys(&run.findings));
    // An endless loop through few states is explored to its end; the referee gives up there.
    let given_up = matches!(expected.open, Some(interp::Cut::Steps { .. }));
    let same = if given_up {
        known.is_subset(&found)
    } else {
        // Races are judged in each state; the referee predicts them, and says what it could not show.
        let shown = |c: &&interp::Cut| !is_unconfirmed(c);
        let of = |e: &Exploration| {
            let cuts: BTreeSet<_> = e.cuts.iter().filter(shown).cloned().collect();
            let states = (search != Search::Alike).then(|| e.final_states.clone());
            (cuts, e.undefined.clone(), states)
        };
        known == found && of(&expected.run) == of(&run)
    };
    if same || run.cuts.contains(&interp::Cut::Time) {
        return Ok(());
    }
    let kind = if known.is_subset(&found) { Kind::WronglySafe } else { Kind::Missed };
    let text = format!("referee: {:?}\nexplore: {run:?}", expected.run);
    Err(Comparison::Mismatch(Mismatch { engine: "explore", kind, text }))
}

fn compare_all(program: &Program, limits: &Limits) -> Result<Comparison, Comparison> {
    let switches = limits.bound.and_then(|b| b.switches());
    let expected = referee(program, limits, switches)?;
    if limits.engine.is_none_or(|name| name == "explore") {
        remembering(program, limits, switches, &expected, Search::States)?;
        remembering(program, limits, switches, &expected, Search::Alike)?;
    }
    if limits.engine == Some("explore") {
        return Ok(match (&expected.open, expected.run.findings.is_empty()) {
            (_, false) => Comparison::Unsafe,
            (None, true) => Comparison::Safe,
            (Some(_), true) => Comparison::Open,
        });
    }
    let wanted = |row: &&EngineRow| {
        row.role == Role::Search
            && limits.fit(row)
            && (!limits.of_default || auto::must_decide(row))
    };
    // Agreement is the same for all; what one engine leaves undecided is worth mentioning.
    let mut result: Option<Comparison> = None;
    for row in ENGINES.iter().filter(wanted) {
        let asked = row.decided(program.checked);
        let comparison = if asked == program.checked {
            judge(row, program, limits, &expected)?
        } else if asked == PropertySet::EMPTY {
            continue;
        } else {
            // A check of a property that is not asked about has another meaning.
            let narrower = Program { checked: asked, ..program.clone() };
            judge(row, &narrower, limits, &referee(&narrower, limits, switches)?)?
        };
        result = match (comparison, result) {
            (Comparison::Undecided(why), _) => {
                Some(Comparison::Undecided(format!("{}: {why}", row.name)))
            }
            (_, Some(before)) => Some(before),
            (first, None) => Some(first),
        };
    }
    Ok(result.unwrap_or(Comparison::Skipped))
}

/// Whether nothing is left open but what the bound leaves out.
fn safe_within(limits: &Limits, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Safe(_) => true,
        Verdict::Bounded(bounds) => match &bounds.cuts[..] {
            [cut] => limits.bound.is_some_and(|bound| bound.is_cut(cut)),
            _ => false,
        },
        Verdict::Unsafe | Verdict::Unknown(_) => false,
    }
}

/// What an engine must not overlook.
struct Within {
    /// What it must find.
    keys: BTreeSet<FindingKey>,
    /// It comes to something that it cannot go beyond.
    open: bool,
}

/// All, or what is known to lie within the bound.
fn within(
    row: &EngineRow,
    program: &Program,
    limits: &Limits,
    threads: u32,
    expected: &Expected,
) -> Result<Within, Comparison> {
    let all = Within { keys: keys(&expected.run.findings), open: expected.open.is_some() };
    let Some(bound) = limits.bound else { return Ok(all) };
    let covered = expected.run.findings.iter().filter(|t| limits.covers(row, threads, t));
    let mut keys_within: BTreeSet<FindingKey> = covered.map(|t| t.key().clone()).collect();
    let mut open = false;
    match limits.covered_switches(row, threads) {
        Some(most) if bound.switches() == Some(most) => return Ok(all),
        Some(most) => {
            let few = referee(program, limits, Some(most))?;
            keys_within.extend(keys(&few.run.findings));
            open = few.open.is_some();
        }
        None => {}
    }
    Ok(Within { keys: keys_within, open })
}

/// Whether a proof goes on where the referee only stopped after many instructions: those that do not
/// rest on the ends of executions say something about loops without an end.
fn proves_beyond(verdict: &Verdict, open: Option<&interp::Cut>) -> bool {
    let proof = match verdict {
        Verdict::Safe(
            Ground::Induction { .. }
            | Ground::Invariant { .. }
            | Ground::States { .. }
            | Ground::Unreached { .. }
            | Ground::Structure { .. },
        ) => true,
        Verdict::Safe(Ground::Exhaustion | Ground::Unrolling { .. })
        | Verdict::Unsafe
        | Verdict::Bounded(_)
        | Verdict::Unknown(_) => false,
    };
    proof && matches!(open, Some(interp::Cut::Steps { .. }))
}

fn judge(
    row: &EngineRow,
    program: &Program,
    limits: &Limits,
    expected: &Expected,
) -> Result<Comparison, Comparison> {
    let Expected { complete, open, run } = expected;
    let known = keys(&run.findings);
    // Deepening would never end in a loop without end.
    let first = match open {
        Some(interp::Cut::Steps { .. }) => Depth::Everything,
        Some(_) | None => Depth::Deepening,
    };
    let mut answer = ask(row, program, first, limits)?;
    let Within { keys: wanted, open: open_within } =
        within(row, program, limits, answer.threads, expected)?;
    // Deepening stops at the first bound with a finding.
    if answer.verdict == Verdict::Unsafe && !wanted.is_subset(&answer.keys) {
        answer = ask(row, program, Depth::Everything, limits)?;
    }
    let words = || {
        let Answer { verdict, keys: found, .. } = &answer;
        format!("referee: {wanted:?} of {known:?} {open:?}\n{}: {verdict:?} {found:?}", row.name)
    };
    if *complete && !answer.keys.is_subset(&known) {
        return Err(mismatch(row, Kind::MissedByReferee, words()));
    }
    if matches!(answer.verdict, Verdict::Safe(_)) && limits.bound.is_some() {
        let all = referee(program, limits, None)?;
        if !all.run.findings.is_empty() || all.open.is_some() {
            return Err(mismatch(row, Kind::WronglySafe, words()));
        }
    }
    match &answer.verdict {
        Verdict::Unsafe if wanted.is_subset(&answer.keys) => Ok(Comparison::Unsafe),
        verdict if safe_within(limits, verdict) => match (open_within, wanted.is_empty()) {
            (false, true) => Ok(Comparison::Safe),
            (true, true) if proves_beyond(verdict, open.as_ref()) => Ok(Comparison::Open),
            (true, true) => Err(mismatch(row, Kind::WronglySafe, words())),
            (_, false) => Err(mismatch(row, Kind::Missed, words())),
        },
        Verdict::Unsafe if answer.incomplete => {
            Ok(Comparison::Undecided("not all findings".into()))
        }
        Verdict::Safe(_) | Verdict::Unsafe => Err(mismatch(row, Kind::Missed, words())),
        Verdict::Bounded(_) | Verdict::Unknown(Reason::Unsupported(_))
            if open.is_some() && known.is_empty() =>
        {
            Ok(Comparison::Open)
        }
        Verdict::Bounded(bounds) => Ok(Comparison::Undecided(format!("{:?}", bounds.cuts))),
        Verdict::Unknown(reason) => Ok(Comparison::Undecided(format!("{reason:?}"))),
    }
}
