//! Whether two accesses meet, by the places where each may lie.
//!
//! Idea: an address that is not constant mostly lies at one of a few known places, since the summary
//! knows which objects a pointer may point to. So two accesses meet where both lie at a
//! common place: that costs a comparison with a constant for each address and place, which all pairs share, and
//! most pairs have no common place at all. Two terms are only compared bit by bit where the places are
//! many, or not known.
//! Invariant: an access that is reached lies at one of its targets; the summary demands it.

use raddle_summary::{Event, Knowledge};
use raddle_term::{TermId, Terms};

use super::cells::Piece;

/// Beyond so many common places it is cheaper to compare the addresses themselves.
const MOST: usize = 8;

/// The addresses at which a byte of an access may lie, ascending; `None` if they are not known.
pub fn of(knowledge: &Knowledge, event: &Event, byte: u32) -> Option<Vec<u64>> {
    let place = |&(o, offset): &(_, Option<u64>)| {
        offset.map(|offset| knowledge.object(o).base + offset + u64::from(byte))
    };
    let mut all: Vec<u64> = event.targets.iter().map(place).collect::<Option<_>>()?;
    all.sort_unstable();
    Some(all)
}

/// The condition for two pieces to be at one location, if both occur.
pub fn same(terms: &mut Terms, a: &Piece, b: &Piece) -> TermId {
    match (a.constant, b.constant) {
        (Some(one), Some(other)) if one == other => return terms.tru(),
        (Some(_), Some(_)) => return terms.fals(),
        (Some(at), None) if b.cannot_be_at(at) => return terms.fals(),
        (None, Some(at)) if a.cannot_be_at(at) => return terms.fals(),
        (Some(_), None) | (None, Some(_)) | (None, None) => {}
    }
    let equal = terms.eq(a.address, b.address);
    let ([Some(some), Some(others)], None) = ([&a.places, &b.places], terms.as_const(equal)) else {
        return equal;
    };
    let common: Vec<u64> = some.iter().filter(|p| others.contains(p)).copied().collect();
    if common.len() > MOST {
        return equal;
    }
    let meet =
        common.into_iter().map(|place| both_at(terms, (a.address, place), (b.address, place)));
    let meet: Vec<TermId> = meet.collect();
    terms.or_all(&meet)
}

/// The condition for two accesses to have bytes in common, if both are reached and their places are known
/// and few.
pub fn overlap(knowledge: &Knowledge, terms: &mut Terms, a: &Event, b: &Event) -> Option<TermId> {
    let (some, others) = (of(knowledge, a, 0)?, of(knowledge, b, 0)?);
    let meets = |p: u64, q: u64| p < q + u64::from(b.bytes) && q < p + u64::from(a.bytes);
    let mut meet = Vec::new();
    for &p in &some {
        for &q in others.iter().filter(|&&q| meets(p, q)) {
            if meet.len() == MOST {
                return None;
            }
            meet.push(both_at(terms, (a.address, p), (b.address, q)));
        }
    }
    Some(terms.or_all(&meet))
}

fn both_at(terms: &mut Terms, a: (TermId, u64), b: (TermId, u64)) -> TermId {
    let [a, b] = [a, b].map(|(address, place)| {
        let place = terms.constant(u128::from(place), terms.width(address));
        terms.eq(address, place)
    });
    terms.and(a, b)
}
