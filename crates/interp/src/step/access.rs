//! Reads and writes of memory, with the check that they are valid.
//!
//! An access that is not valid is a violation of `memory`; where that is not checked, the thread goes no further, as
//! C gives the program no meaning from there on.

use raddle_ir::expr::mask;
use raddle_ir::{Access, InputKind, InstrRef, Operand, Property, RegId};

use super::{Run, Step, Touch, TouchKind, Want};
use crate::describe;
use crate::finding::{FaultKind, FindingKind};
use crate::memory::{Fault, Touched};
use crate::oracle::InputAsk;
use crate::state::Stopped;

impl Run<'_, '_> {
    pub(super) fn load(&mut self, dst: RegId, addr: Operand, access: Access) -> Step {
        let bytes = bytes(self.program.function(self.frame().func).reg(dst).width);
        let want = Want { address: self.address(addr), bytes, write: false };
        let touched = match self.check(want) {
            Ok(touched) => touched,
            Err(stop) => return stop,
        };
        let value = self.read(touched, want);
        let touch = Touch { old: value, new: value, ..self.touch(want, touched.shared, access) };
        self.effect.touches.push(touch);
        self.set(dst, value);
        self.done()
    }

    pub(super) fn store(
        &mut self,
        addr: Operand,
        value: Operand,
        width: u32,
        access: Access,
    ) -> Step {
        let value = self.get(value);
        let want = Want { address: self.address(addr), bytes: bytes(width), write: true };
        let touched = match self.check(want) {
            Ok(touched) => touched,
            Err(stop) => return stop,
        };
        let old = self.state.memory.peek(want.address, want.bytes).unwrap_or(0);
        let touch = Touch { old, new: value, ..self.touch(want, touched.shared, access) };
        self.effect.touches.push(touch);
        self.write(touched, want, value);
        if access.set {
            self.thread_mut().note_set(want.address, value);
        }
        self.done()
    }

    /// Reads, computes and writes in one step; no write if `change` gives nothing.
    pub(super) fn update(
        &mut self,
        addr: Operand,
        width: u32,
        access: Access,
        change: &dyn Fn(&mut Self, u128) -> Option<u128>,
    ) -> Result<Touch, Step> {
        let want = Want { address: self.address(addr), bytes: bytes(width), write: true };
        let touched = self.check(want)?;
        let old = self.read(touched, want) & mask(width);
        let new = change(self, old);
        let touch = Touch {
            read: true,
            write: new.is_some(),
            old,
            new: new.unwrap_or(old),
            ..self.touch(want, touched.shared, access)
        };
        self.effect.touches.push(touch);
        if let Some(new) = new {
            self.write(touched, want, new);
        }
        Ok(touch)
    }

    /// Whether a weak compare-exchange fails although the values are equal: a choice of the machine.
    pub(super) fn fails_spuriously(&mut self, at: InstrRef) -> bool {
        let nth = self.thread().asked.inputs;
        let (thread, kind) = (self.thread().id, InputKind::Choice(2));
        let ask = InputAsk { thread, nth, at, width: 1, kind, name: "" };
        let fails = self.oracle.input(&ask) & 1 == 1;
        self.thread_mut().asked.inputs += 1;
        self.effect.woke = fails;
        fails
    }

    pub(super) fn check(&mut self, want: Want) -> Result<Touched, Step> {
        let id = self.thread().id;
        match self.state.memory.check(id, want.address, want.bytes, want.write) {
            Ok(touched) => {
                self.effect.foreign |= touched.foreign;
                Ok(touched)
            }
            Err(fault) => Err(self.fault(fault, want)),
        }
    }

    /// An invalid access: a violation, or the end of the thread.
    pub(super) fn fault(&mut self, fault: Fault, want: Want) -> Step {
        // Whether it is valid depends on what others do to the object.
        let touch = self.touch(want, true, Access::default());
        self.effect.touches.push(Touch { kind: TouchKind::Invalid, ..touch });
        if self.program.checked.contains(Property::Memory) {
            let fault = describe::fault(
                self.program,
                &self.state.memory,
                fault,
                want.address,
                want.bytes,
                want.write,
            );
            self.violation(Property::Memory, FindingKind::Memory(fault))
        } else {
            self.stop(Stopped::Undefined)
        }
    }

    pub(super) fn not_a_function(&mut self, address: u64) -> Step {
        let fault = Fault { kind: FaultKind::NotAFunction, object: None };
        self.fault(fault, Want { address, bytes: 0, write: false })
    }

    pub(super) fn read(&mut self, touched: Touched, want: Want) -> u128 {
        let (value, asked) = self.state.memory.read(touched, want.address, want.bytes, self.oracle);
        self.effect.unknown |= asked;
        value
    }

    pub(super) fn touch(&self, want: Want, shared: bool, access: Access) -> Touch {
        Touch {
            at: self.thread().at(),
            kind: TouchKind::Data,
            address: want.address,
            bytes: want.bytes,
            read: !want.write,
            write: want.write,
            atomic: access.atomic.is_some() || self.thread().atomic > 0,
            hidden: access.hidden,
            shared,
            old: 0,
            new: 0,
        }
    }

    /// Writes and keeps count of what it changed.
    fn write(&mut self, touched: Touched, want: Want, value: u128) {
        if self.state.memory.write(touched, want.address, want.bytes, value) {
            if touched.shared {
                self.thread_mut().marks.effects += 1;
            } else {
                self.thread_mut().marks.private += 1;
            }
        }
    }
}

fn bytes(width: u32) -> u64 {
    u64::from(width.div_ceil(8))
}
