//! Which accesses of automata can race: for all engines that compose automata.

use raddle_automaton::Access;
use raddle_term::{TermId, Terms};

/// Whether two accesses can race, their addresses aside.
pub fn conflicts(terms: &Terms, x: &Access, y: &Access) -> bool {
    let writes = |a: &Access| !terms.is_false(a.writes);
    !(x.atomic && y.atomic) && (writes(x) || writes(y))
}

/// The condition that two accesses have a byte in common.
pub fn overlap(terms: &mut Terms, x: &Access, y: &Access) -> TermId {
    let width = terms.width(x.address);
    // Valid accesses do not wrap around.
    let (ahead, behind) = (terms.sub(x.address, y.address), terms.sub(y.address, x.address));
    let (in_y, in_x) =
        (terms.constant(u128::from(y.bytes), width), terms.constant(u128::from(x.bytes), width));
    let (a, b) = (terms.ult(ahead, in_y), terms.ult(behind, in_x));
    terms.or(a, b)
}
