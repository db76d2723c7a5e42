//! Implicit reads: only what a position writes is written down, and a read looks for the last
//! position that wrote its cell.
//!
//! A position holds one value, not one for each cell. A unit with several writes needs several
//! values at its position: its writes are numbered, and these numbers are *lanes*. For each lane
//! and position there is a value; for each group of accesses that may meet ([`crate::bounded::cells`]) whether the
//! position writes there, and where, if addresses are symbolic. The position of a read's source is
//! the last one before the read's own whose write is at the address of the read: one comparison of
//! addresses for each position, however many cells there are. A read without source finds what
//! memory held at the start.
//! Source: paper 001 §4.1, read-implicit scheme. We differ: the source is not guessed and then
//! checked against the next write of the same variable (`var_nxt_wr`); that no later position
//! matches is passed on from the last position to the first, which says the same. In the look, a
//! read that comes after a write of its own thread there finds anything: nobody asks, since a
//! thread that waits has written nothing since.
//! Cost: positions × accesses; for symbolic addresses also a comparison of addresses for each.

use std::collections::BTreeSet;

use raddle_summary::{EventKind, ThreadIx};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::bounded::before::Unit;
use crate::bounded::cells::{Group, Piece};
use crate::bounded::formula::Lit;
use crate::bounded::initial::{self, InitialMemory};
use crate::bounded::scene::Scene;
use crate::slots::chain::Encoder;
use crate::slots::gates::{and, or};

/// The values that positions hold, for all groups.
pub struct Positions {
    /// By lane and position; wide enough for all writes of the lane.
    values: Vec<Vec<TermId>>,
    /// The lanes of pieces that write, by their access and first byte.
    lanes: FxHashMap<(usize, u32), usize>,
}

/// What the positions hold for one group, in one lane.
struct Row {
    lane: usize,
    /// For each position: it writes in this group.
    writes: Vec<Lit>,
    /// For each position: where.
    places: Vec<TermId>,
}

/// Whether accesses of a group are of interest to several threads.
pub fn is_shared(scene: Scene, group: &Group) -> bool {
    let threads = |p: &Piece| scene.skeleton.events[p.event].thread;
    let first = group.reads.first().map(threads);
    first.is_some_and(|t| group.reads.iter().chain(&group.writes).any(|p| threads(p) != t))
}

/// Whether some access of a group has a symbolic address.
pub fn is_symbolic(group: &Group) -> bool {
    group.reads.iter().chain(&group.writes).any(|p| p.constant.is_none())
}

impl Positions {
    /// For these groups.
    pub fn new(encoder: &mut Encoder, scene: Scene, groups: &[&Group]) -> Positions {
        let mut taken: FxHashMap<Unit, usize> = FxHashMap::default();
        let mut lanes = FxHashMap::default();
        let mut widths: Vec<u32> = Vec::new();
        for piece in groups.iter().flat_map(|g| &g.writes) {
            let event = &scene.skeleton.events[piece.event];
            let next = taken.entry((event.thread, event.unit)).or_insert(0);
            widths.resize(widths.len().max(*next + 1), 0);
            widths[*next] = widths[*next].max(piece.bytes * 8);
            let before = lanes.insert((piece.event, piece.first), *next);
            assert!(before.is_none(), "a piece belongs to one group");
            *next += 1;
        }
        let slots = encoder.numbers.slots();
        let mut lane = |width| (0..slots).map(|_| encoder.terms.fresh(width)).collect();
        let values = widths.into_iter().map(&mut lane).collect();
        Positions { values, lanes }
    }

    /// Encodes a group; gives back its writes.
    pub fn group(
        &self,
        encoder: &mut Encoder,
        scene: Scene,
        initial: &mut InitialMemory,
        group: &Group,
    ) -> Vec<(Unit, Lit)> {
        let mut rows = self.rows(encoder, group);
        let mut writes = Vec::new();
        for write in &group.writes {
            let event = &scene.skeleton.events[write.event];
            let occurs = encoder.lit(event.guard);
            writes.push(((event.thread, event.unit), occurs));
            self.write(encoder, &mut rows, write, (event.thread, event.unit), occurs);
        }
        let private = private(encoder, &writes);
        for read in &group.reads {
            let event = &scene.skeleton.events[read.event];
            let open = own_writes_first(encoder, scene, group, read);
            let own = private.get(&event.thread).map_or(&[] as &[_], |all| all);
            let earlier = own.partition_point(|&(unit, _)| unit < event.unit);
            let open = match own[..earlier].last() {
                Some(&(_, wrote)) => and(encoder.formula, &[open, !wrote]),
                None => open,
            };
            let open = self.sources(encoder, &rows, read, (event.thread, event.unit), open);
            for (condition, value) in initial::contents(scene, encoder.terms, initial, event, read)
            {
                let condition = encoder.lit(condition);
                encoder.equal(&[open, condition], read.value, value);
            }
        }
        writes
    }

    /// Rows for a group, still empty. Later writes of a unit, which hide earlier ones, have later
    /// rows.
    fn rows(&self, encoder: &mut Encoder, group: &Group) -> Vec<Row> {
        let lanes = group.writes.iter().map(|w| self.lanes[&(w.event, w.first)]);
        let lanes: BTreeSet<usize> = lanes.collect();
        let slots = encoder.numbers.slots() as usize;
        let address = group.writes.first().map(|w| encoder.terms.width(w.address));
        let address = address.filter(|_| is_symbolic(group));
        let mut row = |lane| {
            let places = address.map_or(Vec::new(), |width| {
                (0..slots).map(|_| encoder.terms.fresh(width)).collect()
            });
            Row { lane, writes: vec![!encoder.formula.tru(); slots], places }
        };
        lanes.into_iter().map(&mut row).collect()
    }

    /// A write, at whichever position it is.
    fn write(
        &self,
        encoder: &mut Encoder,
        rows: &mut [Row],
        write: &Piece,
        unit: Unit,
        occurs: Lit,
    ) {
        let lane = self.lanes[&(write.event, write.first)];
        let row = rows.iter_mut().find(|row| row.lane == lane).expect("a row for each lane");
        for (k, (value, writes)) in self.values[lane].iter().zip(&mut row.writes).enumerate() {
            let at = encoder.numbers.at(unit, k as u32);
            let here = and(encoder.formula, &[occurs, at]);
            let wide = encoder.terms.zext(write.value, encoder.terms.width(*value));
            encoder.equal(&[here], *value, wide);
            if let Some(&place) = row.places.get(k) {
                encoder.equal(&[here], place, write.address);
            }
            *writes = or(encoder.formula, &[*writes, here]);
        }
    }

    /// Looks for the source of a read among the positions before it, from the last one to the
    /// first. Gives back whether there is none.
    fn sources(
        &self,
        encoder: &mut Encoder,
        rows: &[Row],
        read: &Piece,
        unit: Unit,
        mut open: Lit,
    ) -> Lit {
        for k in (0..encoder.numbers.slots()).rev() {
            let before = encoder.numbers.after(encoder.formula, unit, k);
            for row in rows.iter().rev() {
                let mut matches = vec![before, row.writes[k as usize]];
                if let Some(&place) = row.places.get(k as usize) {
                    let same = encoder.terms.eq(read.address, place);
                    matches.push(encoder.lit(same));
                }
                let source = and(encoder.formula, &matches);
                let value = self.values[row.lane][k as usize];
                let value = encoder.terms.extract(value, read.bytes * 8 - 1, 0);
                encoder.equal(&[open, source], read.value, value);
                open = and(encoder.formula, &[open, !source]);
            }
        }
        open
    }
}

/// For each thread its units that write, in program order, each with: it or an earlier one writes
/// in the look.
fn private(encoder: &mut Encoder, writes: &[(Unit, Lit)]) -> FxHashMap<ThreadIx, Vec<(u32, Lit)>> {
    let mut all: FxHashMap<ThreadIx, Vec<(u32, Lit)>> = FxHashMap::default();
    for &(unit, occurs) in writes {
        let look = encoder.numbers.in_look(unit);
        let here = and(encoder.formula, &[look, occurs]);
        let own = all.entry(unit.0).or_default();
        let wrote = own.last().map_or(here, |&(_, before)| or(encoder.formula, &[before, here]));
        debug_assert!(own.last().is_none_or(|last| last.0 <= unit.1), "in program order");
        own.push((unit.1, wrote));
    }
    all
}

/// Links a read to the writes of its own unit before it, the last one first. Gives back whether it
/// occurs and sees none of them.
fn own_writes_first(encoder: &mut Encoder, scene: Scene, group: &Group, read: &Piece) -> Lit {
    let access = &scene.skeleton.events[read.event];
    debug_assert_eq!(access.kind, EventKind::Read, "only reads look");
    let mut open = encoder.lit(access.guard);
    for write in group.writes.iter().rev() {
        let event = &scene.skeleton.events[write.event];
        let is_own = (event.thread, event.unit) == (access.thread, access.unit);
        if is_own && event.position < access.position {
            let same = encoder.terms.eq(read.address, write.address);
            let seen = encoder.terms.and(event.reached, same);
            let seen = encoder.lit(seen);
            encoder.equal(&[open, seen], read.value, write.value);
            open = and(encoder.formula, &[open, !seen]);
        }
    }
    open
}
