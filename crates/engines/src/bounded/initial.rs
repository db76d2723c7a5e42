//! What a read finds that sees no write: the contents of memory before the first thread is created.
//!
//! A read at a symbolic address has a case for each cell of a small object. In a large one only the
//! cells that are known to differ have a case, and the others are zero or arbitrary. Arbitrary
//! contents are a function of the address: each such read gets a variable, and equal addresses have
//! equal variables.

use std::collections::BTreeSet;

use raddle_summary::{Beginning, Event, ObjectIx, ObjectKey, Part};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::cells::Piece;
use super::scene::Scene;

/// Objects with more cells than this are large.
const MANY: u64 = 64;

/// Arbitrary contents at a symbolic address.
#[derive(Clone, Copy, Debug)]
pub struct InitialCell {
    /// The object.
    pub object: ObjectIx,
    /// The address; it need not be inside the object in every execution.
    pub address: TermId,
    /// The contents: a variable.
    pub value: TermId,
}

/// The part of the initial memory that the program leaves open, as far as a composition has asked
/// for it.
pub struct InitialMemory {
    /// Variables for bytes.
    pub bytes: FxHashMap<(ObjectIx, u64), TermId>,
    /// Variables for symbolic addresses in large objects.
    pub cells: Vec<InitialCell>,
    /// Cells with equal addresses have equal contents: these hold in every execution.
    pub assumptions: Vec<TermId>,
}

impl InitialMemory {
    /// What the summary has asked for.
    pub fn new(scene: Scene) -> InitialMemory {
        let bytes = scene.skeleton.initial_bytes.clone();
        InitialMemory { bytes, cells: Vec::new(), assumptions: Vec::new() }
    }
}

/// The values that a piece of a read may find, each with the condition on its address.
pub fn contents(
    scene: Scene,
    terms: &mut Terms,
    memory: &mut InitialMemory,
    event: &Event,
    read: &Piece,
) -> Vec<(TermId, TermId)> {
    let mut memory = Look { scene, terms, memory };
    if let [(o, Some(offset))] = event.targets[..] {
        let offset = offset + u64::from(read.first);
        let value = memory.value(o, offset, read.bytes);
        memory.link_cells(o, offset, read.bytes);
        return vec![(memory.terms.tru(), value)];
    }
    let mut cases = Vec::new();
    for &(o, offset) in &event.targets {
        let size = scene.knowledge.object(o).size;
        if offset.is_none() && memory.starts_as_zeros(o) {
            let zero = memory.terms.constant(0, read.bytes * 8);
            cases.push((memory.inside(read.address, o), zero));
            continue;
        }
        if offset.is_none() && size / u64::from(read.bytes) > MANY {
            memory.large(o, read, &mut cases);
            continue;
        }
        let offsets: Vec<u64> = match offset {
            Some(offset) => vec![offset + u64::from(read.first)],
            None => (0..size).step_by(read.bytes as usize).collect(),
        };
        for offset in offsets {
            if offset + u64::from(read.bytes) > size {
                continue;
            }
            let value = memory.value(o, offset, read.bytes);
            cases.push((memory.is_at(read.address, o, offset), value));
        }
    }
    cases.retain(|c| !memory.terms.is_false(c.0));
    for &(condition, value) in &cases {
        debug_assert_eq!(memory.terms.width(condition), 1, "a condition is a Boolean");
        debug_assert_eq!(memory.terms.width(value), read.bytes * 8, "contents fill the piece");
    }
    cases
}

/// The contents at a constant address.
pub fn at(
    scene: Scene,
    terms: &mut Terms,
    memory: &mut InitialMemory,
    address: u64,
    bytes: u32,
) -> TermId {
    let (o, offset) = scene.knowledge.find(address).expect("accesses lie in objects");
    let mut look = Look { scene, terms, memory };
    let value = look.value(o, offset, bytes);
    look.link_cells(o, offset, bytes);
    value
}

struct Look<'a> {
    scene: Scene<'a>,
    terms: &'a mut Terms,
    memory: &'a mut InitialMemory,
}

impl Look<'_> {
    fn value(&mut self, o: ObjectIx, offset: u64, bytes: u32) -> TermId {
        let size = self.scene.knowledge.object(o).size;
        debug_assert!(offset + u64::from(bytes) <= size, "initial contents are inside the object");
        let Scene { program, knowledge, skeleton } = self.scene;
        let (images, arbitrary) = (&skeleton.images, &mut self.memory.bytes);
        let part = Part { object: o, offset, bytes };
        Beginning { program, knowledge, images, arbitrary }.value(self.terms, part)
    }

    fn inside(&mut self, address: TermId, o: ObjectIx) -> TermId {
        let object = self.scene.knowledge.object(o);
        let (base, size) = (object.base, object.size);
        let terms = &mut *self.terms;
        let base = terms.constant(u128::from(base), self.scene.program.pointer_bits);
        let size = terms.constant(u128::from(size), self.scene.program.pointer_bits);
        let distance = terms.sub(address, base);
        terms.ult(distance, size)
    }

    /// The cases of a symbolic address in a large object.
    fn large(&mut self, o: ObjectIx, read: &Piece, cases: &mut Vec<(TermId, TermId)>) {
        let mut rest = self.inside(read.address, o);
        for offset in self.known(o, read.bytes) {
            let value = self.value(o, offset, read.bytes);
            let here = self.is_at(read.address, o, offset);
            let terms = &mut *self.terms;
            let elsewhere = terms.not(here);
            rest = terms.and(rest, elsewhere);
            cases.push((here, value));
        }
        let value = match self.fixed(o) {
            Some(_) => self.terms.constant(0, read.bytes * 8),
            None => self.arbitrary(o, read.address, read.bytes),
        };
        cases.push((rest, value));
    }

    fn is_at(&mut self, address: TermId, o: ObjectIx, offset: u64) -> TermId {
        let place = u128::from(self.scene.knowledge.object(o).base + offset);
        let place = self.terms.constant(place, self.scene.program.pointer_bits);
        self.terms.eq(address, place)
    }

    /// The cells whose contents are not those of most.
    fn known(&self, o: ObjectIx, bytes: u32) -> BTreeSet<u64> {
        let size = u64::from(bytes);
        let mut found = self.in_images(o);
        let init = self.fixed(o).unwrap_or_default().iter().enumerate();
        found.extend(init.filter(|b| *b.1 != 0).map(|b| b.0 as u64));
        let bytes = self.memory.bytes.keys();
        found.extend(bytes.filter(|b| b.0 == o).map(|b| b.1));
        let cells = found.into_iter().map(|b| b / size * size);
        let end = self.scene.knowledge.object(o).size;
        cells.filter(|c| c + size <= end).collect()
    }

    /// The bytes that were written before the first thread was created.
    fn in_images(&self, o: ObjectIx) -> BTreeSet<u64> {
        let images = self.scene.skeleton.images.iter().filter_map(|i| i.memory.contents(o));
        images
            .flat_map(|c| c.cells())
            .flat_map(|(at, bytes, _)| at..at + u64::from(bytes))
            .collect()
    }

    /// A variable for the contents at an address.
    fn arbitrary(&mut self, object: ObjectIx, address: TermId, bytes: u32) -> TermId {
        let terms = &mut *self.terms;
        let InitialMemory { cells, assumptions, .. } = &mut *self.memory;
        let mut others = cells.iter().filter(|c| c.object == object);
        if let Some(cell) = others.clone().find(|c| c.address == address) {
            return cell.value;
        }
        let sizes = others.clone().all(|c| terms.width(c.value) == bytes * 8);
        assert!(sizes, "symbolic accesses of one object have cells of one size");
        let value = terms.fresh(bytes * 8);
        assumptions.extend(others.by_ref().map(|other| {
            let (there, same) = (terms.eq(address, other.address), terms.eq(value, other.value));
            terms.implies(there, same)
        }));
        cells.push(InitialCell { object, address, value });
        value
    }

    /// A cell at a constant address that is read, too, has the contents that symbolic addresses
    /// find there.
    fn link_cells(&mut self, o: ObjectIx, offset: u64, bytes: u32) {
        let cells: Vec<InitialCell> =
            self.memory.cells.iter().filter(|c| c.object == o).copied().collect();
        if cells.is_empty() || self.in_images(o).contains(&offset) {
            return;
        }
        let value = self.value(o, offset, bytes);
        for cell in cells {
            let here = self.is_at(cell.address, o, offset);
            let same = self.terms.eq(cell.value, value);
            self.memory.assumptions.push(self.terms.implies(here, same));
        }
    }

    /// The initialiser, with zeros after its end; `None` if the object's contents are arbitrary.
    fn fixed(&self, o: ObjectIx) -> Option<&[u8]> {
        let object = self.scene.knowledge.object(o);
        match object.key {
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => {
                let global = self.scene.program.global(g);
                (!global.external).then_some(global.init.as_slice())
            }
            ObjectKey::Alloc { .. } => object.zeroed.then_some(&[]),
            ObjectKey::Function(_) | ObjectKey::Grave(_) => Some(&[]),
        }
    }

    fn starts_as_zeros(&self, o: ObjectIx) -> bool {
        if self.scene.skeleton.images.iter().any(|i| i.memory.contents(o).is_some()) {
            return false;
        }
        self.fixed(o).is_some_and(|init| init.iter().all(|&b| b == 0))
    }
}
