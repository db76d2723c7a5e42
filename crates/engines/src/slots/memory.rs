//! Accesses divided among cells.
//!
//! The pieces of accesses ([`cells`]) touch each other wholly or not at all, so memory is a set of
//! cells with constant addresses. A piece with a constant address is an access of one cell. One
//! with a symbolic address is an access of each cell that it may lie in, under the condition that
//! it does lie there (paper 002 §2.1 treats pointers in the same way). Only cells that somebody may
//! write get contents in time; what is read elsewhere is what memory held at the start. Limits: the
//! product of symbolic accesses, cells and slots. It is estimated first, and if it is too large
//! nothing is encoded ([`Stop::Large`]).

use std::collections::BTreeMap;

use raddle_ir::Place;
use raddle_summary::{Event, EventKind};
use raddle_term::TermId;

use super::chain::{Access, Cell, Encoder};
use super::protected;
use crate::Budget;
use crate::bounded::before::Unit;
use crate::bounded::cells::{self, Group, Piece};
use crate::bounded::composition::Stop;
use crate::bounded::facts::Facts;
use crate::bounded::formula::Lit;
use crate::bounded::initial::{self, InitialMemory};
use crate::bounded::scene::Scene;

/// More clauses than this are not made for one program: they take a gigabyte or two.
const MOST_CLAUSES: u64 = 10_000_000;

/// An access of a cell that others can notice.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Where.
    pub unit: Unit,
    /// Which cell, in [`Memory::cells`].
    pub cell: usize,
    /// It occurs, at this cell.
    pub occurs: Lit,
    /// Read or write.
    pub kind: EventKind,
}

/// All of shared memory in time.
#[derive(Default)]
pub struct Memory {
    /// The cells that may change.
    pub cells: Vec<Cell>,
    /// The accesses of cells that several threads access.
    pub touches: Vec<Touch>,
    /// Pieces of accesses.
    pub pieces: usize,
}

/// How an engine links the accesses of one cell.
pub type Link<'a> = dyn Fn(&mut Encoder, TermId, &[Access]) -> Cell + 'a;

impl Encoder<'_> {
    /// Encodes all accesses by chains of threads.
    pub fn memory(
        &mut self,
        scene: Scene,
        initial: &mut InitialMemory,
        facts: &mut Facts,
        budget: &Budget,
    ) -> Result<Memory, Stop> {
        let groups = cells::cut(scene.skeleton, scene.knowledge, self.terms);
        let cost = Cost { scene, slots: self.numbers.slots() };
        cost.check(groups.iter())?;
        let mut memory = Memory::default();
        for group in &groups {
            if budget.is_over() {
                return Err(Stop::Time);
            }
            let chains: &Link = &|encoder, start, accesses| encoder.cell(start, accesses);
            self.group(scene, initial, facts, group, chains, budget, &mut memory)?;
        }
        Ok(memory)
    }

    /// Encodes the accesses of a group, cell by cell.
    #[expect(clippy::too_many_arguments, reason = "what is encoded, where to, and how")]
    pub fn group(
        &mut self,
        scene: Scene,
        initial: &mut InitialMemory,
        facts: &mut Facts,
        group: &Group,
        link: &Link,
        budget: &Budget,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        memory.pieces += group.reads.len() + group.writes.len();
        let mut written: BTreeMap<u64, Vec<&Piece>> = BTreeMap::new();
        for address in group.writes.iter().flat_map(|w| places(scene, w)) {
            written.entry(address).or_default();
        }
        let mut pieces: Vec<&Piece> = group.reads.iter().chain(&group.writes).collect();
        pieces.sort_by_key(|p| {
            let event = &scene.skeleton.events[p.event];
            (event.unit, event.position, p.first)
        });
        for piece in pieces {
            let mut elsewhere = false;
            for address in places(scene, piece) {
                match written.get_mut(&address) {
                    Some(cell) => cell.push(piece),
                    None => elsewhere = true,
                }
            }
            if elsewhere {
                self.never_written(scene, initial, piece, &written);
            }
        }
        for (address, pieces) in written {
            if budget.is_over() {
                return Err(Stop::Time);
            }
            // What nobody reads tells nobody anything.
            if pieces.iter().all(|p| scene.skeleton.events[p.event].kind == EventKind::Write) {
                continue;
            }
            let mut accesses: Vec<Access> =
                pieces.iter().map(|p| self.access(scene, p, address)).collect();
            let events: Vec<&Event> =
                pieces.iter().map(|p| &scene.skeleton.events[p.event]).collect();
            protected::learn(self.terms, facts, &events, &mut accesses);
            let bytes = pieces[0].bytes;
            debug_assert!(pieces.iter().all(|p| p.bytes == bytes), "one location, one size");
            let start = initial::at(scene, self.terms, initial, address, bytes);
            let cell = link(self, start, &accesses);
            if !cell.contents.is_empty() {
                let cell = memory.cells.len();
                for a in &accesses {
                    let occurs = self.formula.lit(self.terms, a.occurs);
                    memory.touches.push(Touch { unit: a.unit, cell, occurs, kind: a.kind });
                }
            }
            memory.cells.push(cell);
        }
        Ok(())
    }

    /// A piece as an access of a cell.
    fn access(&mut self, scene: Scene, piece: &Piece, address: u64) -> Access {
        let event = &scene.skeleton.events[piece.event];
        let hit = self.is_at(piece, address);
        Access {
            unit: (event.thread, event.unit),
            kind: event.kind,
            occurs: self.terms.and(event.guard, hit),
            reached: self.terms.and(event.reached, hit),
            value: piece.value,
            known: None,
        }
    }

    /// Whether a piece lies in the cell at this address.
    fn is_at(&mut self, piece: &Piece, address: u64) -> TermId {
        let width = self.terms.width(piece.address);
        let address = self.terms.constant(u128::from(address), width);
        self.terms.eq(piece.address, address)
    }

    /// A read finds what memory held at the start, if it is at none of the cells that are written.
    fn never_written(
        &mut self,
        scene: Scene,
        initial: &mut InitialMemory,
        read: &Piece,
        written: &BTreeMap<u64, Vec<&Piece>>,
    ) {
        let event = &scene.skeleton.events[read.event];
        assert_eq!(event.kind, EventKind::Read, "a write is at a cell that is written");
        let mut occurs = event.guard;
        for address in places(scene, read).into_iter().filter(|a| written.contains_key(a)) {
            let hit = self.is_at(read, address);
            let miss = self.terms.not(hit);
            occurs = self.terms.and(occurs, miss);
        }
        let occurs = self.formula.lit(self.terms, occurs);
        for (condition, value) in initial::contents(scene, self.terms, initial, event, read) {
            let condition = self.formula.lit(self.terms, condition);
            let equal = self.terms.eq(read.value, value);
            self.formula.assert_implies(self.terms, &[occurs, condition], equal);
        }
    }
}

/// The addresses of the cells that a piece may lie in.
fn places(scene: Scene, piece: &Piece) -> Vec<u64> {
    if let Some(address) = piece.constant {
        return vec![address];
    }
    let mut all = Vec::new();
    for &(o, offset) in &scene.skeleton.events[piece.event].targets {
        let object = scene.knowledge.object(o);
        match offset {
            Some(offset) => all.push(object.base + offset + u64::from(piece.first)),
            None => {
                let whole = object.size / u64::from(piece.bytes);
                all.extend((0..whole).map(|i| object.base + i * u64::from(piece.bytes)));
            }
        }
    }
    debug_assert!(!all.is_empty(), "an access lies somewhere");
    debug_assert!(all.iter().all(|&a| scene.knowledge.find(a).is_some()), "cells lie in objects");
    all
}

/// An estimate of what an encoding takes.
pub struct Cost<'a> {
    /// What is encoded.
    pub scene: Scene<'a>,
    /// In so many slots.
    pub slots: u32,
}

impl Cost<'_> {
    /// An error if it is too large.
    pub fn check<'g>(&self, groups: impl Iterator<Item = &'g Group>) -> Result<(), Stop> {
        let mut total: u64 = 0;
        let mut largest = (0, Place::UNKNOWN);
        for (piece, clauses) in groups.flat_map(|g| self.pieces(g)) {
            total = total.saturating_add(clauses);
            if clauses > largest.0 {
                let event: &Event = &self.scene.skeleton.events[piece.event];
                largest = (clauses, self.scene.program.place(event.site));
            }
        }
        match total > MOST_CLAUSES {
            true => Err(Stop::Large { clauses: total, place: largest.1 }),
            false => Ok(()),
        }
    }

    /// The clauses of some groups.
    pub fn clauses<'g>(&self, groups: impl Iterator<Item = &'g Group>) -> u64 {
        let pieces = groups.flat_map(|g| self.pieces(g));
        pieces.fold(0, |sum, (_, clauses)| sum.saturating_add(clauses))
    }

    /// The accesses of a group, each with its clauses. What nobody writes is what memory held at the start.
    fn pieces<'g>(&self, group: &'g Group) -> impl Iterator<Item = (&'g Piece, u64)> {
        let sum = |sum: u64, piece| sum.saturating_add(self.cells(piece));
        let written = group.writes.iter().fold(0, sum);
        let clauses = move |cells: u64, piece: &Piece| {
            let bits = u64::from(piece.bytes) * 8;
            cells.saturating_mul(u64::from(self.slots) + 1).saturating_mul(2 * bits + 4)
        };
        let pieces = group.reads.iter().chain(&group.writes);
        pieces.map(move |piece| (piece, clauses(self.cells(piece).min(written), piece)))
    }

    /// How many cells a piece may lie in.
    fn cells(&self, piece: &Piece) -> u64 {
        let targets = &self.scene.skeleton.events[piece.event].targets;
        match piece.constant {
            Some(_) => 1,
            None => targets
                .iter()
                .map(|&(o, offset)| match offset {
                    Some(_) => 1,
                    None => self.scene.knowledge.object(o).size / u64::from(piece.bytes),
                })
                .sum(),
        }
    }
}
