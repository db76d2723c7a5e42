//! From infinite executions to finite ones: does a system have an execution without end in which each
//! of some conditions (*justice*) holds infinitely often?
//!
//! **Lassos** ([`lassos`]): a copy of all latches is taken at some step, which an input chooses; it is
//! bad to come back to the same state when each condition has held since. A finite system has a fair
//! execution iff it has a fair lasso. Source: Biere, Artho, Schuppan: Liveness Checking as Safety
//! Checking, FMICS 2002.
//! **Counting** ([`counting`]): rounds are counted in which each condition has held once. If `k` rounds
//! are never reached there is no fair execution; nothing is copied, so proofs are shorter. Source:
//! Claessen and Sörensson: A Liveness Checking Algorithm that Counts, FMCAD 2012.
//! Both keep the latches and inputs of the system, in the same order, and add theirs behind them.

use raddle_aig::{Edge, Execution, Gates, Input, Latch, System};

/// Adds a latch; what it becomes is said later.
fn latch(system: &mut System, initial: Option<bool>, name: &str) -> (usize, Edge) {
    let now = system.graph.free();
    let name = name.to_string();
    system.latches.push(Latch { now, next: now, initial, name });
    (system.latches.len() - 1, now)
}

/// The system in which it is bad (edge 0) to close a fair loop. Its other bad edges are `others`.
pub fn lassos(system: &System, justice: &[Edge], others: &[Edge]) -> System {
    let mut made = system.clone();
    let count = system.latches.len();
    let save = made.graph.free();
    made.inputs.push(Input { now: save, name: "the loop begins".into() });
    let (saved_at, saved) = latch(&mut made, Some(false), "the loop has begun");
    let begins = made.graph.and(save, !saved);
    made.latches[saved_at].next = made.graph.or(saved, save);
    let mut same = vec![saved];
    for i in 0..count {
        let now = system.latches[i].now;
        let (at, copy) = latch(&mut made, Some(false), &format!("{} then", system.latches[i].name));
        made.latches[at].next = made.graph.ite(begins, now, copy);
        same.push(!made.graph.xor(now, copy));
    }
    for (j, &just) in justice.iter().enumerate() {
        let (at, seen) = latch(&mut made, Some(false), &format!("justice {j}"));
        let inside = made.graph.or(saved, save);
        let either = made.graph.or(seen, just);
        made.latches[at].next = made.graph.and(inside, either);
        same.push(seen);
    }
    let closed = made.graph.and_many(&same);
    made.bad = std::iter::once(closed).chain(others.iter().copied()).collect();
    made.check_invariants();
    made
}

/// The step at which the loop of an execution of [`lassos`] begins; its last step is where it is closed.
pub fn loop_begins(original: &System, execution: &Execution) -> Option<usize> {
    let save = original.inputs.len();
    execution.inputs.iter().position(|inputs| inputs[save])
}

/// The system in which it is bad (edge 0) to have seen `rounds` rounds of justice. Its other bad
/// edges are `others`.
pub fn counting(system: &System, justice: &[Edge], rounds: usize, others: &[Edge]) -> System {
    let mut made = system.clone();
    let mut flags = Vec::new();
    let mut all = vec![Edge::TRUE];
    for (j, &just) in justice.iter().enumerate() {
        let (at, seen) = latch(&mut made, Some(false), &format!("justice {j}"));
        let either = made.graph.or(seen, just);
        flags.push((at, either));
        all.push(either);
    }
    let round = made.graph.and_many(&all);
    for (at, either) in flags {
        made.latches[at].next = made.graph.and(either, !round);
    }
    let mut before = Edge::TRUE;
    for k in 0..rounds {
        let (at, counted) = latch(&mut made, Some(false), &format!("round {}", k + 1));
        let more = made.graph.and(before, round);
        made.latches[at].next = made.graph.or(counted, more);
        before = counted;
    }
    made.bad = std::iter::once(before).chain(others.iter().copied()).collect();
    made.check_invariants();
    made
}
