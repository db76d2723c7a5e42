//! Whether steps of several instructions are as good as single instructions.
//!
//! *Claim:* let s be a state that the program reaches, instruction by instruction. Complete in it the
//! steps that are under way, each thread's tail to its end, in any order. Then the result is a state
//! that is reached by whole steps. It is so at first. Let thread t execute an instruction in s. If
//! it is one of a tail, the completed state is the same or another completion. Otherwise t stands at a
//! place; let r be s with the others' tails completed, which whole steps reach. If t's instruction
//! touches nothing that these tails touch, one of them writing, it can be executed after them as
//! well, with the same result, and t's step is a whole step from r. In r the others stand where their
//! steps end: so it is enough that no step that t can make in a state that is not excluded touches
//! in conflict what the tail of a step to where another thread stands then has touched. Tails always
//! come to an end: nothing in them waits, and the walks along them are finite.
//! What is violated in a tail is violated in the whole step.
//! The first step of a thread is nothing but a tail. While it is under way the thread may as well not
//! have begun: it is made when it comes to its end. So for it the others are looked at while the
//! thread stands at its beginning.
//!
//! Conflicts are looked for between each tail and all that others touch, tails or not: two tails
//! that are under way at the same time must not disturb each other either.

use raddle_term::TermId;
use rustc_hash::FxHashSet;

use crate::No;
use crate::state::{Machine, Var};
use crate::step::Step;

/// Checks that no tail of a step can be noticed.
pub(crate) fn check(machine: &mut Machine, steps: &[Step]) -> Result<(), No> {
    let mut asked = FxHashSet::default();
    for step in steps {
        for tail in step.touches.iter().filter(|t| t.tail) {
            if !asked.insert((step.thread, step.from == 0, step.target, tail.what, tail.writes)) {
                continue;
            }
            let stands = match step.from {
                0 => machine.may_step(step.thread, 0),
                _ => stands(machine, step.thread, step.target),
            };
            for other in steps.iter().filter(|o| o.thread != step.thread) {
                for touch in &other.touches {
                    let conflict = touch.what == tail.what && (touch.writes || tail.writes);
                    let conds = [stands, other.conds[0], touch.cond];
                    if conflict && machine.possible(&conds)? {
                        return Err(No::Glued(tail.place, touch.place));
                    }
                }
            }
        }
    }
    Ok(())
}

/// The condition that a thread stands at a place, or at none.
fn stands(machine: &mut Machine, thread: usize, target: Option<usize>) -> TermId {
    match target {
        Some(place) => machine.now(&Var::At(thread, place)),
        None => {
            let places = 0..machine.legend.places[thread].len();
            let all: Vec<TermId> = places.map(|p| machine.now(&Var::At(thread, p))).collect();
            let any = machine.terms.or_all(&all);
            machine.terms.not(any)
        }
    }
}
