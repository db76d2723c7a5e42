//! The lives of objects: allocation, release, thread-local copies, and the end of local objects.

use raddle_ir::{Access, AllocKind, GlobalId, InstrRef, RegId};

use super::{Run, Step, Sync, Touch, TouchKind, Want};
use crate::describe;
use crate::finding::FaultKind;
use crate::memory::{Fault, GAP, Life, Object, ObjectKind};
use crate::oracle::{AddressAsk, Origin};

impl Run<'_, '_> {
    pub(super) fn alloc(
        &mut self,
        at: InstrRef,
        dst: RegId,
        size: u64,
        align: u32,
        kind: AllocKind,
        zeroed: bool,
    ) -> Step {
        let id = self.thread().id;
        let nth = self.thread().asked.addresses;
        let chosen = self.oracle.address(&AddressAsk { thread: id, nth, at, size, align });
        let base = match self.choose_address(chosen, size, align) {
            Ok(Some(base)) => base,
            Ok(None) => return self.unsupported(),
            Err(wrong) => return Step::BadAnswer(wrong),
        };
        let object_kind = match kind {
            AllocKind::Stack => ObjectKind::Stack,
            AllocKind::Heap => ObjectKind::Heap,
        };
        let origin = Origin::Allocation { thread: id, nth };
        let mut object = Object::new(base, size, origin, object_kind, zeroed);
        object.alloc = Some(at);
        object.allocated = self.thread().site(self.program).place;
        if kind == AllocKind::Heap {
            let calls = self.thread().calls(self.program);
            object.named = describe::naming_call(self.program, calls, size);
        }
        object.owner = self.state.own_objects.then_some(id);
        self.state.memory.add(object);
        self.thread_mut().asked.addresses += 1;
        match kind {
            AllocKind::Stack => self.frame_mut().stack.push(base),
            AllocKind::Heap => {
                self.thread_mut().marks.effects += 1;
                self.effect.sync = Some(Sync::Heap);
            }
        }
        self.set(dst, u128::from(base));
        self.done()
    }

    /// The address of a new object; `None` if there is no room.
    fn choose_address(
        &mut self,
        chosen: Option<u64>,
        size: u64,
        align: u32,
    ) -> Result<Option<u64>, String> {
        let memory = &self.state.memory;
        let limit = self.code.address_limit();
        if let Some(base) = chosen {
            let inside = base.checked_add(size).is_some_and(|end| end <= limit);
            let fits = base != 0 && inside && memory.is_free(base, size);
            return if fits && base.is_multiple_of(u64::from(align.max(1))) {
                Ok(Some(base))
            } else {
                Err(format!(
                    "an object of {size} bytes with alignment {align} cannot be at {base:#x}"
                ))
            };
        }
        let (_, region_end) = self.code.region(self.thread().id);
        let base = memory.place(self.thread().next_address, region_end, size, align);
        if let Some(base) = base {
            self.thread_mut().next_address = base + size + GAP;
            return Ok(Some(base));
        }
        Ok(memory.place_last(limit, size, align))
    }

    pub(super) fn free(&mut self, address: u64) -> Step {
        if address == 0 {
            return self.done();
        }
        let found = self.state.memory.object_at(address).filter(|o| o.base == address);
        let kind = match found.map(|o| (o.kind, o.life, o.size, o.owner)) {
            Some((ObjectKind::Heap, Life::Live, size, owner)) => {
                let shared = owner.is_none();
                self.effect.foreign |= owner.is_some_and(|o| o != self.thread().id);
                let want = Want { address, bytes: size.max(1), write: true };
                let touch = self.touch(want, shared, Access::default());
                self.effect.touches.push(Touch { kind: TouchKind::Life, ..touch });
                let place = self.thread().site(self.program).place;
                self.state.memory.end(address, Life::Freed(place));
                self.thread_mut().marks.effects += 1;
                self.effect.sync = Some(Sync::Heap);
                return self.done();
            }
            Some((ObjectKind::Heap, Life::Freed(_), ..)) => FaultKind::DoubleFree,
            Some(_) | None => FaultKind::InvalidFree,
        };
        let object = self.state.memory.object_at(address).map(|o| o.base);
        self.fault(Fault { kind, object }, Want { address, bytes: 0, write: true })
    }

    pub(super) fn object_size(&mut self, dst: RegId, address: u64) -> Step {
        if address == 0 {
            self.set(dst, 0);
            return self.done();
        }
        match self.state.memory.object_at(address) {
            Some(o) if o.base == address && o.life == Life::Live => {
                let size = o.size;
                // Whether the object lives is observed, as if its first byte were read.
                let shared = o.owner.is_none();
                let want = Want { address, bytes: size.max(1), write: false };
                let touch = self.touch(want, shared, Access::default());
                self.effect.touches.push(Touch { kind: TouchKind::Life, ..touch });
                self.set(dst, u128::from(size));
                self.done()
            }
            other => {
                let kind = match other.map(|o| (o.base == address, o.life)) {
                    Some((true, Life::Freed(_))) => FaultKind::UseAfterFree,
                    Some(_) | None => FaultKind::InvalidFree,
                };
                let object = other.map(|o| o.base);
                self.fault(Fault { kind, object }, Want { address, bytes: 0, write: false })
            }
        }
    }

    pub(super) fn thread_local(&mut self, dst: RegId, global: GlobalId) -> Step {
        if let Some(&(_, base)) = self.thread().locals.iter().find(|(g, _)| *g == global) {
            self.set(dst, u128::from(base));
            return self.done();
        }
        let id = self.thread().id;
        let (size, align) = {
            let g = self.program.global(global);
            (g.size, g.align)
        };
        let chosen = self.oracle.thread_local_address(id, global);
        let base = match self.choose_address(chosen, size, align) {
            Ok(Some(base)) => base,
            Ok(None) => return self.unsupported(),
            Err(wrong) => return Step::BadAnswer(wrong),
        };
        let mut object = Object::of_global(self.program, global, base, Some(id));
        if !self.state.own_objects {
            object.owner = None;
        }
        self.state.memory.add(object);
        self.thread_mut().locals.push((global, base));
        self.set(dst, u128::from(base));
        self.done()
    }

    /// Ends the stack objects of all activations: none of them will return.
    pub(super) fn bury_frames(&mut self) {
        for depth in (0..self.thread().frames.len()).rev() {
            let bases = std::mem::take(&mut self.thread_mut().frames[depth].stack);
            self.bury(&bases, Life::Returned);
        }
    }

    /// Ends local objects.
    pub(super) fn bury(&mut self, bases: &[u64], life: Life) {
        for &base in bases {
            if let Some(object) = self.state.memory.object_at(base)
                && object.owner.is_none()
            {
                let want = Want { address: base, bytes: object.size.max(1), write: true };
                let touch = self.touch(want, true, Access::default());
                self.effect.touches.push(Touch { kind: TouchKind::Life, ..touch });
                self.thread_mut().marks.effects += 1;
            }
            self.state.memory.end(base, life);
        }
    }
}
