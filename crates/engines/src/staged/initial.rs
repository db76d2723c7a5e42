//! What a read finds that sees no write: the contents of memory before the first thread is created.

use raddle_ir::Program;
use raddle_summary::execute::initial_value;
use raddle_summary::{Event, Knowledge, ObjectIx, ObjectKey, Skeleton};
use raddle_term::TermId;

use super::cells::Piece;

/// The values that a piece of a read may find, each with the condition on its address.
pub fn contents(
    program: &Program,
    knowledge: &Knowledge,
    skeleton: &mut Skeleton,
    event: &Event,
    read: &Piece,
) -> Vec<(TermId, TermId)> {
    let mut memory = Initial { program, knowledge, skeleton };
    if let [(o, Some(offset))] = event.targets[..] {
        let value = memory.value(o, offset + u64::from(read.first), read.bytes);
        return vec![(memory.skeleton.terms.tru(), value)];
    }
    let mut cases = Vec::new();
    for &(o, offset) in &event.targets {
        let size = knowledge.object(o).size;
        if offset.is_none() && memory.starts_as_zeros(o) {
            let zero = memory.skeleton.terms.constant(0, read.bytes * 8);
            cases.push((memory.inside(read.address, o), zero));
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
            let place = u128::from(knowledge.object(o).base + offset);
            let terms = &mut memory.skeleton.terms;
            let place = terms.constant(place, program.pointer_bits);
            cases.push((terms.eq(read.address, place), value));
        }
    }
    cases.retain(|c| !memory.skeleton.terms.is_false(c.0));
    cases
}

struct Initial<'a> {
    program: &'a Program,
    knowledge: &'a Knowledge,
    skeleton: &'a mut Skeleton,
}

impl Initial<'_> {
    fn value(&mut self, o: ObjectIx, offset: u64, bytes: u32) -> TermId {
        let Skeleton { terms, images, initial_bytes, .. } = &mut *self.skeleton;
        let part = (o, offset, bytes);
        initial_value(self.program, self.knowledge, images, initial_bytes, terms, part)
    }

    fn inside(&mut self, address: TermId, o: ObjectIx) -> TermId {
        let object = self.knowledge.object(o);
        let (base, size) = (object.base, object.size);
        let terms = &mut self.skeleton.terms;
        let base = terms.constant(u128::from(base), self.program.pointer_bits);
        let size = terms.constant(u128::from(size), self.program.pointer_bits);
        let distance = terms.sub(address, base);
        terms.ult(distance, size)
    }

    fn starts_as_zeros(&self, o: ObjectIx) -> bool {
        if self.skeleton.images.iter().any(|(_, m)| m.contents(o).is_some()) {
            return false;
        }
        let object = self.knowledge.object(o);
        match object.key {
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => {
                let global = self.program.global(g);
                !global.external && global.init.iter().all(|&b| b == 0)
            }
            ObjectKey::Alloc { .. } => object.zeroed,
            ObjectKey::Function(_) | ObjectKey::Grave(_) => true,
        }
    }
}
