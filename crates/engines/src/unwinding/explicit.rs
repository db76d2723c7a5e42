//! Explicit reads: for each cell its contents after each position.
//!
//! At a position at most one unit writes, and it comes last. So a read finds what the cell held
//! before its position, whoever wrote it, and what a position leaves is what its unit writes, or
//! what was there before. Only in the look, where a thread runs on by itself, it may come to its
//! own writes.
//! Source: paper 001 §4.1, read-explicit scheme: the matrix `mem`.
//! Cost: positions × (accesses + cells), each with two clauses for each bit.

use raddle_summary::{EventKind, ThreadIx};
use raddle_term::TermId;

use crate::bounded::formula::Lit;
use crate::slots::chain::{Access, Cell, Encoder};
use crate::slots::gates::{and, or};

/// What a thread has written in the look.
struct Private {
    wrote: Lit,
    value: Option<TermId>,
}

/// Links the accesses of one cell, those of each thread in program order.
pub fn cell(encoder: &mut Encoder, initial: TermId, accesses: &[Access]) -> Cell {
    let mut threads: Vec<ThreadIx> = accesses.iter().map(|a| a.unit.0).collect();
    threads.sort_unstable();
    threads.dedup();
    if threads.len() < 2 {
        return encoder.cell(initial, accesses);
    }
    let slots = encoder.numbers.slots();
    let mut cell = Cell::new(encoder.terms, initial, accesses);
    cell.contents = (0..slots).map(|_| encoder.terms.fresh(cell.bits)).collect();
    let mut writing: Vec<Vec<Lit>> = vec![Vec::new(); slots as usize];
    for thread in threads {
        let own: Vec<Access> = accesses.iter().filter(|a| a.unit.0 == thread).copied().collect();
        let mut private = Private { wrote: !encoder.formula.tru(), value: None };
        for unit in own.chunk_by(|a, b| a.unit == b.unit) {
            for (occurs, read) in encoder.reads_of_others(unit) {
                read_at(encoder, &cell, read, occurs, &private);
            }
            let Some((writes, value)) = encoder.outcome(unit) else { continue };
            let writes = encoder.lit(writes);
            let value = cell.low(encoder.terms, value);
            let here = unit[0].unit;
            debug_assert!(unit.is_sorted_by_key(|a| a.unit), "units in program order");
            for k in 0..slots {
                let at = encoder.numbers.at(here, k);
                let writes = and(encoder.formula, &[writes, at]);
                encoder.equal(&[writes], cell.contents[k as usize], value);
                writing[k as usize].push(writes);
            }
            private = private.after(encoder, writes, encoder.numbers.in_look(here), value);
        }
    }
    for (k, writing) in (0..slots).zip(writing) {
        let written = or(encoder.formula, &writing);
        let before = cell.before(encoder.terms, k);
        encoder.equal(&[!written], cell.contents[k as usize], before);
        cell.written.push(written);
    }
    debug_assert_eq!(cell.contents.len(), cell.written.len(), "both are of positions");
    cell
}

/// A read that sees no write of its own unit.
fn read_at(encoder: &mut Encoder, cell: &Cell, read: &Access, occurs: Lit, private: &Private) {
    debug_assert_eq!(read.kind, EventKind::Read, "only reads look");
    let slots = encoder.numbers.slots();
    let seen = encoder.seen(cell, read, occurs);
    for k in 0..slots {
        let at = encoder.numbers.at(read.unit, k);
        let before = cell.before(encoder.terms, k);
        encoder.equal(&[occurs, at], seen, before);
    }
    let look = encoder.numbers.in_look(read.unit);
    let last = cell.before(encoder.terms, slots);
    encoder.equal(&[occurs, look, !private.wrote], seen, last);
    if let Some(value) = private.value {
        encoder.equal(&[occurs, look, private.wrote], seen, value);
    }
}

impl Private {
    /// After a unit that may write, and may be in the look.
    fn after(self, encoder: &mut Encoder, writes: Lit, look: Lit, value: TermId) -> Private {
        let here = and(encoder.formula, &[writes, look]);
        let Some(before) = self.value else {
            return Private { wrote: here, value: Some(value) };
        };
        let next = encoder.terms.fresh(encoder.terms.width(value));
        encoder.equal(&[here], next, value);
        encoder.equal(&[!here], next, before);
        let wrote = or(encoder.formula, &[here, self.wrote]);
        Private { wrote, value: Some(next) }
    }
}
