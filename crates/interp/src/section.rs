//! Units: one instruction, or a whole atomic section taken as one step.

use raddle_ir::Op;

use crate::finding::Finding;
use crate::oracle::Oracle;
use crate::state::{Code, State};
use crate::step::{Blocked, Effect, Step, step};

/// What became of a unit.
#[derive(Clone, PartialEq, Debug)]
pub enum Unit {
    /// It happened, in so many instructions.
    Done(u64),
    /// It cannot be completed: the state is that at the blocked instruction and must be thrown away.
    Blocked(Blocked),
    /// It violates a property after so many instructions; the state is that before the violation.
    Violation(Box<Finding>, u64),
    /// The oracle gave an impossible answer.
    BadAnswer(String),
    /// More instructions than allowed.
    TooLong,
}

/// Whether the thread's next unit is an atomic section.
pub fn at_section(code: &Code<'_>, state: &State, index: usize) -> bool {
    let thread = &state.threads[index];
    thread.atomic == 0 && matches!(thread.op(code.program), Some(Op::AtomicBegin))
}

/// Runs one unit of a thread; `see` gets the effect of each instruction (also that of a blocked one).
/// Loops inside a section are watched, so that one that spins counts as blocked.
pub fn run_unit(
    code: &Code<'_>,
    state: &mut State,
    index: usize,
    oracle: &mut dyn Oracle,
    limit: u64,
    see: &mut dyn FnMut(&State, &Effect),
) -> Unit {
    let section = at_section(code, state, index);
    let watched = state.watch_loops;
    state.watch_loops |= section;
    let result = run(code, state, index, oracle, limit, see, section);
    state.watch_loops = watched;
    result
}

fn run(
    code: &Code<'_>,
    state: &mut State,
    index: usize,
    oracle: &mut dyn Oracle,
    limit: u64,
    see: &mut dyn FnMut(&State, &Effect),
    section: bool,
) -> Unit {
    let mut effect = Effect::default();
    for steps in 1..=limit {
        let result = step(code, state, index, oracle, &mut effect);
        see(state, &effect);
        match result {
            Step::Done => {}
            Step::Blocked(why) => return Unit::Blocked(why),
            Step::Violation(finding) => return Unit::Violation(finding, steps - 1),
            Step::BadAnswer(text) => return Unit::BadAnswer(text),
        }
        if state.in_section != Some(index) {
            return Unit::Done(steps);
        }
        if section && effect.arrival.is_some_and(|a| a.pure) {
            return Unit::Blocked(Blocked::Loop);
        }
    }
    Unit::TooLong
}
