//! Objects that come into being: allocation, copies of thread-local globals, and their sizes.
//!
//! Idea: the n-th object that a thread allocates at an instruction is the same object in every
//! pass, at the same address. An object whose size is not constant gets room for the most that is
//! modelled; larger ones are cut off.

use raddle_ir::{AllocKind, GlobalId, Operand, RegId, Unmodelled};

use crate::knowledge::ObjectKey;
use crate::skeleton::{ChoiceKind, CutKind};
use crate::step::Here;
use crate::walk::Walk;

/// An object of unknown size gets this much room.
const ROOM: u64 = 1 << 20;

/// What is allocated.
#[derive(Clone, Copy)]
pub(crate) struct Allocation {
    pub dst: RegId,
    pub size: Operand,
    pub align: u32,
    pub kind: AllocKind,
    pub zeroed: bool,
}

impl Walk<'_> {
    /// Executes an allocation.
    pub fn allocate(&mut self, here: &mut Here, new: Allocation) -> bool {
        let (at, place) = (here.at, self.program.place(here.at));
        let size = self.operand(new.size, here.regs);
        let nth = self.count(at);
        let key = ObjectKey::Alloc { thread: self.thread.number, at, nth };
        let bytes = match self.terms.as_const(size) {
            Some(k) => k as u64,
            None => {
                let room = self.terms.constant(u128::from(ROOM), self.program.pointer_bits);
                let fits = self.terms.ule(size, room);
                let too_large = self.terms.not(fits);
                let beyond = self.state_if(here.state, too_large);
                self.cut(&beyond, CutKind::Object, place);
                if !self.restrict(here.state, fits) {
                    return false;
                }
                ROOM
            }
        };
        let Some(o) = self.knowledge.intern(key, bytes, new.align, new.zeroed) else {
            self.cut(here.state, CutKind::Object, place);
            return false;
        };
        if self.terms.as_const(size).is_none() {
            self.sizes.insert(o, size);
        }
        match new.kind {
            AllocKind::Stack => self.thread.stack.push(o),
            AllocKind::Heap => self.effect(here.state),
        }
        let guard = here.state.path.term(&self.terms);
        self.recorder.choice(guard, at, ChoiceKind::Alloc(o));
        if new.kind == AllocKind::Heap && !self.begin_life(here.state, o, at) {
            return false;
        }
        here.regs[new.dst.index()] = self.address_of(o, 0);
        true
    }

    /// The running thread's copy of a thread-local global.
    pub fn thread_local(&mut self, here: &mut Here, dst: RegId, global: GlobalId) -> bool {
        let g = self.program.global(global);
        debug_assert!(g.thread_local, "only thread-local globals have copies");
        let key = ObjectKey::ThreadLocal(self.thread.number, global);
        let Some(o) = self.knowledge.intern(key, g.size, g.align, false) else {
            self.cut(here.state, CutKind::Object, self.program.place(here.at));
            return false;
        };
        if !self.thread.locals.contains(&o) {
            self.thread.locals.push(o);
        }
        here.regs[dst.index()] = self.address_of(o, 0);
        true
    }

    /// The size of the object that starts at an address.
    pub fn object_size(&mut self, here: &mut Here, dst: RegId, addr: Operand) -> bool {
        let address = self.operand(addr, here.regs);
        let width = self.program.pointer_bits;
        let mut size = self.terms.constant(0, width);
        let targets = self.targets(address);
        if targets.is_empty() && self.terms.as_const(address) != Some(0) {
            self.unsupported(here.state, Unmodelled::UnknownSize, here.at);
            return false;
        }
        for &(o, _) in targets.iter() {
            let bytes = self.knowledge.object(o).size;
            let starts = self.is_at(address, o, 0);
            let constant = self.terms.constant(u128::from(bytes), width);
            let bytes = self.sizes.get(&o).copied().unwrap_or(constant);
            size = self.terms.ite(starts, bytes, size);
        }
        here.regs[dst.index()] = size;
        true
    }
}
