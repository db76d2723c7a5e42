//! A race as two edges of the order.
//!
//! For events e and f of different threads, a literal ρ(e, f) implies that both occur at
//! overlapping addresses and that the unit before e comes before f, and the unit before f before e.
//! Then the execution, cut after the later of those two units, contains neither e nor f, and both
//! threads stand right before them: exactly the definition of a race. No adjacency needs to be
//! encoded. If e is part of a unit with reads (a compare-exchange, an atomic section), whether it
//! is reached depends on them; then what they read from must come before f as well, so that it is
//! in the cut. Which pairs may race at all is [`crate::bounded::races`].

use raddle_sat::Lit;
use raddle_summary::{Event, Skeleton};
use raddle_term::Terms;

use super::compose::Axioms;
use super::contexts::Contexts;
use crate::Budget;
use crate::bounded::before::Unit;
use crate::bounded::races::{self, Goal, Pair, before};
use crate::bounded::scene::Scene;

/// Encodes all pairs that may race; `None` if the time is up. To be called before the first solve.
pub fn encode(
    scene: Scene,
    terms: &mut Terms,
    axioms: &mut Axioms,
    contexts: Option<&Contexts>,
    budget: &Budget,
) -> Option<Vec<Goal>> {
    let pairs = races::pairs(scene, terms, &mut axioms.facts, budget)?;
    let mut goal = |p: Pair| {
        let selector = pair(scene.skeleton, terms, axioms, contexts, &p);
        let goal = Goal { selector, first: p.first, second: p.second };
        (!budget.is_over()).then_some(goal)
    };
    pairs.into_iter().map(&mut goal).collect()
}

fn pair(
    skeleton: &Skeleton,
    terms: &Terms,
    axioms: &mut Axioms,
    contexts: Option<&Contexts>,
    pair: &Pair,
) -> Lit {
    let Axioms { order, sources, .. } = axioms;
    let (first, second) = (&skeleton.events[pair.first], &skeleton.events[pair.second]);
    let selector = order.new_lit();
    for t in [first.reached, second.reached, pair.overlap] {
        order.assert_implies(terms, &[selector], t);
    }
    for (e, f) in [(first, second), (second, first)] {
        let (here, other) = ((e.thread, e.unit), (f.thread, f.unit));
        debug_assert_ne!(here.0, other.0, "a thread does not race with itself");
        for &(reads_from, source) in sources.get(&here).into_iter().flatten() {
            if source == here {
                continue;
            }
            // What it reads from must be in the cut, so it cannot be the other access itself.
            if source == other {
                order.clause(&[!selector, !reads_from]);
                continue;
            }
            let both = order.new_lit();
            order.clause(&[!selector, !reads_from, both]);
            order.guarded_edge(both, source, other);
            if let Some(contexts) = contexts {
                contexts.reach(order.as_mut(), both, source);
            }
        }
        order.guarded_edge(selector, before(f), here);
        if let Some(contexts) = contexts {
            contexts.reach(order.as_mut(), selector, before(e));
        }
    }
    selector
}

/// The units after which a race is there in the last model: those before the accesses, and those
/// that what they depend on reads from.
pub fn last_units(axioms: &mut Axioms, accesses: [&Event; 2]) -> Vec<Unit> {
    let Axioms { order, sources, .. } = axioms;
    let mut last = accesses.map(before).to_vec();
    for e in accesses {
        let here = (e.thread, e.unit);
        for &(reads_from, source) in sources.get(&here).into_iter().flatten() {
            if source != here && order.value(reads_from) && !last.contains(&source) {
                let other = accesses.iter().any(|e| (e.thread, e.unit) == source);
                assert!(!other, "neither access of a race has happened");
                last.push(source);
            }
        }
    }
    last
}
