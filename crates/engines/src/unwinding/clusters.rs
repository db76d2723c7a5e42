//! Clusters of several threads: the contents of a cell as they grow at each position.
//!
//! At a position units come in the order of nested calls, whichever threads they belong to. So the
//! accesses of a cell, put in this order, are one chain for each position: before the first access
//! stands what the position before has left; a unit that is at this position and writes changes it;
//! a read that is there finds it. What stands after the last access is what the position leaves. In
//! the look every thread has a chain of its own, which begins with the final contents.
//! Source: paper 001 §4.2, inter-thread coarse-grained unwinding: its copies of variables at each
//! position.
//! Cost: positions × accesses, with two clauses for each bit of a read and four of a write.

use raddle_summary::ThreadIx;
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::bounded::formula::Lit;
use crate::slots::chain::{Access, Cell, Encoder};
use crate::slots::gates::{and, or};
use crate::slots::nesting::Nesting;

/// The accesses of one unit.
struct Step {
    /// What its reads see that see no write of their own unit, and when they occur.
    reads: Vec<(Lit, TermId)>,
    /// When it writes, and what.
    writes: Option<(Lit, TermId)>,
    unit: crate::bounded::before::Unit,
}

/// Links the accesses of one cell.
pub fn cell(
    encoder: &mut Encoder,
    nesting: &Nesting,
    initial: TermId,
    accesses: &[Access],
) -> Cell {
    let thread = accesses[0].unit.0;
    if accesses.iter().all(|a| a.unit.0 == thread) {
        return encoder.cell(initial, accesses);
    }
    let mut sorted = accesses.to_vec();
    // Accesses of one unit keep their order.
    sorted.sort_by_key(|a| nesting.place(a.unit));
    let mut cell = Cell::new(encoder.terms, initial, accesses);
    let units = sorted.chunk_by(|a, b| a.unit == b.unit);
    let steps: Vec<Step> = units.map(|unit| step(encoder, &cell, unit)).collect();
    debug_assert!(
        steps.windows(2).all(|pair| nesting.is_before(pair[0].unit, pair[1].unit)),
        "each unit has one place"
    );
    let slots = encoder.numbers.slots();
    for k in 0..slots {
        let mut contents = cell.before(encoder.terms, k);
        let mut writing = Vec::new();
        for step in &steps {
            let at = encoder.numbers.at(step.unit, k);
            if let Some(here) = pass(encoder, step, at, &mut contents) {
                writing.push(here);
            }
        }
        cell.contents.push(contents);
        cell.written.push(or(encoder.formula, &writing));
    }
    debug_assert_eq!(cell.contents.len(), slots as usize, "every position leaves something");
    let mut private: FxHashMap<ThreadIx, TermId> = FxHashMap::default();
    let last = cell.before(encoder.terms, slots);
    for step in &steps {
        let look = encoder.numbers.in_look(step.unit);
        let contents = private.entry(step.unit.0).or_insert(last);
        pass(encoder, step, look, contents);
    }
    cell
}

/// A unit passes by, if it is at this position: it reads the contents and changes them. Gives back
/// whether it does.
fn pass(encoder: &mut Encoder, step: &Step, at: Lit, contents: &mut TermId) -> Option<Lit> {
    if at == !encoder.formula.tru() {
        return None;
    }
    for &(occurs, seen) in &step.reads {
        encoder.equal(&[occurs, at], seen, *contents);
    }
    let (writes, value) = step.writes?;
    let here = and(encoder.formula, &[writes, at]);
    let next = encoder.terms.fresh(encoder.terms.width(value));
    encoder.equal(&[here], next, value);
    encoder.equal(&[!here], next, *contents);
    *contents = next;
    Some(here)
}

fn step(encoder: &mut Encoder, cell: &Cell, unit: &[Access]) -> Step {
    let mut reads = Vec::new();
    for (occurs, read) in encoder.reads_of_others(unit) {
        reads.push((occurs, encoder.seen(cell, read, occurs)));
    }
    let writes = encoder.outcome(unit);
    let writes =
        writes.map(|(writes, value)| (encoder.lit(writes), cell.low(encoder.terms, value)));
    Step { reads, writes, unit: unit[0].unit }
}
