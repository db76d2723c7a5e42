//! Objects that die while pointers to them are left: freed heap objects, stack objects of functions
//! that returned.
//!
//! Idea: such an object gets a *grave*, a byte that is 1 when it is dead. Freeing writes it,
//! every access reads it in the same unit as the access itself. A grave is an ordinary byte:
//! private with its object, or shared and ordered like any other, so "the other thread freed it
//! before" is decided by the same axioms as all else. Objects that never die have none, and a
//! thread that is always joined before the death does not look ([`Knowledge`] learns both). Where
//! leaks are looked for, all heap objects have one, allocation writes 2 to it, and the end of the
//! program reads them all: what is 2 then is leaked.
//! Only when memory errors or leaks are checked; otherwise dead objects stay readable, which can
//! only add executions.
//!
//! [`Knowledge`]: crate::knowledge::Knowledge

use raddle_ir::{Access, InstrRef, Op, Operand, Order, Property, Unmodelled};
use raddle_term::TermId;

use crate::access::Manner;
use crate::knowledge::{ObjectIx, ObjectKey};
use crate::skeleton::{CutKind, ThreadIx, Trail};
use crate::state::State;
use crate::step::Here;
use crate::walk::Walk;

impl Walk<'_> {
    fn checks_memory(&self) -> bool {
        self.program.checked.contains(Property::Memory)
    }

    fn looks_at_heap(&self) -> bool {
        self.program.checked.looks_at_heap()
    }

    fn tracks_lives(&self) -> bool {
        self.checks_memory() || self.looks_at_heap()
    }

    /// The thread ends with a memory error on this whole path: noted, if those are checked.
    pub fn memory_fault(&mut self, state: &mut State, at: InstrRef) {
        let never = self.terms.fals();
        self.demand(state, never, at);
    }

    /// Notes a memory error where the condition is false and goes on where it holds.
    pub fn demand(&mut self, state: &mut State, valid: TermId, at: InstrRef) -> bool {
        self.demand_access(state, valid, None, at)
    }

    /// The same for an access of so many bytes, that must lie inside its objects.
    pub fn demand_access(
        &mut self,
        state: &mut State,
        valid: TermId,
        access: Option<(TermId, u32)>,
        at: InstrRef,
    ) -> bool {
        if self.terms.is_true(valid) {
            return true;
        }
        if !self.checks_memory() {
            return self.undefined_unless(state, valid, Property::Memory, at);
        }
        let invalid = self.terms.not(valid);
        if let Some(violation) = self.violation(state, Property::Memory, invalid, at) {
            violation.access = access;
        }
        // After a violation an atomic section has done nothing.
        self.wait_for(state, valid)
    }

    /// Whether an object may be dead when the running thread accesses it.
    fn is_mortal(&self, o: ObjectIx) -> bool {
        self.knowledge.is_mortal(o, self.thread.number)
    }

    /// Notes that pointers in a value outlive the function.
    pub fn note_escape(&mut self, value: TermId) {
        if self.tracks_lives() && self.terms.width(value) == self.program.pointer_bits {
            let targets = self.targets(value);
            self.escaped.extend(targets.iter().map(|t| t.0));
        }
    }

    /// Runs an access in one unit with the look at the graves of its objects, if they have any.
    pub fn in_lifetime_unit<R>(
        &mut self,
        state: &mut State,
        address: TermId,
        body: impl FnOnce(&mut Self, &mut State) -> R,
    ) -> R {
        let mortal = self.tracks_lives()
            && state.atomic == 0
            && self.targets(address).iter().any(|t| self.is_mortal(t.0));
        if !mortal {
            return body(self, state);
        }
        debug_assert!(!self.lifetime_unit, "an access has no other one inside");
        self.lifetime_unit = true;
        let result = self.atomically(state, body);
        self.lifetime_unit = false;
        result
    }

    fn grave(&mut self, o: ObjectIx) -> Option<(ObjectIx, TermId)> {
        let grave = self.knowledge.intern(ObjectKey::Grave(o), 1, 1, true)?;
        let base = u128::from(self.knowledge.object(grave).base);
        let width = self.program.pointer_bits;
        Some((grave, self.terms.constant(base, width)))
    }

    /// Goes on only where no object that the address may lie in is dead.
    pub fn assume_alive(&mut self, state: &mut State, address: TermId, at: InstrRef) -> bool {
        if !self.tracks_lives() {
            return true;
        }
        let targets = self.targets(address);
        let mut dead = self.terms.fals();
        for &(o, _) in targets.iter() {
            if !self.is_mortal(o) {
                continue;
            }
            let Some((_, grave)) = self.grave(o) else { continue };
            // If the object is private, this look is all that orders the access.
            let how = Manner { at, access: hidden(), lock: false, trail: Trail::Look };
            let here = self.inside(address, o);
            let path = state.path.and(&mut self.terms, here);
            let mut looking = state.on(path);
            if looking.is_dead(&self.terms) {
                continue;
            }
            let Some(byte) = self.load_byte(&mut looking, grave, how) else { continue };
            let flag = self.terms.extract(byte, 0, 0);
            let buried = self.terms.and(here, flag);
            dead = self.terms.or(dead, buried);
        }
        let alive = self.terms.not(dead);
        self.demand(state, alive, at)
    }

    /// Whether an address lies in an object.
    fn inside(&mut self, address: TermId, o: ObjectIx) -> TermId {
        let (base, size) = (self.knowledge.object(o).base, self.knowledge.object(o).size);
        let width = self.program.pointer_bits;
        let base = self.terms.constant(u128::from(base), width);
        let size = self.terms.constant(u128::from(size), width);
        let distance = self.terms.sub(address, base);
        self.terms.ule(distance, size)
    }

    /// The looks that are open belong to an access that goes on on this path, or that never does.
    pub fn settle_looks(&mut self, state: &State, goes_on: bool) {
        let never = self.terms.fals();
        let reached = if goes_on { state.path.term(&self.terms) } else { never };
        self.recorder.settle_looks(reached);
    }

    /// Executes `free`.
    pub fn free(&mut self, here: &mut Here, addr: Operand) -> bool {
        let address = self.operand(addr, here.regs);
        self.effect(here.state);
        let done = self.free_live(here.state, address, here.at);
        self.settle_looks(here.state, done);
        done
    }

    fn free_live(&mut self, state: &mut State, address: TermId, at: InstrRef) -> bool {
        if !self.tracks_lives() || self.terms.as_const(address) == Some(0) {
            return true;
        }
        let targets = self.targets(address);
        if targets.is_empty() {
            if self.terms.as_const(address).is_some() {
                self.memory_fault(state, at);
            } else {
                self.unsupported(state, Unmodelled::UnknownFree, at);
            }
            return false;
        }
        let width = self.program.pointer_bits;
        let null = self.terms.constant(0, width);
        let mut valid = self.terms.eq(address, null);
        let heap: Vec<ObjectIx> =
            targets.iter().map(|t| t.0).filter(|&o| self.is_heap(o)).collect();
        let starts: Vec<TermId> = heap
            .iter()
            .map(|&o| {
                let base = u128::from(self.knowledge.object(o).base);
                let base = self.terms.constant(base, width);
                self.terms.eq(address, base)
            })
            .collect();
        for &start in &starts {
            valid = self.terms.or(valid, start);
        }
        if !self.demand(state, valid, at) {
            return false;
        }
        self.atomically(state, |walk, state| {
            for (&o, &start) in heap.iter().zip(&starts) {
                walk.knowledge.bury(o, &state.joined);
                let Some((_, grave)) = walk.grave(o) else { return false };
                let how = Manner { at, access: hidden(), lock: false, trail: Trail::Instruction };
                let path = state.path.and(&mut walk.terms, start);
                let mut here = state.on(path);
                if here.is_dead(&walk.terms) {
                    continue;
                }
                let look = Manner { trail: Trail::Look, ..how };
                let Some(old) = walk.load_byte(&mut here, grave, look) else { return false };
                let flag = walk.terms.extract(old, 0, 0);
                let buried = walk.terms.and(start, flag);
                let first = walk.terms.not(buried);
                if !walk.demand(state, first, at) {
                    return false;
                }
                let one = walk.terms.constant(DEAD, 8);
                if !walk.store_flag(state, start, grave, one, how) {
                    return false;
                }
            }
            true
        })
    }

    fn is_heap(&self, o: ObjectIx) -> bool {
        match self.knowledge.object(o).key {
            ObjectKey::Alloc { at, .. } => matches!(
                self.program.instr(at).map(|i| &i.op),
                Some(Op::Alloc { kind: raddle_ir::AllocKind::Heap, .. })
            ),
            ObjectKey::Global(_)
            | ObjectKey::Function(_)
            | ObjectKey::ThreadLocal(..)
            | ObjectKey::Grave(_) => false,
        }
    }

    /// Ends the stack objects of a function that returns here (of all functions under way, if the
    /// thread ends inside them), and the copies of thread-local globals if the thread ends.
    pub fn end_locals(
        &mut self,
        mut objects: Vec<ObjectIx>,
        value: Option<TermId>,
        at: InstrRef,
        state: &mut State,
    ) {
        let (is_main, last) = (self.recorder.thread() == ThreadIx(0), self.thread.calls.len() == 1);
        let exits = self.program.instr(at).is_some();
        // When the main function returns the program ends, and nobody is left to look.
        if !self.tracks_lives() || (is_main && last && !exits) {
            return;
        }
        if last || exits {
            objects.extend(&self.thread.locals);
        }
        if let Some(value) = value {
            self.note_escape(value);
        }
        let gone: Vec<ObjectIx> =
            objects.into_iter().filter(|o| self.escaped.contains(o)).collect();
        if gone.is_empty() {
            return;
        }
        self.atomically(state, |walk, state| {
            for o in gone {
                walk.knowledge.bury(o, &state.joined);
                if let Some((_, grave)) = walk.grave(o) {
                    let trail = Trail::Instruction;
                    let how = Manner { at, access: hidden(), lock: false, trail };
                    let (one, always) = (walk.terms.constant(DEAD, 8), walk.terms.tru());
                    walk.store_flag(state, always, grave, one, how);
                }
            }
        });
    }

    /// A new heap object: it must be freed, if leaks are looked for. False if the thread ends here.
    pub fn begin_life(&mut self, state: &mut State, o: ObjectIx, at: InstrRef) -> bool {
        if !self.looks_at_heap() {
            return true;
        }
        let place = self.program.place(self.user_site(at));
        self.recorder.heap(o, place);
        let Some((_, grave)) = self.grave(o) else {
            self.cut(state, CutKind::Object, place);
            return false;
        };
        self.knowledge.note_heap(o);
        self.atomically(state, |walk, state| {
            let how = Manner { at, access: hidden(), lock: false, trail: Trail::Instruction };
            let alive = walk.terms.constant(ALIVE, 8);
            walk.store_byte(state, grave, alive, how)
        })
    }

    /// The end of the program. Always false: the thread goes no further.
    pub fn exit(&mut self, state: &mut State, leaks: bool, at: InstrRef) -> bool {
        if leaks && self.looks_at_heap() {
            self.atomically(state, |walk, state| walk.look_at_heap(state, at));
        }
        // If it ends inside an atomic section, nobody sees what that wrote.
        let never = self.terms.fals();
        self.wait_for(state, never)
    }

    fn look_at_heap(&mut self, state: &mut State, at: InstrRef) {
        let mut leaks: Vec<(ObjectIx, TermId)> = Vec::new();
        let mut any = self.terms.fals();
        for o in self.knowledge.heap_objects() {
            let how = Manner { at, access: hidden(), lock: false, trail: Trail::None };
            let Some((_, grave)) = self.grave(o) else { continue };
            let Some(byte) = self.load_byte(state, grave, how) else { continue };
            let alive = self.terms.extract(byte, 1, 1);
            if !self.terms.is_false(alive) {
                any = self.terms.or(any, alive);
                leaks.push((o, alive));
            }
        }
        let all = self.program.checked.contains(Property::Leaks);
        let property = if all { Property::Leaks } else { Property::LostMemory };
        if let Some(violation) = self.violation(state, property, any, at) {
            violation.leaks = leaks;
        }
    }

    /// Writes a grave: shared ones only under the condition, private ones hold the right value
    /// either way.
    fn store_flag(
        &mut self,
        state: &mut State,
        condition: TermId,
        grave: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        if self.shared_place(state, grave, 1).is_some() {
            let path = state.path.and(&mut self.terms, condition);
            let mut here = state.on(path);
            return self.store_byte(&mut here, grave, value, how);
        }
        // What is there otherwise must be read on all of the path: under the condition it may be
        // another value.
        let look = Manner { trail: Trail::Look, ..how };
        let Some(old) = self.load_byte(state, grave, look) else { return false };
        let value = self.terms.ite(condition, value, old);
        self.store_byte(state, grave, value, how)
    }
}

/// What a grave holds; 0 before the object was allocated, or if nobody looks for leaks.
const DEAD: u128 = 1;
const ALIVE: u128 = 2;

fn hidden() -> Access {
    Access { atomic: Some(Order::SeqCst), hidden: true, ..Access::default() }
}
