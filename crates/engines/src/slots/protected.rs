//! What reads find inside critical sections, without asking when they happen.
//!
//! While a thread holds a mutex that can be relied upon ([`Sections`]), what is only written under
//! that mutex does not change, but by the thread itself: a read finds what the thread's last access
//! in the same section found or left there. Such a read needs no contents of its cell in time, and
//! that sections exclude each other is known to the solver instead of being found out.
//! **Invariant:** what is said here holds in every execution. A read with a known value is still an
//! access: it conflicts with writes like any other.
//!
//! [`Sections`]: crate::bounded::sections::Sections

use raddle_summary::{Event, EventKind};
use raddle_term::{TermId, Terms};

use super::chain::Access;
use crate::bounded::facts::Facts;
use crate::bounded::sections::under;

/// Notes the reads of a cell whose values are known. Accesses come with their events, those of each
/// thread in program order.
pub fn learn(terms: &Terms, facts: &mut Facts, events: &[&Event], accesses: &mut [Access]) {
    assert_eq!(events.len(), accesses.len(), "an event for each access");
    for i in 0..accesses.len() {
        if accesses[i].kind == EventKind::Read {
            accesses[i].known = again(terms, facts, events, accesses, i);
        }
    }
}

/// What the thread's last access has found or left, if it is in the same section.
fn again(
    terms: &Terms,
    facts: &mut Facts,
    events: &[&Event],
    accesses: &[Access],
    read: usize,
) -> Option<TermId> {
    let thread = accesses[read].unit.0;
    let last = (0..read).rev().find(|&i| accesses[i].unit.0 == thread)?;
    // Inside a unit the order of accesses decides.
    if accesses[last].unit == accesses[read].unit {
        return None;
    }
    let others = || events.iter().filter(|e| e.thread != thread && e.kind == EventKind::Write);
    let mutexes = facts.sections.common(events[last], events[read]);
    let alone = mutexes.iter().any(|&m| others().all(|write| under(write, &[m])));
    let is_made =
        alone && facts.implication.holds(terms, accesses[read].occurs, accesses[last].occurs);
    is_made.then_some(accesses[last].value)
}
