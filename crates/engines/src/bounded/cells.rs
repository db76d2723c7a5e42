//! Accesses cut into pieces that touch each other wholly or not at all.
//!
//! Objects that are only accessed at constant offsets are cut at the ends of their accesses.
//! Objects that a symbolic address may reach are cut into cells of one size, which divides all
//! sizes and offsets of the accesses; objects reached by one symbolic access share that size. So
//! two pieces are at the same location iff their addresses are equal, which is a constant question
//! for most pairs.

use std::collections::BTreeSet;

use raddle_summary::{Event, EventKind, Knowledge, ObjectIx, Skeleton};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::places;

/// Part of an access.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The access it is part of.
    pub event: usize,
    /// The address.
    pub address: TermId,
    /// The address if it is constant.
    pub constant: Option<u64>,
    /// Where it may lie, ascending, if that is known.
    pub places: Option<Vec<u64>>,
    /// First byte of the access that belongs to it.
    pub first: u32,
    /// How many bytes.
    pub bytes: u32,
    /// The value.
    pub value: TermId,
}

impl Piece {
    /// Whether it never lies at an address.
    pub fn cannot_be_at(&self, address: u64) -> bool {
        self.places.as_ref().is_some_and(|all| all.binary_search(&address).is_err())
    }
}

/// Pieces that may be at the same location.
#[derive(Default, Debug)]
pub struct Group {
    /// The reads.
    pub reads: Vec<Piece>,
    /// The writes.
    pub writes: Vec<Piece>,
}

impl Group {
    /// Pieces of one location have one size, and those of one thread stand in program order.
    fn check_invariants(&self, skeleton: &Skeleton) {
        let size = self.reads.iter().chain(&self.writes).map(|p| p.bytes).next();
        for piece in self.reads.iter().chain(&self.writes) {
            let event = &skeleton.events[piece.event];
            debug_assert!(piece.bytes > 0 && Some(piece.bytes) == size, "one location, one size");
            debug_assert!(
                piece.first + piece.bytes <= event.bytes,
                "a piece is part of its access"
            );
        }
        for pieces in [&self.reads, &self.writes] {
            debug_assert!(
                pieces.is_sorted_by_key(|p| (p.event, p.first)),
                "pieces stand in the order of their accesses"
            );
        }
    }
}

/// Cuts all accesses.
pub fn cut(skeleton: &Skeleton, knowledge: &Knowledge, terms: &mut Terms) -> Vec<Group> {
    let mut classes = Classes::default();
    for event in &skeleton.events {
        for pair in event.targets.windows(2) {
            classes.unite(pair[0].0, pair[1].0);
        }
    }
    let mut symbolic: FxHashMap<ObjectIx, u64> = FxHashMap::default();
    for event in &skeleton.events {
        if event.targets.len() > 1 || event.targets[0].1.is_none() {
            symbolic.insert(classes.find(event.targets[0].0), 16);
        }
    }
    for event in &skeleton.events {
        if let Some(size) = symbolic.get_mut(&classes.find(event.targets[0].0)) {
            *size = greatest_common_divisor(*size, granule(knowledge, event));
        }
    }
    assert!(
        symbolic.values().all(|s| s.is_power_of_two()),
        "a cell fits every access of its class"
    );
    let bounds = bounds(skeleton, &mut classes, &symbolic);
    let mut groups: FxHashMap<(ObjectIx, u64), Group> = FxHashMap::default();
    let mut order: Vec<(ObjectIx, u64)> = Vec::new();
    for i in 0..skeleton.events.len() {
        let class = classes.find(skeleton.events[i].targets[0].0);
        let cuts = match symbolic.get(&class) {
            Some(&size) => {
                (0..u64::from(skeleton.events[i].bytes)).step_by(size as usize).collect()
            }
            None => constant_cuts(&skeleton.events[i], &bounds),
        };
        let kind = skeleton.events[i].kind;
        for piece in pieces(skeleton, knowledge, terms, i, &cuts) {
            // Constant locations that no symbolic address reaches are groups of their own.
            let key = match piece.constant {
                Some(at) if !symbolic.contains_key(&class) => (class, at),
                Some(_) | None => (class, 0),
            };
            let group = groups.entry(key).or_insert_with(|| {
                order.push(key);
                Group::default()
            });
            match kind {
                EventKind::Read => group.reads.push(piece),
                EventKind::Write => group.writes.push(piece),
            }
        }
    }
    let groups: Vec<Group> =
        order.into_iter().map(|key| groups.remove(&key).expect("every key has a group")).collect();
    groups.iter().for_each(|g| g.check_invariants(skeleton));
    groups
}

fn pieces(
    skeleton: &Skeleton,
    knowledge: &Knowledge,
    terms: &mut Terms,
    event: usize,
    cuts: &[u64],
) -> Vec<Piece> {
    let Event { address, bytes, value, .. } = skeleton.events[event];
    let width = terms.width(address);
    debug_assert_eq!(terms.width(value), bytes * 8, "a value fills its bytes");
    debug_assert_eq!(cuts.first(), Some(&0), "an access is cut from its first byte on");
    debug_assert!(
        skeleton.events[event].targets.len() > 1
            || skeleton.events[event].targets[0].1.is_none()
            || terms.as_const(address).is_some(),
        "an access with one place has a constant address"
    );
    let mut result = Vec::new();
    for (i, &first) in cuts.iter().enumerate() {
        let end = cuts.get(i + 1).copied().unwrap_or(u64::from(bytes));
        let (first, size) = (first as u32, (end - first) as u32);
        let offset = terms.constant(u128::from(first), width);
        let address = terms.add(address, offset);
        let value = terms.extract(value, (first + size) * 8 - 1, first * 8);
        let constant = terms.as_const(address).map(|k| k as u64);
        let places = match constant {
            Some(at) => Some(vec![at]),
            None => places::of(knowledge, &skeleton.events[event], first),
        };
        result.push(Piece { event, address, constant, places, first, bytes: size, value });
    }
    result
}

/// Where the accesses of each object begin and end, for objects without symbolic accesses.
fn bounds(
    skeleton: &Skeleton,
    classes: &mut Classes,
    symbolic: &FxHashMap<ObjectIx, u64>,
) -> FxHashMap<ObjectIx, BTreeSet<u64>> {
    let mut bounds: FxHashMap<ObjectIx, BTreeSet<u64>> = FxHashMap::default();
    for event in &skeleton.events {
        if let [(o, Some(offset))] = event.targets[..]
            && !symbolic.contains_key(&classes.find(o))
        {
            let set = bounds.entry(o).or_default();
            set.insert(offset);
            set.insert(offset + u64::from(event.bytes));
        }
    }
    bounds
}

fn constant_cuts(event: &Event, bounds: &FxHashMap<ObjectIx, BTreeSet<u64>>) -> Vec<u64> {
    let (o, offset) = event.targets[0];
    let offset = offset.expect("without symbolic accesses every offset is known");
    let end = offset + u64::from(event.bytes);
    bounds[&o].range(offset..end).map(|b| b - offset).collect()
}

/// The largest cell size that fits an access.
fn granule(knowledge: &Knowledge, event: &Event) -> u64 {
    let mut size = u64::from(event.bytes);
    for &(o, offset) in &event.targets {
        let base = knowledge.object(o).base;
        size = match offset {
            Some(offset) => greatest_common_divisor(size, base + offset),
            None => greatest_common_divisor(size, 1 << event.alignment),
        };
    }
    size
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    debug_assert!(a > 0 || b > 0, "zero has no greatest divisor");
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Union-find over objects.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<ObjectIx, ObjectIx>,
}

impl Classes {
    fn find(&mut self, o: ObjectIx) -> ObjectIx {
        let mut root = o;
        while let Some(&p) = self.parent.get(&root) {
            root = p;
        }
        if root != o {
            self.parent.insert(o, root);
        }
        root
    }

    fn unite(&mut self, a: ObjectIx, b: ObjectIx) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let before = self.parent.insert(a.max(b), a.min(b));
            debug_assert!(before.is_none(), "a root has no parent");
        }
    }
}
