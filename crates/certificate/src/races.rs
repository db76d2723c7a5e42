//! Data races: two threads stand before accesses to the same memory that are not ordered.
//!
//! An access in a tail races with nobody: `glue.rs` has found that no other thread touches the same
//! in conflict while its step is under way. So only what comes first in steps is looked at, a single
//! access or all accesses of an atomic section.

use raddle_ir::Property;
use raddle_term::TermId;
use rustc_hash::FxHashSet;

use crate::No;
use crate::state::Machine;
use crate::step::{Racing, Step, Touch};

/// Checks that no two threads race.
pub(crate) fn check(machine: &mut Machine, steps: &[Step]) -> Result<(), No> {
    let mut asked = FxHashSet::default();
    for a in steps {
        for b in steps.iter().filter(|b| b.thread > a.thread) {
            for x in first(a) {
                for y in first(b).filter(|y| conflict(x, y)) {
                    // Ways that differ later only have the same accesses.
                    if !asked.insert((x.what, a.conds[0], x.cond, b.conds[0], y.cond)) {
                        continue;
                    }
                    let both = together(machine, a, b);
                    if machine.possible(&[both, x.cond, y.cond])? {
                        return Err(No::Violation(Property::Races, x.place));
                    }
                }
            }
        }
    }
    Ok(())
}

fn first(step: &Step) -> impl Iterator<Item = &Touch> {
    step.touches.iter().filter(|t| !t.tail && t.racing != Racing::Never)
}

fn conflict(x: &Touch, y: &Touch) -> bool {
    let plain = x.racing == Racing::Plain || y.racing == Racing::Plain;
    x.what == y.what && (x.writes || y.writes) && plain
}

/// The condition that two threads stand before their steps, and nobody else is inside an atomic
/// section.
fn together(machine: &mut Machine, a: &Step, b: &Step) -> TermId {
    let [x, y] = [a, b]
        .map(|step| machine.stands_undisturbed(step.thread, step.from, &[a.thread, b.thread]));
    machine.terms.and(x, y)
}
