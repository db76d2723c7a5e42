//! Loads and stores: private ones are plain values, shared ones become events.
//!
//! The places an address may denote come from its term: constants in it, and for values that were
//! read from shared memory what is known to be stored there ([`crate::knowledge`]). C keeps
//! pointer arithmetic inside an object, so adding an unknown number keeps the object and loses the offset.
//! Length: one kind of access leads to the next, and all share how an address is resolved.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{Access, InstrRef};
use raddle_term::TermId;

use crate::execute::{Pass, State};
use crate::knowledge::{ObjectIx, ObjectKey, Target};
use crate::skeleton::{CutKind, Event, EventKind, Skeleton, Trail};

/// Symbolic accesses to more places than this in private memory become events.
const MOST_PLACES: usize = 160;

/// Where an access goes.
enum Destination {
    /// One place.
    One(ObjectIx, u64),
    /// One of several places; a target without offset stands for every aligned offset.
    Many(Vec<Target>),
    /// Nowhere valid: the thread ends.
    Nowhere,
    /// A pointer of unknown origin.
    Unknown,
}

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

/// A symbolic access, split by what its targets are.
struct Split {
    /// Private places.
    private: Vec<(ObjectIx, u64)>,
    /// Targets whose accesses are events.
    shared: Vec<Target>,
}

impl Pass<'_> {
    /// Reads `bytes` bytes; `None` if the thread ends here.
    pub fn load(
        &mut self,
        state: &mut State,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> Option<TermId> {
        let from = self.skeleton.events.len();
        let value = self.in_lifetime_unit(state, address, |pass, state| {
            if !pass.assume_alive(state, address, how.at) {
                return None;
            }
            pass.load_live(state, address, bytes, how)
        });
        self.settle_looks(from, state, value.is_some());
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
        let from = self.skeleton.events.len();
        let done = self.in_lifetime_unit(state, address, |pass, state| {
            pass.assume_alive(state, address, how.at) && pass.store_live(state, address, value, how)
        });
        self.settle_looks(from, state, done);
        done
    }

    fn load_live(
        &mut self,
        state: &mut State,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> Option<TermId> {
        match self.destination(address, bytes) {
            Destination::One(o, offset) => {
                Some(self.load_one(state, o, offset, address, bytes, how))
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
                    self.store_one(state, o, offset, value, how);
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
        let what = "an access through a pointer of unknown origin".to_string();
        self.cut(state, CutKind::Unsupported(what), self.program.place(how.at));
        None
    }

    fn is_constant(&self, o: ObjectIx) -> bool {
        match self.knowledge.object(o).key {
            ObjectKey::Global(g) => self.program.global(g).constant,
            ObjectKey::Function(_) => true,
            ObjectKey::ThreadLocal(..) | ObjectKey::Alloc { .. } | ObjectKey::Grave(_) => false,
        }
    }

    fn destination(&mut self, address: TermId, bytes: u32) -> Destination {
        if let Some(k) = self.terms.as_const(address) {
            return match self.knowledge.find(k as u64) {
                Some((o, offset)) if self.fits(o, offset, bytes) => Destination::One(o, offset),
                Some(_) | None => Destination::Nowhere,
            };
        }
        let all = self.targets(address);
        let targets: Vec<Target> = all
            .iter()
            .filter(|(o, offset)| self.fits(*o, offset.unwrap_or(0), bytes))
            .copied()
            .collect();
        match (all.is_empty(), targets.is_empty()) {
            (true, _) if self.pointers.is_traced(&self.terms, address) => Destination::Nowhere,
            (true, _) => Destination::Unknown,
            (false, true) => Destination::Nowhere,
            (false, false) => Destination::Many(targets),
        }
    }

    fn fits(&self, o: ObjectIx, offset: u64, bytes: u32) -> bool {
        let object = self.knowledge.object(o);
        !matches!(object.key, ObjectKey::Function(_)) && offset + u64::from(bytes) <= object.size
    }

    /// Whether accesses of an object are events on this path.
    fn is_event(&mut self, state: &State, o: ObjectIx) -> bool {
        if state.concurrent {
            self.knowledge.access(o, self.thread.number)
        } else {
            self.knowledge.is_forced(o)
        }
    }

    fn load_one(
        &mut self,
        state: &State,
        o: ObjectIx,
        offset: u64,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> TermId {
        if !self.is_event(state, o) {
            return self.load_private(state, o, offset, bytes);
        }
        if !self.knowledge.is_written(o, offset, bytes) {
            return self.initial(o, offset, bytes);
        }
        self.read_event(state, vec![(o, Some(offset))], address, bytes, how)
    }

    fn store_one(
        &mut self,
        state: &mut State,
        o: ObjectIx,
        offset: u64,
        value: TermId,
        how: Manner,
    ) {
        if self.is_event(state, o) {
            let address = self.address_of(o, offset);
            self.write_event(state, vec![(o, Some(offset))], address, value, how);
        } else {
            let bytes = self.terms.width(value) / 8;
            let contents = Rc::make_mut(&mut state.memory).contents_mut(o);
            contents.store(&mut self.terms, offset, bytes, value);
        }
    }

    fn address_of(&mut self, o: ObjectIx, offset: u64) -> TermId {
        let place = u128::from(self.knowledge.object(o).base + offset);
        let width = self.program.pointer_bits;
        self.terms().constant(place, width)
    }

    /// Reads private memory.
    pub fn load_private(&mut self, state: &State, o: ObjectIx, offset: u64, bytes: u32) -> TermId {
        let (program, knowledge) = (self.program, &*self.knowledge);
        let terms = &mut self.terms;
        let Skeleton { images, initial_bytes, .. } = &mut self.skeleton;
        let mut missing = |t: &mut raddle_term::Terms, at: u64, n: u32| {
            crate::execute::initial_value(program, knowledge, images, initial_bytes, t, (o, at, n))
        };
        match state.memory.contents(o) {
            Some(contents) => contents.load(terms, offset, bytes, &mut missing),
            None => missing(terms, offset, bytes),
        }
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
        if let [(o, Some(offset))] = targets[..] {
            let address = self.address_of(o, offset);
            return Some(self.load_one(state, o, offset, address, bytes, how));
        }
        let split = self.split(state, targets, address, bytes);
        let mut places = split.private;
        let mut shared = split.shared;
        // Shared, but never written while others run: as good as private.
        let constant: Option<Vec<(ObjectIx, u64)>> = shared
            .iter()
            .all(|&(o, offset)| match offset {
                Some(offset) => !self.knowledge.is_written(o, offset, bytes),
                None => !self.knowledge.is_written(o, 0, self.knowledge.object(o).size as u32),
            })
            .then(|| self.places(&shared, address, bytes))
            .flatten();
        let mut value = None;
        if let Some(constant) = constant {
            shared.clear();
            for (o, offset) in constant {
                let here = self.initial(o, offset, bytes);
                value = Some(self.choose(address, o, offset, here, value));
            }
        }
        if !shared.is_empty() {
            let elsewhere = self.outside(state, &places, address);
            let address = self.only_address(&shared, address);
            value = Some(self.read_event(&elsewhere, shared, address, bytes, how));
        }
        for (o, offset) in places.drain(..) {
            let here = self.load_private(state, o, offset, bytes);
            value = Some(self.choose(address, o, offset, here, value));
        }
        value
    }

    /// `address == &o + offset ? here : otherwise`.
    fn choose(
        &mut self,
        address: TermId,
        o: ObjectIx,
        offset: u64,
        here: TermId,
        otherwise: Option<TermId>,
    ) -> TermId {
        let Some(otherwise) = otherwise else { return here };
        let hit = self.is_at(address, o, offset);
        self.choose_value(hit, here, otherwise)
    }

    fn is_at(&mut self, address: TermId, o: ObjectIx, offset: u64) -> TermId {
        let place = self.address_of(o, offset);
        self.terms().eq(address, place)
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
            self.store_one(state, o, offset, value, how);
            return true;
        }
        let split = self.split(state, targets, address, bytes);
        if !split.shared.is_empty() {
            let elsewhere = self.outside(state, &split.private, address);
            let address = self.only_address(&split.shared, address);
            self.write_event(&elsewhere, split.shared, address, value, how);
        }
        for (o, offset) in split.private {
            let old = self.load_private(state, o, offset, bytes);
            let hit = self.is_at(address, o, offset);
            let new = self.choose_value(hit, value, old);
            let contents = Rc::make_mut(&mut state.memory).contents_mut(o);
            contents.store(&mut self.terms, offset, bytes, new);
        }
        true
    }

    /// The address, as a constant if there is only one place left.
    fn only_address(&mut self, targets: &[Target], address: TermId) -> TermId {
        match targets {
            [(o, Some(offset))] => self.address_of(*o, *offset),
            _ => address,
        }
    }

    /// The state restricted to addresses other than these places.
    fn outside(&mut self, state: &State, places: &[(ObjectIx, u64)], address: TermId) -> State {
        let mut elsewhere = state.clone();
        for &(o, offset) in places {
            let hit = self.is_at(address, o, offset);
            let miss = self.terms().not(hit);
            elsewhere.path = elsewhere.path.and(&mut self.terms, miss);
        }
        elsewhere
    }

    /// Goes on only with addresses inside one of the targets.
    fn assume_valid(
        &mut self,
        state: &mut State,
        targets: &[Target],
        address: TermId,
        bytes: u32,
        at: InstrRef,
    ) -> bool {
        let mut valid = self.terms.fals();
        let width = self.program.pointer_bits;
        for &(o, offset) in targets {
            let size = self.knowledge.object(o).size;
            let here = match offset {
                Some(offset) => self.is_at(address, o, offset),
                None => {
                    let base = self.address_of(o, 0);
                    let last = self.terms().constant(u128::from(size - u64::from(bytes)), width);
                    let distance = self.terms().sub(address, base);
                    self.terms().ule(distance, last)
                }
            };
            let inside = match self.sizes.get(&o).copied() {
                None => here,
                // The end of the access, counted from the start of the object, is at most its size.
                Some(size) => {
                    let base = self.address_of(o, 0);
                    let distance = self.terms().sub(address, base);
                    let length = self.terms().constant(u128::from(bytes), width);
                    let end = self.terms().add(distance, length);
                    let fits = self.terms().ule(end, size);
                    self.terms().and(here, fits)
                }
            };
            valid = self.terms().or(valid, inside);
        }
        self.demand_access(state, valid, Some((address, bytes)), at)
    }

    /// Splits targets into private places and those whose accesses are events.
    fn split(&mut self, state: &State, targets: Vec<Target>, address: TermId, bytes: u32) -> Split {
        let mut split = Split { private: Vec::new(), shared: Vec::new() };
        for target in targets {
            if self.is_event(state, target.0) {
                split.shared.push(target);
                continue;
            }
            match self.places(&[target], address, bytes) {
                Some(places) => split.private.extend(places),
                None => {
                    self.knowledge.force(target.0);
                    split.shared.push(target);
                }
            }
        }
        split.private.sort_unstable();
        split.private.dedup();
        split
    }

    /// All places that targets stand for, `None` if they are too many.
    fn places(
        &mut self,
        targets: &[Target],
        address: TermId,
        bytes: u32,
    ) -> Option<Vec<(ObjectIx, u64)>> {
        let mut places = Vec::new();
        for &(o, offset) in targets {
            match offset {
                Some(offset) => places.push((o, offset)),
                None => {
                    let step = 1 << self.pointers.alignment(&self.terms, address).min(4);
                    let last = self.knowledge.object(o).size - u64::from(bytes);
                    if last / step >= MOST_PLACES as u64 {
                        return None;
                    }
                    places.extend((0..=last).step_by(step as usize).map(|offset| (o, offset)));
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        (places.len() <= MOST_PLACES).then_some(places)
    }

    /// The innermost instruction outside library models.
    pub fn user_site(&self, at: InstrRef) -> InstrRef {
        let mut site = at;
        for &(call, _) in self.thread.calls.iter().rev() {
            if !self.program.function(site.func).is_model {
                break;
            }
            site = call;
        }
        site
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
        let unit = self.unit_of(state);
        self.thread.position += 1;
        let alignment = self.pointers.alignment(&self.terms, address).min(4);
        let event = Event {
            alignment,
            thread: self.thread.ix,
            unit,
            position: self.thread.position,
            kind,
            address,
            targets,
            bytes: self.terms.width(value) / 8,
            value,
            guard: state.path.term(&self.terms),
            reached: state.path.term(&self.terms),
            at: how.at,
            site: self.user_site(how.at),
            atomic: how.access.atomic.is_some() || (state.atomic > 0 && !self.lifetime_unit),
            trail: how.trail,
            hidden: how.access.hidden,
            lock: how.lock,
            locks: state.locks.clone(),
        };
        self.skeleton.events.push(event);
    }

    fn read_event(
        &mut self,
        state: &State,
        targets: Vec<Target>,
        address: TermId,
        bytes: u32,
        how: Manner,
    ) -> TermId {
        let value = self.terms().fresh(bytes * 8);
        if u64::from(bytes) == self.program.pointer_bytes() {
            let pointees = self.stored_pointers(&targets);
            self.pointers.set_variable(&self.terms, value, pointees);
        } else {
            // Part of a pointer, or more than one: it may point wherever the object's pointers do.
            let parts: Vec<Target> = targets.iter().map(|t| (t.0, None)).collect();
            let pointees: Vec<Target> =
                self.stored_pointers(&parts).iter().map(|t| (t.0, None)).collect();
            self.pointers.set_variable(&self.terms, value, pointees.into());
        }
        self.event(state, EventKind::Read, targets, address, value, how);
        value
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

    fn write_event(
        &mut self,
        state: &State,
        targets: Vec<Target>,
        address: TermId,
        value: TermId,
        how: Manner,
    ) {
        let bytes = self.terms.width(value) / 8;
        let pointers = self.targets(value);
        let whole = u64::from(bytes) == self.program.pointer_bytes();
        for &(o, offset) in &targets {
            self.knowledge.write(o, offset, bytes);
            self.knowledge.point(o, if whole { offset } else { None }, &pointers);
        }
        self.event(state, EventKind::Write, targets, address, value, how);
        if !how.lock {
            self.effect(state);
        }
    }

    /// The address, as a constant if there is only one place it can be; `None` if the thread ends here.
    pub fn settle(
        &mut self,
        state: &mut State,
        address: TermId,
        bytes: u32,
        at: InstrRef,
    ) -> Option<TermId> {
        if let Destination::Many(targets) = self.destination(address, bytes)
            && let [(o, Some(offset))] = targets[..]
        {
            let valid = self.assume_valid(state, &targets, address, bytes, at);
            return valid.then(|| self.address_of(o, offset));
        }
        Some(address)
    }

    /// The single place of a constant address, if its accesses are events on this path.
    pub fn shared_place(&mut self, state: &State, address: TermId, bytes: u32) -> Option<Target> {
        match self.destination(address, bytes) {
            Destination::One(o, offset) if self.is_event(state, o) => Some((o, Some(offset))),
            Destination::One(..)
            | Destination::Many(_)
            | Destination::Nowhere
            | Destination::Unknown => None,
        }
    }

    /// Where a value may point.
    pub fn targets(&mut self, value: TermId) -> Rc<[Target]> {
        self.pointers.of(&self.terms, self.knowledge, value)
    }

    /// `cond ? a : b` for values that may be pointers.
    pub fn choose_value(&mut self, cond: TermId, a: TermId, b: TermId) -> TermId {
        self.pointers.choose(&mut self.terms, self.knowledge, cond, [a, b])
    }

    /// Where pointers stored in these places may point.
    fn stored_pointers(&mut self, targets: &[Target]) -> Rc<[Target]> {
        let mut all: BTreeSet<Target> = BTreeSet::new();
        let bytes = self.program.pointer_bytes() as u32;
        for &(o, offset) in targets {
            all.extend(self.knowledge.pointees(o, offset));
            match offset {
                Some(offset) => {
                    let initial = self.initial(o, offset, bytes);
                    all.extend(self.targets(initial).iter());
                }
                None => all.extend(self.initial_pointers(o)),
            }
        }
        all.into_iter().collect()
    }

    /// Where pointers anywhere in an object may point when the first thread is created.
    fn initial_pointers(&mut self, o: ObjectIx) -> Vec<Target> {
        let bytes = self.program.pointer_bytes() as u32;
        let mut values: Vec<TermId> = Vec::new();
        for (_, memory) in &self.skeleton.images {
            if let Some(contents) = memory.contents(o) {
                values.extend(contents.cells().filter(|c| c.1 == bytes).map(|c| c.2));
            }
        }
        let key = self.knowledge.object(o).key;
        if let ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) = key {
            let width = self.program.pointer_bits;
            let program = self.program;
            for &(_, operand) in &program.global(g).pointers {
                if let Some(k) = program.constant(operand) {
                    values.push(self.terms().constant(k, width));
                }
            }
        }
        values.into_iter().flat_map(|v| self.targets(v).to_vec()).collect()
    }
}
