//! Replay of a list of choices: the only way to a [`ConfirmedTrace`].
//!
//! The schedule is followed instruction by instruction; then the expected violation must be there:
//! the next step of a thread violates its property, or the state is a race or a deadlock.

use raddle_ir::{InstrRef, Program, Property};
use thiserror::Error;

use crate::choices::{Choices, FromChoices, VERSION, program_hash};
use crate::deadlock;
use crate::finding::Finding;
use crate::lasso;
use crate::narrate;
use crate::race;
use crate::state::{Code, State};
use crate::step::{Blocked, Effect, Step, step};
use crate::thread::ThreadId;
use crate::trace::{ConfirmedTrace, Event, TraceStep};

/// Instructions that a replay may take.
pub const MAX_STEPS: u64 = 50_000_000;

/// Why a replay did not show what it should: always a bug of whoever made the guide (or of this
/// crate), or a trace of another program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The trace belongs to another program.
    #[error("the trace was made for another program (or with other options or another version)")]
    OtherProgram,
    /// The guide or schedule could not be followed.
    #[error("step {step}: expected {expected}; {happened}")]
    Diverged {
        /// Index into the guide or schedule; its length means "after the last".
        step: usize,
        /// What should have happened.
        expected: String,
        /// What happened instead.
        happened: String,
    },
    /// The run came to its end without the wanted finding.
    #[error("the run ends without {wanted}; {happened}")]
    NotShown {
        /// What was wanted.
        wanted: String,
        /// The state at the end.
        happened: String,
    },
    /// The run took too many steps.
    #[error("more than {0} instructions")]
    TooLong(u64),
}

/// Runs the program with these choices and confirms what they are expected to show.
pub fn replay(program: &Program, choices: &Choices) -> Result<ConfirmedTrace, ReplayError> {
    if choices.version != VERSION || choices.program != program_hash(program) {
        return Err(ReplayError::OtherProgram);
    }
    confirm(&Code::new(program), choices.clone())
}

/// [`replay()`] for choices that are known to belong to the program.
pub(crate) fn confirm(code: &Code<'_>, choices: Choices) -> Result<ConfirmedTrace, ReplayError> {
    let program = code.program;
    if choices.loop_from.is_some() {
        return lasso::confirm(code, choices);
    }
    let mut state = State::new(code).ok_or_else(|| ReplayError::NotShown {
        wanted: choices.expected.property.clone(),
        happened: "the program has no entry".into(),
    })?;
    let mut oracle = FromChoices::new(&choices);
    let mut steps = Vec::new();
    let mut effect = Effect::default();
    let mut left = MAX_STEPS;
    for (position, &(thread, count)) in choices.schedule.iter().enumerate() {
        let diverged = |happened: String| ReplayError::Diverged {
            step: position,
            expected: format!("{count} instructions of thread {thread}"),
            happened,
        };
        let index = state.index(thread).ok_or_else(|| diverged("no such thread".into()))?;
        for done in 0..count {
            left = left.checked_sub(1).ok_or(ReplayError::TooLong(MAX_STEPS))?;
            let before = narrate::before(code, &state, index);
            match step(code, &mut state, index, &mut oracle, &mut effect) {
                Step::Done => {}
                other @ (Step::Blocked(_) | Step::Violation(_) | Step::BadAnswer(_)) => {
                    let what = tell(program, &state, index, &other);
                    return Err(diverged(format!("after {done}: {what}")));
                }
            }
            steps.extend(narrate::after(code, &state, index, &before, &effect));
        }
    }
    let finding = conclude(code, &state, &mut oracle, &choices)?;
    let mut calls = Vec::new();
    for site in &finding.sites {
        if let Some(index) = state.index(site.thread) {
            steps.push(last_line(code, &state, index, site));
            calls.push(state.threads[index].calls(program).collect());
        }
    }
    drop(oracle);
    Ok(ConfirmedTrace::new(program, finding, calls, steps, choices, None))
}

/// The line of a finding's site.
fn last_line(
    code: &Code<'_>,
    state: &State,
    index: usize,
    site: &crate::finding::Site,
) -> TraceStep {
    let line = narrate::before(code, state, index).line(code.program, Event::Violation);
    TraceStep { at: site.at, place: site.place, function: site.function, ..line }
}

/// Finds the expected violation in the last state.
fn conclude(
    code: &Code<'_>,
    state: &State,
    oracle: &mut FromChoices<'_>,
    choices: &Choices,
) -> Result<Finding, ReplayError> {
    let expected = &choices.expected;
    let missing = |happened: String| ReplayError::NotShown {
        wanted: format!("a violation of {}", expected.property),
        happened,
    };
    let property = Property::from_name(&expected.property)
        .ok_or_else(|| missing("there is no such property".into()))?;
    let threads: Option<Vec<usize>> = expected.threads.iter().map(|t| state.index(*t)).collect();
    let threads = threads.ok_or_else(|| missing("a thread does not exist".into()))?;
    match (property, threads.as_slice()) {
        (Property::Deadlocks, _) => {
            let wanted =
                |f: &Finding| f.sites.iter().map(|s| s.thread).eq(expected.threads.iter().copied());
            let mut found = deadlock::find(code, state, oracle).into_iter();
            found.find(wanted).ok_or_else(|| missing("the last state is no deadlock".into()))
        }
        (Property::Races, &[first, second]) => {
            let at: Vec<InstrRef> = expected.accesses.iter().map(|a| at(*a)).collect();
            let wanted =
                |f: &Finding| at.is_empty() || f.sites.iter().map(|s| s.at).eq(at.iter().copied());
            let races = race::between(code, state, first, second, oracle);
            races
                .into_iter()
                .find(wanted)
                .ok_or_else(|| missing("no race in the last state".into()))
        }
        (_, &[index]) => {
            let mut last = state.clone();
            match step(code, &mut last, index, oracle, &mut Effect::default()) {
                Step::Violation(finding) if finding.property == property => Ok(*finding),
                other @ (Step::Done
                | Step::Blocked(_)
                | Step::Violation(_)
                | Step::BadAnswer(_)) => Err(missing(tell(code.program, state, index, &other))),
            }
        }
        (_, _) => Err(missing("the number of threads is wrong".into())),
    }
}

fn at((func, block, index): (u32, u32, u32)) -> InstrRef {
    InstrRef { func: raddle_ir::FuncId(func), block: raddle_ir::BlockId(block), index }
}

/// What a step did instead, in words for a bug report.
pub(crate) fn tell(program: &Program, state: &State, index: usize, step: &Step) -> String {
    let thread = &state.threads[index];
    let id: ThreadId = thread.id;
    let at = thread.at();
    let place = format!(
        "{} (function {}, block {}, instruction {})",
        program.show_place(program.place(at)),
        program.function(at.func).name,
        at.block.0,
        at.index
    );
    match step {
        Step::Done => format!("thread {id} goes on to {place}"),
        Step::Blocked(Blocked::Over) => {
            let over = if state.exited { "the program has ended" } else { "it is over" };
            format!("thread {id} takes no step at {place}: {over}, {:?}", thread.status)
        }
        Step::Blocked(why) => format!("thread {id} is blocked at {place}: {why:?}"),
        Step::Violation(finding) => {
            format!("thread {id} violates {} at {place}: {:?}", finding.property, finding.kind)
        }
        Step::BadAnswer(text) => format!("thread {id} at {place}: {text}"),
    }
}
