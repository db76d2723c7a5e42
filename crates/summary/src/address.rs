//! From the term of an address to the places that an access may touch.
//!
//! Idea: a constant address is one place, found by one look into a table: the common case. Any
//! other address may lie at each of the targets of its term ([`crate::pointers`]); the access goes
//! on only where it lies inside one of them, and elsewhere is a memory error. A target without
//! offset stands for every aligned offset of its object.
//! Invariant: a destination of several places is not empty, and each place has room for the access.

use raddle_ir::InstrRef;
use raddle_term::TermId;

use crate::knowledge::{ObjectIx, ObjectKey, Target};
use crate::state::State;
use crate::walk::Walk;

/// Symbolic accesses to more places than this in private memory become events.
const MOST_PLACES: usize = 160;

/// A part of memory that begins at a known offset.
pub(crate) type Spot = (ObjectIx, u64);

/// Where an access goes.
pub(crate) enum Destination {
    /// One place.
    One(ObjectIx, u64),
    /// One of several places; a target without offset stands for every aligned offset.
    Many(Vec<Target>),
    /// Nowhere valid: the thread ends.
    Nowhere,
    /// A pointer of unknown origin.
    Unknown,
}

/// A symbolic access, split by what its targets are.
pub(crate) struct Split {
    /// Private places.
    pub private: Vec<Spot>,
    /// Targets whose accesses are events.
    pub shared: Vec<Target>,
}

impl Walk<'_> {
    /// Where an access of so many bytes goes.
    pub fn destination(&mut self, address: TermId, bytes: u32) -> Destination {
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

    /// The address of a place.
    pub fn address_of(&mut self, o: ObjectIx, offset: u64) -> TermId {
        let place = u128::from(self.knowledge.object(o).base + offset);
        let width = self.program.pointer_bits;
        self.terms.constant(place, width)
    }

    /// Whether an address is that of a place.
    pub fn is_at(&mut self, address: TermId, o: ObjectIx, offset: u64) -> TermId {
        let place = self.address_of(o, offset);
        self.terms.eq(address, place)
    }

    /// Goes on only with addresses inside one of the targets.
    pub fn assume_valid(
        &mut self,
        state: &mut State,
        targets: &[Target],
        address: TermId,
        bytes: u32,
        at: InstrRef,
    ) -> bool {
        debug_assert!(bytes > 0, "an access has bytes");
        let mut valid = self.terms.fals();
        let width = self.program.pointer_bits;
        for &(o, offset) in targets {
            let size = self.knowledge.object(o).size;
            let here = match offset {
                Some(offset) => self.is_at(address, o, offset),
                None => {
                    let base = self.address_of(o, 0);
                    let last = self.terms.constant(u128::from(size - u64::from(bytes)), width);
                    let distance = self.terms.sub(address, base);
                    self.terms.ule(distance, last)
                }
            };
            let inside = match self.sizes.get(&o).copied() {
                None => here,
                // The end of the access, counted from the start of the object, is at most its size.
                Some(size) => {
                    let base = self.address_of(o, 0);
                    let distance = self.terms.sub(address, base);
                    let length = self.terms.constant(u128::from(bytes), width);
                    let end = self.terms.add(distance, length);
                    let fits = self.terms.ule(end, size);
                    self.terms.and(here, fits)
                }
            };
            valid = self.terms.or(valid, inside);
        }
        self.demand_access(state, valid, Some((address, bytes)), at)
    }

    /// Splits targets into private places and those whose accesses are events.
    pub fn split(
        &mut self,
        state: &State,
        targets: Vec<Target>,
        address: TermId,
        bytes: u32,
    ) -> Split {
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
    pub fn places(&mut self, targets: &[Target], address: TermId, bytes: u32) -> Option<Vec<Spot>> {
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

    /// The address, as a constant if there is only one place left.
    pub fn only_address(&mut self, targets: &[Target], address: TermId) -> TermId {
        match targets {
            [(o, Some(offset))] => self.address_of(*o, *offset),
            _ => address,
        }
    }

    /// The state restricted to addresses other than these places.
    pub fn outside(&mut self, state: &State, places: &[Spot], address: TermId) -> State {
        let mut elsewhere = state.clone();
        for &(o, offset) in places {
            let hit = self.is_at(address, o, offset);
            let miss = self.terms.not(hit);
            elsewhere.path = elsewhere.path.and(&mut self.terms, miss);
        }
        elsewhere
    }

    /// The address, as a constant if there is only one place it can be; `None` if the thread ends
    /// here.
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
}
