//! One program, all engines, one answer.
//!
//! The referee is `raddle_interp::explore`. If it has seen every execution, each engine of the
//! table must give the same verdict, and with bounds that no generated program exceeds the same
//! findings, within what its row claims: the properties that it decides, the bounds that it has. If
//! only inputs were not tried completely, what was found must still be found. If it came to
//! something unsupported, or to the end of its patience with a loop, no engine may say safe. (What
//! an engine finds is replayed, so it can find too much only by way of an internal error, which is
//! a disagreement as well.) With a bound on context switches the referee runs every interleaving
//! within it, and all must find the same; "safe" then means: within the bound.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use raddle_engines::options::{self, EngineOption, Given, Host, Measure, Value, Without};
use raddle_engines::{
    Budget, Cut, ENGINES, EngineRow, Limit, Note, Reason, Role, Settings, Task, Verdict, auto,
};
use raddle_interp::{self as interp, ConfirmedTrace, FindingKey, InputValues};
use raddle_ir::{Program, PropertySet};

/// A bound that no generated program exceeds.
fn enough(measure: Measure) -> u64 {
    match measure {
        // Iterations that are not pure.
        Measure::Iterations => 12,
        Measure::Contexts | Measure::Writes => 1000,
        Measure::Instructions => 1_000_000,
    }
}

/// No execution of a generated program has more, but for loops without end.
const STEPS: u64 = 2000;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Executions of `explore`; a program with more is skipped.
    pub executions: u64,
    /// For each engine.
    pub time: Duration,
    /// Most context switches, for all engines; those without such a bound are left out.
    pub contexts: Option<u32>,
    /// Compare this engine only.
    pub engine: Option<&'static str>,
    /// An option with a choice, and what is chosen; only engines that have the option are compared.
    pub choice: Option<Choice>,
    /// Only engines that the default engine rests on; the others may take long.
    pub of_default: bool,
}

/// One of the names that an option takes.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The option.
    pub option: &'static EngineOption,
    /// The name.
    pub name: &'static str,
}

impl Choice {
    /// From `OPTION=NAME`, if some engine has that.
    pub fn parse(text: &str) -> Option<Choice> {
        let (option, name) = text.split_once('=')?;
        let option = ENGINES.iter().find_map(|row| row.option(option))?;
        let options::Kind::OneOf(names) = option.kind else { return None };
        let (name, _) = names.iter().find(|(n, _)| *n == name)?;
        Some(Choice { option, name })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            executions: 2000,
            time: Duration::from_secs(10),
            contexts: None,
            engine: None,
            choice: None,
            of_default: false,
        }
    }
}

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
    /// The time was up before all was looked at.
    late: bool,
}

/// How far an engine is to search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Until it has an answer.
    Deepening,
    /// At once as far as any generated program goes.
    Everything,
}

/// What an engine is given.
fn given(row: &EngineRow, limits: Limits, depth: Depth) -> Given {
    let mut given = Given::default();
    if let Some(Choice { option, name }) = limits.choice {
        given = given.with(option, Value::Text(name.into()));
    }
    for option in row.options {
        let options::Kind::Bound(measure, without) = option.kind else { continue };
        let bound = match (measure, limits.contexts) {
            (Measure::Contexts, Some(most)) => Some(u64::from(most)),
            (
                Measure::Contexts | Measure::Writes | Measure::Iterations | Measure::Instructions,
                _,
            ) => {
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

fn ask(
    row: &EngineRow,
    program: &Program,
    depth: Depth,
    limits: Limits,
) -> Result<Answer, Comparison> {
    let given = given(row, limits, depth);
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
    let mut late = false;
    for note in &outcome.notes {
        match note {
            Note::Mistake(what) => return Err(mismatch(row, Kind::Internal, format!("{what:?}"))),
            Note::Undefined { .. } => {}
            Note::FurtherFindings { limits, .. } => {
                late |= limits.contains(&Limit::Cut(Cut::Time));
            }
        }
    }
    for trace in &outcome.findings {
        let switches = trace.choices().schedule.len().saturating_sub(1);
        if limits.contexts.is_some_and(|most| switches > most as usize) {
            let text = format!(
                "{switches} switches for {:?}: {:?}",
                trace.key(),
                trace.choices().schedule
            );
            return Err(mismatch(row, Kind::TooManySwitches, text));
        }
    }
    Ok(Answer { keys: keys(&outcome.findings), verdict: outcome.verdict, late })
}

/// What the referee says of a program.
struct Expected {
    keys: BTreeSet<FindingKey>,
    /// Every execution was seen to its end.
    complete: bool,
    /// Something that no engine can go beyond.
    open: Option<interp::Cut>,
}

/// Asks the referee; no answer if it did not see enough.
fn referee(program: &Program, limits: Limits) -> Result<Expected, Comparison> {
    let settings = interp::Settings {
        inputs: InputValues::These(vec![0, 1, 2]),
        max_executions: Some(limits.executions),
        contexts: limits.contexts,
        max_steps: STEPS,
        deadline: Some(Instant::now() + limits.time),
        ..Default::default()
    };
    let run = || interp::explore(program, &settings);
    let result = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let (kind, text) = (Kind::RefereePanic, message(panic.as_ref()));
        Comparison::Mismatch(Mismatch { engine: "referee", kind, text })
    })?;
    let mut expected = Expected { keys: keys(&result.findings), complete: true, open: None };
    for cut in &result.cuts {
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
pub fn compare(program: &Program, limits: Limits) -> Comparison {
    compare_all(program, limits).unwrap_or_else(|comparison| comparison)
}

fn compare_all(program: &Program, limits: Limits) -> Result<Comparison, Comparison> {
    let expected = referee(program, limits)?;
    let wanted = |row: &&EngineRow| {
        let bounds = limits.contexts.is_none() || row.options.iter().any(counts_contexts);
        let choice = limits.choice.is_none_or(|c| row.option(c.option.name).is_some());
        row.role == Role::Search
            && bounds
            && choice
            && (!limits.of_default || auto::PARTS.iter().any(|part| part.name == row.name))
            && limits.engine.is_none_or(|name| name == row.name)
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
            judge(row, &narrower, limits, &referee(&narrower, limits)?)?
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

fn counts_contexts(option: &EngineOption) -> bool {
    matches!(option.kind, options::Kind::Bound(Measure::Contexts, _))
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

fn judge(
    row: &EngineRow,
    program: &Program,
    limits: Limits,
    expected: &Expected,
) -> Result<Comparison, Comparison> {
    let Expected { keys, complete, open } = expected;
    // Deepening would never end in a loop without end.
    let first = match open {
        Some(interp::Cut::Steps { .. }) => Depth::Everything,
        Some(_) | None => Depth::Deepening,
    };
    let mut answer = ask(row, program, first, limits)?;
    // Deepening stops at the first bound with a finding.
    if answer.verdict == Verdict::Unsafe && !keys.is_subset(&answer.keys) {
        answer = ask(row, program, Depth::Everything, limits)?;
    }
    let words = || {
        let Answer { verdict, keys: found, .. } = &answer;
        format!("referee: {keys:?} {open:?}\n{}: {verdict:?} {found:?}", row.name)
    };
    if *complete && !answer.keys.is_subset(keys) {
        return Err(mismatch(row, Kind::MissedByReferee, words()));
    }
    match &answer.verdict {
        Verdict::Unsafe if keys.is_subset(&answer.keys) => Ok(Comparison::Unsafe),
        verdict if safe_within(limits, verdict) => match (open, keys.is_empty()) {
            (None, true) => Ok(Comparison::Safe),
            (Some(_), true) => Err(mismatch(row, Kind::WronglySafe, words())),
            (_, false) => Err(mismatch(row, Kind::Missed, words())),
        },
        Verdict::Unsafe if answer.late => Ok(Comparison::Undecided("not all findings".into())),
        Verdict::Safe(_) | Verdict::Unsafe => Err(mismatch(row, Kind::Missed, words())),
        Verdict::Bounded(_) | Verdict::Unknown(Reason::Unsupported { .. })
            if open.is_some() && keys.is_empty() =>
        {
            Ok(Comparison::Open)
        }
        Verdict::Bounded(bounds) => Ok(Comparison::Undecided(format!("{:?}", bounds.cuts))),
        Verdict::Unknown(reason) => Ok(Comparison::Undecided(format!("{reason:?}"))),
    }
}
