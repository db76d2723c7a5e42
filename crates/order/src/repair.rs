//! Deciding consistency of a full assignment: greedy schedules and a bounded search over write
//! orders.
//!
//! Idea: saturation leaves some pairs of writes unordered. Mostly a greedy schedule orders them
//! well. When it gets stuck, one pair (source of a read, write that hides it) was ordered the wrong
//! way, so we try the other way as a tentative edge, saturate, and schedule again. A tentative edge
//! carries its decision as a reason, so clashes say which decisions they need: irrelevant decisions
//! are skipped, and when both sides of a decision clash, resolving the two gives a clash without
//! it. With no decision left, that is a conflict clause.
//! Source: backjumping as in Prosser 1993, with the clause learning of SAT solvers reduced to
//! resolution.
//! Invariants: the closure is returned as it was found.
//! Limits: after `budget` clashes we give up and name the first pair, for the SAT solver to decide.

use crate::closure::Closure;
use crate::explain::Clash;
use crate::graph::Tentative;
use crate::linearise::{Stuck, linearise};
use crate::skeleton::Place;

/// What a full assignment amounts to.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// A total order of all units.
    Order(Vec<Place>),
    /// There is none, because of these literals.
    Clash(Clash),
    /// Too hard; the order of these two units matters and is open.
    Open(Place, Place),
}

/// One tentative decision on the stack of the search.
struct Decision {
    stuck: Stuck,
    /// The state before the decision.
    mark: crate::closure::Mark,
    /// Why the first side fails, once it did.
    first_clash: Option<Clash>,
}

/// Finds a total order or a clash. Needs a saturated closure without a clash.
pub(crate) fn decide(closure: &mut Closure, budget: usize) -> Verdict {
    let start = closure.mark();
    // What follows from a tentative order must not reach the solver.
    let propagate = std::mem::replace(&mut closure.exclusions.enabled, false);
    let verdict = search(closure, budget);
    closure.exclusions.enabled = propagate;
    closure.undo_to(start);
    verdict
}

fn search(closure: &mut Closure, mut budget: usize) -> Verdict {
    let mut decisions: Vec<Decision> = Vec::new();
    loop {
        let stuck = match linearise(closure) {
            Ok(order) => return Verdict::Order(order),
            Err(stuck) => stuck,
        };
        let tentative = Tentative(decisions.len() as u32);
        decisions.push(Decision { stuck, mark: closure.mark(), first_clash: None });
        // The hider could not come after the source's readers: try it before the source.
        let mut result = closure.try_edge(stuck.hider, stuck.source, tentative);
        while let Err(clash) = result {
            if budget == 0 {
                let first = decisions[0].stuck;
                return Verdict::Open(first.hider, first.source);
            }
            budget -= 1;
            result = match backtrack(closure, &mut decisions, clash) {
                Ok(other_side) => other_side,
                Err(clash) => return Verdict::Clash(clash),
            };
        }
    }
}

/// Goes back to the youngest decision that `clash` needs and whose other side is open, and tries
/// that side. Without such a decision, returns what clashes whatever is decided.
fn backtrack(
    closure: &mut Closure,
    decisions: &mut Vec<Decision>,
    mut clash: Clash,
) -> Result<Result<(), Clash>, Clash> {
    while let Some(mut decision) = decisions.pop() {
        closure.undo_to(decision.mark);
        let tentative = Tentative(decisions.len() as u32);
        if !clash.tentative.contains(&tentative) {
            continue;
        }
        match decision.first_clash.take() {
            Some(first) => clash = clash.resolve(first, tentative),
            None => {
                let Stuck { source, hider } = decision.stuck;
                decision.first_clash = Some(clash);
                decisions.push(decision);
                return Ok(closure.try_edge(source, hider, tentative));
            }
        }
    }
    debug_assert!(clash.tentative.is_empty(), "every decision was resolved away");
    Err(clash)
}
