//! Loads and stores: private ones are plain values, shared ones become events.
//!
//! Idea: where an access goes is in `address.rs`. What no other thread touches is read and written
//! in the private memory of the path; what is shared but never written while others run is what it
//! was at the start; the rest are events. An access that may be all of these is split: one event
//! for the shared places, under the condition that it goes there, and a choice by address for the
//! others. Every access first looks whether its object is alive (`lifetime.rs`).

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{Access, InstrRef, Unmodelled};
use raddle_term::{Op, TermId};

use crate::address::{Destination, Split, Spot};
use crate::beginning::Beginning;
use crate::holding::WORD;
use crate::knowledge::{ObjectIx, ObjectKey, Range, Target, overlap};
use crate::memory::{Memory, Part};
use crate::record::NewEvent;
use crate::skeleton::{EventKind, Trail};
use crate::state::State;
use crate::walk::Walk;

/// How an access is made.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub at: InstrRef,
    pub access: Access,
    /// The word of a mutex operation.
    pub lock: bool,
    /// How replay recognises it.
    pub trail: Trail,
}

impl Manner {
    /// A step of its own, by an instruction of the program.
    pub fn plain(at: InstrRef, access: Access) -> Manner {
        Manner { at, access, lock: false, trail: Trail::Address }
    }
}

impl Walk<'_> {
    /// Reads `bytes` bytes; `None` if the thread ends here.
    pub fn load(
        &mut self,
        state: &mut State,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> Option<TermId> {
        let value = self.in_lifetime_unit(state, address, |walk, state| {
            if !walk.assume_alive(state, address, how.at) {
                return None;
            }
            let holder = how.access.holder.then(|| walk.is_holder(state, address)).flatten();
            match holder {
                Some(mine) => walk.holder(state, address, mine, how),
                None => walk.load_live(state, address, bytes, how),
            }
        });
        self.settle_looks(state, value.is_some());
        value
    }

    /// Writes; false if the thread ends here.
    pub fn store(
        &mut self,
        state: &mut State,
        address: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        self.note_escape(value);
        if !how.lock {
            let bytes = self.terms.width(value) / 8;
            self.forget_overwritten(state, address, bytes);
        }
        let done = self.in_lifetime_unit(state, address, |walk, state| {
            walk.assume_alive(state, address, how.at) && walk.store_live(state, address, value, how)
        });
        self.settle_looks(state, done);
        done
    }

    /// The word of a mutex whose holder is known to be the running thread, or somebody else or
    /// nobody.
    fn holder(
        &mut self,
        state: &mut State,
        address: TermId,
        mine: bool,
        how: Manner,
    ) -> Option<TermId> {
        let word = u128::from(if mine { self.thread.number } else { 0 });
        if let Destination::Many(targets) = self.destination(address, WORD)
            && !self.assume_valid(state, &targets, address, WORD, how.at)
        {
            return None;
        }
        Some(self.terms.constant(word, WORD * 8))
    }

    fn load_live(
        &mut self,
        state: &mut State,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> Option<TermId> {
        match self.destination(address, bytes) {
            Destination::One(object, offset) => {
                Some(self.load_one(state, Part { object, offset, bytes }, how))
            }
            Destination::Many(targets) => self.load_many(state, targets, address, bytes, how),
            Destination::Nowhere => {
                self.memory_fault(state, how.at);
                None
            }
            Destination::Unknown => self.unknown_address(state, how),
        }
    }

    fn store_live(
        &mut self,
        state: &mut State,
        address: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        let bytes = self.terms.width(value) / 8;
        match self.destination(address, bytes) {
            Destination::One(o, _) if self.is_constant(o) => {
                self.memory_fault(state, how.at);
                false
            }
            Destination::One(o, offset) => {
                let valid = self.assume_valid(state, &[(o, Some(offset))], address, bytes, how.at);
                if valid {
                    self.store_one(state, (o, offset), value, how);
                }
                valid
            }
            Destination::Many(mut targets) => {
                targets.retain(|t| !self.is_constant(t.0));
                self.store_many(state, targets, address, value, how)
            }
            Destination::Nowhere => {
                self.memory_fault(state, how.at);
                false
            }
            Destination::Unknown => self.unknown_address(state, how).is_some(),
        }
    }

    /// Reads a byte at a constant address, without a look at its object's life.
    pub fn load_byte(&mut self, state: &mut State, address: TermId, how: Manner) -> Option<TermId> {
        self.load_live(state, address, 1, how)
    }

    /// Writes a byte likewise.
    pub fn store_byte(
        &mut self,
        state: &mut State,
        address: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        self.store_live(state, address, value, how)
    }

    fn unknown_address(&mut self, state: &State, how: Manner) -> Option<TermId> {
        self.unsupported(state, Unmodelled::UnknownAccess, how.at);
        None
    }

    fn is_constant(&self, o: ObjectIx) -> bool {
        match self.knowledge.object(o).key {
            ObjectKey::Global(g) => self.program.global(g).constant,
            ObjectKey::Function(_) => true,
            ObjectKey::ThreadLocal(..) | ObjectKey::Alloc { .. } | ObjectKey::Grave(_) => false,
        }
    }

    /// Whether accesses of an object are events on this path.
    pub fn is_event(&mut self, state: &State, o: ObjectIx) -> bool {
        if state.concurrent {
            self.knowledge.access(o, self.thread.number)
        } else {
            self.knowledge.is_forced(o)
        }
    }

    fn load_one(&mut self, state: &mut State, part: Part, how: Manner) -> TermId {
        let Part { object, offset, bytes } = part;
        if !self.is_event(state, object) {
            let value = self.load_private(state, part);
            return state.path.resolve(&mut self.terms, value);
        }
        if !self.knowledge.is_written(object, offset, bytes) {
            return self.initial(part);
        }
        if let Some(value) = self.known(state, part, how) {
            return value;
        }
        let address = self.address_of(object, offset);
        let value = self.value_to_read(state, part, how);
        self.read_event(state, vec![(object, Some(offset))], address, value, how);
        self.learn_read(state, part, value, how);
        value
    }

    fn store_one(&mut self, state: &mut State, (object, offset): Spot, value: TermId, how: Manner) {
        let part = Part { object, offset, bytes: self.terms.width(value) / 8 };
        if self.is_event(state, object) {
            let address = self.address_of(object, offset);
            self.write_event(state, vec![(object, Some(offset))], address, value, how, true);
            self.learn_write(state, part, value);
        } else {
            Rc::make_mut(&mut state.memory).store(&mut self.terms, part, value);
        }
    }

    /// Reads private memory.
    pub fn load_private(&mut self, state: &State, part: Part) -> TermId {
        self.value_in(&state.memory, part)
    }

    /// What a private memory holds.
    pub fn value_in(&mut self, memory: &Memory, part: Part) -> TermId {
        let Some(contents) = memory.contents(part.object) else { return self.initial(part) };
        let (images, arbitrary) = self.recorder.beginning();
        let (program, knowledge) = (self.program, &*self.knowledge);
        let mut beginning = Beginning { program, knowledge, images, arbitrary };
        contents.load(&mut self.terms, part, &mut |terms, gap| beginning.value(terms, gap))
    }

    fn load_many(
        &mut self,
        state: &mut State,
        targets: Vec<Target>,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> Option<TermId> {
        if !self.assume_valid(state, &targets, address, bytes, how.at) {
            return None;
        }
        if let [(object, Some(offset))] = targets[..] {
            return Some(self.load_one(state, Part { object, offset, bytes }, how));
        }
        let split = self.split(state, targets, address, bytes);
        let Split { private, mut shared } = split;
        let mut value = None;
        // Shared, but never written while others run: as good as private.
        if let Some(constant) = self.unwritten_places(&shared, address, bytes) {
            shared.clear();
            for (object, offset) in constant {
                let here = self.initial(Part { object, offset, bytes });
                value = Some(self.choose(address, (object, offset), here, value));
            }
        }
        if !shared.is_empty() {
            let elsewhere = self.outside(state, &private, address);
            let address = self.only_address(&shared, address);
            let read = self.terms.fresh(bytes * 8);
            self.read_event(&elsewhere, shared, address, read, how);
            value = Some(read);
        }
        for (object, offset) in private {
            let here = self.load_private(state, Part { object, offset, bytes });
            value = Some(self.choose(address, (object, offset), here, value));
        }
        debug_assert!(value.is_some(), "a valid access goes somewhere");
        value
    }

    /// All places that targets stand for, if none of them is written while others run and they are
    /// not too many.
    fn unwritten_places(
        &mut self,
        targets: &[Target],
        address: TermId,
        bytes: u32,
    ) -> Option<Vec<Spot>> {
        let written = |&(o, offset): &Target| match offset {
            Some(offset) => self.knowledge.is_written(o, offset, bytes),
            None => self.knowledge.is_written(o, 0, self.knowledge.object(o).size as u32),
        };
        if targets.iter().any(written) {
            return None;
        }
        self.places(targets, address, bytes)
    }

    /// `address == &o + offset ? here : otherwise`.
    fn choose(
        &mut self,
        address: TermId,
        (o, offset): Spot,
        here: TermId,
        otherwise: Option<TermId>,
    ) -> TermId {
        let Some(otherwise) = otherwise else { return here };
        let hit = self.is_at(address, o, offset);
        self.choose_value(hit, here, otherwise)
    }

    fn store_many(
        &mut self,
        state: &mut State,
        targets: Vec<Target>,
        address: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        let bytes = self.terms.width(value) / 8;
        if !self.assume_valid(state, &targets, address, bytes, how.at) {
            return false;
        }
        if let [(o, Some(offset))] = targets[..] {
            self.store_one(state, (o, offset), value, how);
            return true;
        }
        let split = self.split(state, targets, address, bytes);
        if !split.shared.is_empty() {
            let elsewhere = self.outside(state, &split.private, address);
            let address = self.only_address(&split.shared, address);
            self.learn_writes(state, &split.shared, bytes);
            self.write_event(&elsewhere, split.shared, address, value, how, false);
        }
        for (object, offset) in split.private {
            let part = Part { object, offset, bytes };
            let old = self.load_private(state, part);
            let hit = self.is_at(address, object, offset);
            let new = self.choose_value(hit, value, old);
            Rc::make_mut(&mut state.memory).store(&mut self.terms, part, new);
        }
        true
    }

    fn event(
        &mut self,
        state: &State,
        kind: EventKind,
        targets: Vec<Target>,
        address: TermId,
        value: TermId,
        how: Manner,
    ) {
        let new = NewEvent {
            kind,
            address,
            targets,
            alignment: self.pointers.alignment(&self.terms, address).min(4),
            value,
            at: how.at,
            site: self.user_site(how.at),
            atomic: how.access.atomic.is_some() || (state.atomic > 0 && !self.lifetime_unit),
            hidden: how.access.hidden,
            lock: how.lock,
            trail: how.trail,
        };
        self.recorder.event(&self.terms, state, new);
    }

    fn read_event(
        &mut self,
        state: &State,
        targets: Vec<Target>,
        address: TermId,
        value: TermId,
        how: Manner,
    ) {
        let bytes = self.terms.width(value) / 8;
        let mut pointees = self.stored_pointers(&targets, bytes);
        if u64::from(bytes) != self.program.pointer_bytes() {
            // Part of a pointer, or more than one.
            pointees = pointees.into_iter().map(|t| (t.0, None)).collect();
        }
        let pointees = pointees.into_iter().collect();
        if self.terms.op(value) == Op::Var {
            self.pointers.set_variable(&self.terms, value, pointees);
        }
        self.event(state, EventKind::Read, targets, address, value, how);
    }

    /// Reads a value that is known already (a lock word that must be free).
    pub fn read_known(
        &mut self,
        state: &State,
        place: Target,
        address: TermId,
        value: TermId,
        how: Manner,
    ) {
        self.event(state, EventKind::Read, vec![place], address, value, how);
    }

    /// `certain`: on this path the write goes to the one target.
    fn write_event(
        &mut self,
        state: &State,
        targets: Vec<Target>,
        address: TermId,
        value: TermId,
        how: Manner,
        certain: bool,
    ) {
        let bytes = self.terms.width(value) / 8;
        let pointers = self.targets(value);
        let writing = self.knowledge.writing(self.thread.number, &state.locks, certain);
        for &(o, offset) in &targets {
            self.knowledge.write(o, offset, bytes, writing);
            self.knowledge.point(o, offset.map(|offset| (offset, bytes)), &pointers);
        }
        self.event(state, EventKind::Write, targets, address, value, how);
        if !how.lock {
            self.effect(state);
        }
    }

    /// Where so many bytes stored in these places may point.
    fn stored_pointers(&mut self, targets: &[Target], bytes: u32) -> BTreeSet<Target> {
        let mut all: BTreeSet<Target> = BTreeSet::new();
        let whole = u64::from(bytes) == self.program.pointer_bytes();
        for &(o, offset) in targets {
            let range = offset.map(|offset| (offset, bytes));
            all.extend(self.knowledge.pointees(o, range));
            match offset {
                Some(offset) if whole => {
                    let initial = self.initial(Part { object: o, offset, bytes });
                    all.extend(self.targets(initial).iter());
                }
                Some(_) | None => all.extend(self.initial_pointers(o, range)),
            }
        }
        all
    }

    /// Where pointers in a range (`None`: anywhere) of an object may point when the first thread is
    /// created.
    fn initial_pointers(&mut self, o: ObjectIx, range: Option<Range>) -> Vec<Target> {
        let bytes = self.program.pointer_bytes() as u32;
        let inside = |at, size| range.is_none_or(|range| overlap((at, size), range));
        let mut values: Vec<TermId> = Vec::new();
        for image in self.recorder.beginning().0 {
            if let Some(contents) = image.memory.contents(o) {
                // A constant of another size is a number.
                let cells = contents.cells().filter(|c| inside(c.0, c.1));
                let cells = cells.filter(|c| c.1 == bytes || self.terms.as_const(c.2).is_none());
                values.extend(cells.map(|c| c.2));
            }
        }
        let key = self.knowledge.object(o).key;
        if let ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) = key {
            let width = self.program.pointer_bits;
            let program = self.program;
            let pointers = program.global(g).pointers.iter().filter(|p| inside(p.0, bytes));
            for &(_, operand) in pointers {
                if let Some(k) = program.constant(operand) {
                    values.push(self.terms.constant(k, width));
                }
            }
        }
        values.into_iter().flat_map(|v| self.targets(v).to_vec()).collect()
    }
}
