//! Reads and writes: which cells an address means.
//!
//! Idea: the points-to analysis names the objects that an address may lead into, and often where;
//! each place there is a *match*: the condition that the address is that number, and the cells that
//! it means. A read chooses between the matches, a write changes the cells of each under its
//! condition. Once the automaton is unrolled most addresses are constants and one match is left.
//! An address that matches nothing is invalid if it lies beside the objects that it should lead to,
//! or where no objects are at all. Anywhere else the analysis does not apply, and the automaton ends.

use raddle_analysis::ObjectId;
use raddle_ir::{Operand, Property, Unmodelled};
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::contexts::ContextId;
use crate::layout::{Cell, CellId, GAP, Initial, Memory, ObjectIx, ThreadIx};
use crate::machine::{CutKind, OWN_BITS, Position, StateVar};

/// Most places that one access is resolved to.
const MOST_MATCHES: usize = 4096;

/// Conditions that are put together one by one.
const FEW: usize = 8;

/// Where an operand may lead.
pub(crate) struct Candidates {
    /// Objects of the points-to analysis, with offsets where they are known.
    pub names: Vec<(ObjectId, Option<u64>)>,
    /// It may lead anywhere.
    pub unknown: bool,
}

/// A place that an access may mean.
pub(crate) struct Match {
    pub cond: TermId,
    pub object: ObjectIx,
    /// The cells, lowest first.
    pub cells: Vec<CellId>,
}

/// What is accessed.
#[derive(Clone, Copy)]
pub(crate) struct Want {
    pub addr: Operand,
    pub bytes: u64,
    pub write: bool,
}

impl Builder<'_> {
    pub fn candidates(&self, context: ContextId, operand: Operand) -> Candidates {
        let c = self.layout.contexts.get(context);
        let mut names = match c.instance {
            Some(instance) => self.facts.points_to.locations_in(instance, operand),
            None => self.facts.points_to.locations(c.func, operand),
        };
        let all = names.len();
        names.retain(|n| n.0 != ObjectId::UNKNOWN);
        Candidates { unknown: names.len() < all, names }
    }

    /// The condition that the thread is this one.
    pub fn is_own(&mut self, thread: ThreadIx) -> TermId {
        let mut all = self.layout.threads_of(self.class);
        if all.next() == Some(thread) && all.next().is_none() {
            return self.terms.tru();
        }
        let own = self.vars.term(self.terms, StateVar::Own, OWN_BITS);
        let index = self.terms.constant(u128::from(thread.0), OWN_BITS);
        self.terms.eq(own, index)
    }

    pub fn cell(&mut self, path: &Path, cell: CellId) -> TermId {
        let var = StateVar::Cell(cell);
        let Cell { width, initial, constant, .. } = self.layout.cells[cell.index()];
        let old = self.vars.term(self.terms, var, width);
        if let (Initial::Value(value), true) = (initial, constant) {
            debug_assert!(!path.vars.contains_key(&var), "nobody writes it");
            return self.terms.constant(value, width);
        }
        path.vars.get(&var).copied().unwrap_or(old)
    }

    /// Writes a cell where a condition holds.
    pub fn set_cell(&mut self, path: &mut Path, cell: CellId, cond: TermId, value: TermId) {
        let old = self.cell(path, cell);
        let value = self.terms.ite(cond, value, old);
        path.vars.insert(StateVar::Cell(cell), value);
    }

    /// Whether an object lives.
    pub fn alive(&mut self, path: &Path, object: ObjectIx) -> TermId {
        match self.layout.objects[object.index()].life {
            None => self.terms.tru(),
            Some(life) => {
                let (life, live) = (self.cell(path, life), self.terms.constant(1, 2));
                self.terms.eq(life, live)
            }
        }
    }

    /// Says whether an object lives, where a condition holds.
    pub fn set_life(&mut self, path: &mut Path, object: ObjectIx, cond: TermId, life: u128) {
        if let Some(cell) = self.layout.objects[object.index()].life {
            let life = self.terms.constant(life, 2);
            self.set_cell(path, cell, cond, life);
        }
    }

    /// What an invalid access means.
    pub fn fault(&self) -> Otherwise {
        match self.program.checked.contains(Property::Memory) {
            true => Otherwise::Violate(Property::Memory, true),
            false => Otherwise::Cut(CutKind::Undefined(Property::Memory)),
        }
    }

    /// The places that an access may mean; the path goes on where it is valid.
    pub fn access(&mut self, position: Position, path: &mut Path, want: Want) -> Vec<Match> {
        let address = self.operand(path, position.context, want.addr);
        let candidates = self.candidates(position.context, want.addr);
        let mut objects: Vec<(ObjectIx, Option<u64>)> = Vec::new();
        for &(name, offset) in &candidates.names {
            objects.extend(self.layout.objects_named(name).iter().map(|&o| (o, offset)));
        }
        objects.sort_unstable();
        objects.dedup();
        let mut matches = Vec::new();
        let mut large = false;
        for &(object, offset) in &objects {
            self.places(address, object, offset, want.bytes, &mut matches);
            large |= matches.len() > MOST_MATCHES;
        }
        if large {
            let fals = self.terms.fals();
            self.require(path, position, fals, Otherwise::Cut(CutKind::Cells));
            return Vec::new();
        }
        let objects: Vec<ObjectIx> = objects.into_iter().map(|o| o.0).collect();
        self.require_match(position, path, address, (&candidates, &objects, &matches), want.bytes);
        self.require_valid(position, path, address, &matches, want);
        matches
    }

    /// Adds the places in one object.
    fn places(
        &mut self,
        address: TermId,
        object: ObjectIx,
        offset: Option<u64>,
        bytes: u64,
        matches: &mut Vec<Match>,
    ) {
        let layout = self.layout;
        let memory = &layout.objects[object.index()];
        let (grain, (first, count)) = (memory.grain, memory.cells);
        if grain == 0 || !bytes.is_multiple_of(grain) || bytes > count * grain {
            return;
        }
        let last = count * grain - bytes;
        let fixed = self.terms.as_const(address).map(|a| (a as u64).wrapping_sub(memory.base));
        let offsets: Vec<u64> = match fixed.or(offset) {
            Some(one) if one <= last && one.is_multiple_of(grain) => vec![one],
            Some(_) => Vec::new(),
            None => (0..=last).step_by(grain as usize).collect(),
        };
        let own = match memory.owner() {
            Some(owner) if layout.threads[owner.index()].class == self.class => self.is_own(owner),
            Some(_) => return,
            None => self.terms.tru(),
        };
        for offset in offsets {
            let place = u128::from(memory.base.wrapping_add(offset));
            let place = self.terms.constant(place, self.program.pointer_bits);
            let here = self.terms.eq(address, place);
            let cond = self.terms.and(own, here);
            if !self.terms.is_false(cond) && matches.len() <= MOST_MATCHES {
                let cells =
                    (0..bytes / grain).map(|i| CellId(first.0 + (offset / grain + i) as u32));
                matches.push(Match { cond, object, cells: cells.collect() });
            }
        }
    }

    /// Goes on where the address is one of the matches, or invalid.
    fn require_match(
        &mut self,
        position: Position,
        path: &mut Path,
        address: TermId,
        (candidates, objects, matches): (&Candidates, &[ObjectIx], &[Match]),
        bytes: u64,
    ) {
        let any: Vec<TermId> = matches.iter().map(|m| m.cond).collect();
        let any = self.any(&any);
        let none = self.terms.not(any);
        let missing = self.terms.and(path.cond, none);
        if self.terms.is_false(missing) {
            return;
        }
        let [mut deep, mut beside, mut between] = [self.terms.fals(); 3];
        for &object in objects {
            let memory = &self.layout.objects[object.index()];
            let known = memory.cells.1 * memory.grain;
            if memory.size >= bytes && known < memory.size && memory.grain > 0 {
                let from = known.saturating_sub(bytes) + 1;
                let inside = self.within(
                    address,
                    memory.base + from,
                    memory.size - bytes + 1 - from.min(memory.size - bytes + 1),
                );
                deep = self.terms.or(deep, inside);
            }
            if memory.grain > 1 && known >= bytes {
                let inside = self.within(address, memory.base, known - bytes + 1);
                between = self.terms.or(between, inside);
            }
            // From the last place where the access would fit on, and before the object.
            let fits = memory.size.saturating_sub(bytes) + u64::from(memory.size >= bytes);
            let behind = self.within(address, memory.base + fits, memory.size - fits + GAP / 2);
            let before = self.within(address, memory.base - GAP / 2, GAP / 2);
            let near = self.terms.or(behind, before);
            beside = self.terms.or(beside, near);
        }
        let shallow = self.terms.not(deep);
        let shallow = self.terms.or(shallow, any);
        self.require(path, position, shallow, Otherwise::Cut(CutKind::Cells));
        let aligned = self.terms.not(between);
        let aligned = self.terms.or(aligned, any);
        self.require(path, position, aligned, Otherwise::Cut(CutKind::Alignment));
        let (low, high) = self.layout.window();
        let within = self.within(address, low, high - low);
        let outside = self.terms.not(within);
        let known = self.terms.or_all(&[any, beside]);
        let known = if candidates.unknown { any } else { self.terms.or(known, outside) };
        let what = match candidates.unknown {
            true => Unmodelled::UnknownAccess,
            false => Unmodelled::Elsewhere,
        };
        self.require(path, position, known, Otherwise::Cut(CutKind::Unsupported(what)));
    }

    /// Whether an address is one of so many from a base on.
    fn within(&mut self, address: TermId, base: u64, count: u64) -> TermId {
        let bits = self.program.pointer_bits;
        let base = self.terms.constant(u128::from(base), bits);
        let distance = self.terms.sub(address, base);
        let count = self.terms.constant(u128::from(count), bits);
        self.terms.ult(distance, count)
    }

    /// Goes on where a match is in a live object and large enough.
    fn require_valid(
        &mut self,
        position: Position,
        path: &mut Path,
        address: TermId,
        matches: &[Match],
        want: Want,
    ) {
        let mut valid = Vec::new();
        for m in matches {
            let memory: &Memory = &self.layout.objects[m.object.index()];
            if want.write && memory.constant {
                continue;
            }
            let mut cond = self.alive(path, m.object);
            if let Some(length) = memory.length {
                let base = self.terms.constant(u128::from(memory.base), self.program.pointer_bits);
                let offset = self.terms.sub(address, base);
                let offset = self.terms.zext(offset, 64);
                let bytes = self.terms.constant(u128::from(want.bytes), 64);
                let (end, length) = (self.terms.add(offset, bytes), self.cell(path, length));
                let fits = self.terms.ule(end, length);
                cond = self.terms.and(cond, fits);
            }
            valid.push(self.terms.and(m.cond, cond));
        }
        let valid = self.any(&valid);
        let fault = self.fault();
        self.require(path, position, valid, fault);
    }

    /// What is read.
    pub fn read(&mut self, path: &Path, matches: &[Match], bytes: u64) -> TermId {
        let mut value = None;
        for m in matches {
            let mut all: Option<TermId> = None;
            for &cell in &m.cells {
                let part = self.cell(path, cell);
                all = Some(all.map_or(part, |low| self.terms.concat(part, low)));
            }
            let all = all.expect("an access has a byte");
            value = Some(value.map_or(all, |other| self.terms.ite(m.cond, all, other)));
        }
        value.unwrap_or_else(|| self.terms.constant(0, 8 * bytes as u32))
    }

    /// Writes where a condition holds. What changes is a trace of the iterations under way.
    pub fn write(
        &mut self,
        here: Position,
        path: &mut Path,
        matches: &[Match],
        cond: TermId,
        value: TermId,
    ) {
        let watched = self.is_watched(here);
        let changes = self.put(path, matches, cond, value, watched);
        let changed = self.any(&changes);
        self.note_trace(here, path, changed);
    }

    /// The same without a trace; under which conditions cells are changed, if somebody asks.
    pub fn put(
        &mut self,
        path: &mut Path,
        matches: &[Match],
        cond: TermId,
        value: TermId,
        asks: bool,
    ) -> Vec<TermId> {
        let mut changes = Vec::new();
        for m in matches {
            let cond = self.terms.and(cond, m.cond);
            let shared = self.layout.objects[m.object.index()].owner().is_none();
            let mut low = 0;
            for &cell in &m.cells {
                let width = self.layout.cells[cell.index()].width;
                let part = self.terms.extract(value, low + width - 1, low);
                if shared && self.spin.is_some() {
                    self.keep_cell(path, cell, cond, part);
                }
                if asks {
                    let old = self.cell(path, cell);
                    let differs = self.terms.ne(old, part);
                    changes.push(self.terms.and(cond, differs));
                }
                self.set_cell(path, cell, cond, part);
                low += width;
            }
        }
        changes
    }

    /// Disjunction of many conditions. Halves are put together, so that comparing what is put together
    /// with all that came before does not cost a square of their number.
    pub fn any(&mut self, conds: &[TermId]) -> TermId {
        if conds.len() <= FEW {
            return self.terms.or_all(conds);
        }
        let (first, second) = conds.split_at(conds.len() / 2);
        let (first, second) = (self.any(first), self.any(second));
        self.terms.or(first, second)
    }
}
