//! Race freedom by structure, as a part of the default engine: [`raddle_analysis::structure`] says
//! that there are no races, or nothing.
//!
//! It needs no bound and takes about as long as the static analyses, but its proof rests on more
//! than those of the searches: that accesses stay inside their objects. So it is asked when the
//! first search has not answered soon.

use raddle_analysis::{Facts, Structure};
use raddle_ir::{Program, Property, PropertySet};

use crate::{Ground, Outcome, Reason, Task, Verdict};

/// Larger programs are not looked at.
const MOST_INSTRUCTIONS: usize = 50_000;

/// Whether it may have something to say: about races and nothing else.
pub fn is_wanted(task: &Task) -> bool {
    let races: PropertySet = [Property::Races].into_iter().collect();
    task.program.checked == races && is_small(task.program)
}

/// Whether the static analyses take a moment only.
pub fn is_small(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.map(|b| b.instrs.len()).sum::<usize>() < MOST_INSTRUCTIONS
}

/// What it says; UNKNOWN if that is nothing.
pub fn check(task: &Task) -> Outcome {
    assert!(is_wanted(task), "it proves that there are no races, and nothing else");
    match Structure::new(task.program, &Facts::new(task.program)) {
        Structure::NoRace { pairs } => {
            Outcome::new(Verdict::Safe(Ground::Structure { pairs })).within(task.program)
        }
        Structure::Open(_) | Structure::NoOpinion => Outcome::new(Verdict::Unknown(Reason::Time)),
    }
}
