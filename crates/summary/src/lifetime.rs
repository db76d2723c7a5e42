//! Objects that die while pointers to them are left: freed heap objects, stack objects of functions that returned.
//!
//! Idea: such an object gets a *grave*, a byte that is 0 while it lives and 1 when it is dead. Freeing
//! writes it, every access reads it in the same unit as the access itself. A grave is an ordinary
//! byte: private with its object, or shared and ordered like any other, so "the other thread freed it
//! before" is decided by the same axioms as all else. Objects that never die have none ([`Knowledge`] learns which do).
//! Only when memory errors are checked; otherwise dead objects stay readable, which can only add executions.
//!
//! [`Knowledge`]: crate::knowledge::Knowledge

use raddle_ir::{Access, InstrRef, Op, Order, Property};
use raddle_term::TermId;

use crate::access::Manner;
use crate::execute::{Pass, State};
use crate::knowledge::{ObjectIx, ObjectKey};
use crate::skeleton::{CutKind, Trail};

impl Pass<'_> {
    fn checks_memory(&self) -> bool {
        self.program.checked.contains(Property::Memory)
    }

    /// Notes a memory error on this whole path, if those are checked.
    pub fn memory_fault(&mut self, state: &State, at: InstrRef) {
        if self.checks_memory() {
            let always = self.skeleton.terms.tru();
            self.violation(state, Property::Memory, always, at);
        }
    }

    /// Notes a memory error where the condition is false and goes on where it holds.
    pub fn demand(&mut self, state: &mut State, valid: TermId, at: InstrRef) -> bool {
        if !self.checks_memory() {
            return self.end_unless(state, valid, at);
        }
        if !self.skeleton.terms.is_true(valid) {
            let invalid = self.terms().not(valid);
            self.violation(state, Property::Memory, invalid, at);
        }
        // After a violation an atomic section has done nothing.
        self.wait_for(state, valid)
    }

    /// Notes that pointers in a value outlive the function.
    pub fn note_escape(&mut self, value: TermId) {
        if self.checks_memory() && self.skeleton.terms.width(value) == self.program.pointer_bits {
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
        let mortal = self.checks_memory()
            && state.atomic == 0
            && self.targets(address).iter().any(|t| self.knowledge.is_mortal(t.0));
        if !mortal {
            return body(self, state);
        }
        self.lifetime_unit = true;
        let result = self.atomically(state, body);
        self.lifetime_unit = false;
        result
    }

    fn grave(&mut self, o: ObjectIx) -> Option<(ObjectIx, TermId)> {
        let grave = self.knowledge.intern(ObjectKey::Grave(o), 1, 1, true)?;
        let base = u128::from(self.knowledge.object(grave).base);
        let width = self.program.pointer_bits;
        Some((grave, self.terms().constant(base, width)))
    }

    /// Goes on only where no object that the address may lie in is dead.
    pub fn assume_alive(&mut self, state: &mut State, address: TermId, at: InstrRef) -> bool {
        if !self.checks_memory() {
            return true;
        }
        let targets = self.targets(address);
        let mut dead = self.skeleton.terms.fals();
        for &(o, _) in targets.iter() {
            if !self.knowledge.is_mortal(o) {
                continue;
            }
            let Some((_, grave)) = self.grave(o) else { continue };
            let how = Manner { at, access: hidden(), lock: false, trail: Trail::None };
            let here = self.inside(address, o);
            let path = state.path.and(&mut self.skeleton.terms, here);
            let mut looking = State { path, ..state.clone() };
            if looking.path.is_false(&self.skeleton.terms) {
                continue;
            }
            let Some(flag) = self.load_flag(&mut looking, grave, how) else { continue };
            let buried = self.terms().and(here, flag);
            dead = self.terms().or(dead, buried);
        }
        let alive = self.terms().not(dead);
        self.demand(state, alive, at)
    }

    /// Whether an address lies in an object.
    fn inside(&mut self, address: TermId, o: ObjectIx) -> TermId {
        let (base, size) = (self.knowledge.object(o).base, self.knowledge.object(o).size);
        let width = self.program.pointer_bits;
        let base = self.terms().constant(u128::from(base), width);
        let size = self.terms().constant(u128::from(size), width);
        let distance = self.terms().sub(address, base);
        self.terms().ule(distance, size)
    }

    /// Executes `free`.
    pub fn free(&mut self, state: &mut State, address: TermId, at: InstrRef) -> bool {
        if !self.checks_memory() || self.skeleton.terms.as_const(address) == Some(0) {
            return true;
        }
        let targets = self.targets(address);
        if targets.is_empty() {
            if self.skeleton.terms.as_const(address).is_some() {
                self.memory_fault(state, at);
            } else {
                let what = "free of a pointer of unknown origin".to_string();
                self.cut(state, CutKind::Unsupported(what), self.program.place(at));
            }
            return false;
        }
        let width = self.program.pointer_bits;
        let null = self.terms().constant(0, width);
        let mut valid = self.terms().eq(address, null);
        let heap: Vec<ObjectIx> =
            targets.iter().map(|t| t.0).filter(|&o| self.is_heap(o)).collect();
        let starts: Vec<TermId> = heap
            .iter()
            .map(|&o| {
                let base = u128::from(self.knowledge.object(o).base);
                let base = self.skeleton.terms.constant(base, width);
                self.skeleton.terms.eq(address, base)
            })
            .collect();
        for &start in &starts {
            valid = self.terms().or(valid, start);
        }
        if !self.demand(state, valid, at) {
            return false;
        }
        self.atomically(state, |pass, state| {
            for (&o, &start) in heap.iter().zip(&starts) {
                pass.knowledge.bury(o);
                let Some((_, grave)) = pass.grave(o) else { return false };
                let how = Manner { at, access: hidden(), lock: false, trail: Trail::Instruction };
                let path = state.path.and(&mut pass.skeleton.terms, start);
                let mut here = State { path, ..state.clone() };
                if here.path.is_false(&pass.skeleton.terms) {
                    continue;
                }
                let Some(flag) = pass.load_flag(&mut here, grave, how) else { return false };
                let buried = pass.terms().and(start, flag);
                let first = pass.terms().not(buried);
                if !pass.demand(state, first, at) {
                    return false;
                }
                let old = pass.terms().zext(flag, 8);
                let one = pass.terms().constant(1, 8);
                let new = pass.terms().ite(start, one, old);
                pass.store_flag(state, start, grave, new, how);
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

    /// Ends the stack objects of a function that returns here.
    pub fn end_stack(
        &mut self,
        objects: &[ObjectIx],
        value: Option<TermId>,
        at: InstrRef,
        state: &mut State,
    ) {
        if !self.checks_memory() || objects.is_empty() {
            return;
        }
        if let Some(value) = value {
            self.note_escape(value);
        }
        let gone: Vec<ObjectIx> =
            objects.iter().copied().filter(|o| self.escaped.contains(o)).collect();
        if gone.is_empty() {
            return;
        }
        self.atomically(state, |pass, state| {
            for o in gone {
                pass.knowledge.bury(o);
                if let Some((_, grave)) = pass.grave(o) {
                    let trail = Trail::Instruction;
                    let how = Manner { at, access: hidden(), lock: false, trail };
                    let (one, always) = (pass.terms().constant(1, 8), pass.skeleton.terms.tru());
                    pass.store_flag(state, always, grave, one, how);
                }
            }
        });
    }

    fn load_flag(&mut self, state: &mut State, grave: TermId, how: Manner) -> Option<TermId> {
        let byte = self.load_byte(state, grave, how)?;
        Some(self.terms().extract(byte, 0, 0))
    }

    /// Writes a grave: shared ones only under the condition, private ones hold the right value either way.
    fn store_flag(
        &mut self,
        state: &mut State,
        condition: TermId,
        grave: TermId,
        value: TermId,
        how: Manner,
    ) {
        if self.shared_place(state, grave, 1).is_some() {
            let path = state.path.and(&mut self.skeleton.terms, condition);
            let mut here = State { path, ..state.clone() };
            self.store_byte(&mut here, grave, value, how);
        } else {
            self.store_byte(state, grave, value, how);
        }
    }
}

fn hidden() -> Access {
    Access { atomic: Some(Order::SeqCst), volatile: false, hidden: true }
}
