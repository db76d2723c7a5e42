//! Whether clusters of single threads are needed, or could be merged.
//!
//! Of all ways to write an execution down as clusters of one thread each, take one with the fewest
//! clusters, and of these one whose units have the smallest positions. In it, a unit u that is at a
//! later position than the unit before it, v, has a reason:
//! - u reads what another thread has written since, writes what another has accessed since, or
//!   joins a thread that ended since. Otherwise u could be at the position of v: among those that
//!   only read, or at the end of the cluster if it is the thread's own; or
//! - u publishes, and the cluster at v's position is not its thread's, so u must go elsewhere.
//!
//! *Since* is: from v's position on, without that position if its cluster is the thread's own. A
//! thread that is created begins at the position of its creation or the one after. The prefixes of
//! such an execution are of this kind, too. So if none goes beyond the bound, no execution does.
//! (The second reason says less than could be said; then more clusters than needed are looked at,
//! never fewer.)

use raddle_summary::{EventKind, ThreadIx};
use rustc_hash::FxHashMap;

use super::needed::Needed;
use super::sequence::{Publishing, Sequence};
use crate::bounded::before::Unit;
use crate::bounded::formula::Lit;
use crate::bounded::scene::Scene;
use crate::slots::composition::Edge;
use crate::slots::gates::clause;
use crate::slots::memory::{Memory, Touch};

/// What a unit may meet.
struct Meeting {
    /// It is there to meet something.
    occurs: Lit,
    /// For each position: something is there.
    there: Vec<Lit>,
    /// It must come before the unit's own position: the unit reads, and who is last there comes
    /// later.
    earlier: bool,
}

/// Every unit has a reason to be where it is.
pub fn require(
    needed: &mut Needed,
    scene: Scene,
    memory: &Memory,
    edges: &[Edge],
    publishing: &Publishing,
    sequence: &Sequence,
) {
    let mut meetings = conflicts(needed, memory);
    let slots = needed.numbers.slots();
    for edge in edges {
        let there = (0..slots).map(|k| needed.numbers.at(edge.from, k)).collect();
        let meeting = Meeting { occurs: edge.condition, there, earlier: false };
        meetings.entry(edge.to).or_default().push(meeting);
    }
    for (t, thread) in (0..).zip(&scene.skeleton.threads) {
        let thread_ix = ThreadIx(t);
        begins(needed, thread_ix, edges);
        let owned: Vec<Lit> = sequence.owned.iter().map(|threads| threads[t as usize]).collect();
        for u in 1..thread.units {
            let unit = (thread_ix, u);
            let meetings = meetings.get(&unit).map_or(&[] as &[Meeting], |all| all);
            has_reason(needed, unit, publishing.of(unit), &owned, meetings);
        }
    }
}

/// A created thread begins at the position of its creation or the next.
fn begins(needed: &mut Needed, thread: ThreadIx, edges: &[Edge]) {
    let first = (thread, 0);
    let creations: Vec<Unit> = edges.iter().filter(|e| e.to == first).map(|e| e.from).collect();
    debug_assert_eq!(creations.len(), usize::from(thread.0 > 0), "all but the first are created");
    for k in 1..needed.numbers.slots() {
        let at = creations.iter().flat_map(|&c| [k - 1, k].map(|k| needed.numbers.at(c, k)));
        let some: Vec<Lit> = at.chain([!needed.condition, !needed.numbers.at(first, k)]).collect();
        clause(needed.formula, &some);
    }
}

/// If a unit is later than the one before, it has met something, or publishes and could not stay.
fn has_reason(
    needed: &mut Needed,
    unit: Unit,
    publishes: Lit,
    owned: &[Lit],
    meetings: &[Meeting],
) {
    assert!(unit.1 > 0, "the first unit of a thread is its existence");
    debug_assert_eq!(owned.len(), needed.numbers.slots() as usize, "owners of all positions");
    let before = (unit.0, unit.1 - 1);
    let [stays, elsewhere] = [(); 2].map(|()| needed.formula.new_lit());
    clause(needed.formula, &[!elsewhere, publishes]);
    for (k, &owned) in (0..).zip(owned) {
        let [was, is] = [before, unit].map(|u| needed.numbers.at(u, k));
        clause(needed.formula, &[!stays, !is, was]);
        clause(needed.formula, &[!elsewhere, !was, !owned]);
    }
    let mut some = vec![!needed.condition, needed.numbers.in_look(unit), stays, elsewhere];
    for (k, &owned) in (0..).zip(owned) {
        for meeting in meetings {
            let met = needed.formula.new_lit();
            clause(needed.formula, &[!met, meeting.occurs]);
            clause(needed.formula, &[!met, meeting.there[k as usize]]);
            let since = needed.numbers.after(needed.formula, before, k);
            clause(needed.formula, &[!met, !since]);
            clause(needed.formula, &[!met, !needed.numbers.at(before, k), !owned]);
            if meeting.earlier || k > 0 {
                let least = if meeting.earlier { k } else { k - 1 };
                let reaches = needed.numbers.after(needed.formula, unit, least);
                clause(needed.formula, &[!met, reaches]);
            }
            some.push(met);
        }
    }
    clause(needed.formula, &some);
}

/// The accesses of others that accesses of units conflict with.
fn conflicts(needed: &mut Needed, memory: &Memory) -> FxHashMap<Unit, Vec<Meeting>> {
    let mut by_cell: Vec<Vec<&Touch>> = vec![Vec::new(); memory.cells.len()];
    for touch in &memory.touches {
        by_cell[touch.cell].push(touch);
    }
    let mut all: FxHashMap<Unit, Vec<Meeting>> = FxHashMap::default();
    for touches in by_cell {
        let at = touches.iter().map(|t| {
            let slots = 0..needed.numbers.slots();
            slots.map(|k| needed.both(t.occurs, needed.numbers.at(t.unit, k))).collect()
        });
        let at: Vec<Vec<Lit>> = at.collect();
        let mut found: FxHashMap<(ThreadIx, bool), Vec<Lit>> = FxHashMap::default();
        for touch in &touches {
            let reads = touch.kind == EventKind::Read;
            let there = found.entry((touch.unit.0, reads)).or_insert_with(|| {
                let others = touches.iter().zip(&at).filter(|(other, _)| {
                    other.unit.0 != touch.unit.0 && (!reads || other.kind == EventKind::Write)
                });
                let others: Vec<&Vec<Lit>> = others.map(|(_, at)| at).collect();
                some_of(needed, &others)
            });
            let (occurs, there) = (touch.occurs, there.clone());
            let meeting = Meeting { occurs, there, earlier: reads };
            all.entry(touch.unit).or_default().push(meeting);
        }
    }
    all
}

/// For each position a literal that implies one of these.
fn some_of(needed: &mut Needed, lits: &[&Vec<Lit>]) -> Vec<Lit> {
    let mut all = Vec::new();
    for k in 0..needed.numbers.slots() as usize {
        let any = needed.formula.new_lit();
        let some: Vec<Lit> = lits.iter().map(|at| at[k]).chain([!any]).collect();
        clause(needed.formula, &some);
        all.push(any);
    }
    all
}
