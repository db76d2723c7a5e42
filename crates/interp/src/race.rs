//! Data races, straight from the definition: two threads about to touch the same bytes.

use raddle_ir::Program;

use crate::describe;
use crate::finding::{Finding, FindingKind, RaceAccess, Site};
use crate::oracle::Oracle;
use crate::section::run_unit;
use crate::state::{Code, State, Thread};
use crate::step::{Touch, TouchKind};

/// Instructions of a section that is looked through.
const LIMIT: u64 = 100_000;

/// An access that a thread is about to make, with its source place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upcoming {
    /// The access.
    pub touch: Touch,
    /// Where it stands.
    pub site: Site,
}

/// The valid accesses in the thread's next unit (those before the point where it blocks, if it does).
pub fn upcoming(
    code: &Code<'_>,
    state: &State,
    index: usize,
    oracle: &mut dyn Oracle,
) -> Vec<Upcoming> {
    let mut copy = state.clone();
    let mut result = Vec::new();
    let mut site = state.threads[index].site(code.program);
    run_unit(code, &mut copy, index, oracle, LIMIT, &mut |after, effect| {
        for touch in effect.touches.iter().filter(|t| t.kind == TouchKind::Data) {
            result.push(Upcoming { touch: *touch, site });
        }
        let thread: &Thread = &after.threads[index];
        if thread.is_running() {
            site = thread.site(code.program);
        }
    });
    result
}

/// Whether two accesses of different threads race.
pub fn conflict(a: &Touch, b: &Touch) -> bool {
    a.kind == TouchKind::Data
        && b.kind == TouchKind::Data
        && !a.hidden
        && !b.hidden
        && (a.write || b.write)
        && !(a.atomic && b.atomic)
        && overlap(a, b)
}

/// Whether two accesses have bytes in common.
pub fn overlap(a: &Touch, b: &Touch) -> bool {
    a.address < b.address.saturating_add(b.bytes) && b.address < a.address.saturating_add(a.bytes)
}

/// The finding for two racing accesses.
pub fn finding(program: &Program, state: &State, a: &Upcoming, b: &Upcoming) -> Finding {
    let access = |u: &Upcoming| RaceAccess {
        address: u.touch.address,
        bytes: u.touch.bytes,
        write: u.touch.write,
        atomic: u.touch.atomic,
    };
    let common = a.touch.address.max(b.touch.address);
    let (object, _) = describe::name(program, &state.memory, common);
    Finding {
        property: raddle_ir::Property::Races,
        kind: FindingKind::Race { object, accesses: [access(a), access(b)] },
        sites: vec![a.site, b.site],
    }
}

/// The races between two threads' next units.
pub fn between(
    code: &Code<'_>,
    state: &State,
    first: usize,
    second: usize,
    oracle: &mut dyn Oracle,
) -> Vec<Finding> {
    let a = upcoming(code, state, first, oracle);
    if a.is_empty() {
        return Vec::new();
    }
    let b = upcoming(code, state, second, oracle);
    let mut result = Vec::new();
    for x in &a {
        for y in b.iter().filter(|y| conflict(&x.touch, &y.touch)) {
            result.push(finding(code.program, state, x, y));
        }
    }
    result
}
