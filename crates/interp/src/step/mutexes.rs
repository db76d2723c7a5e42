//! Mutexes: a mutex is a word of memory that holds 0 or the number of the thread that has it.

use raddle_ir::{Access, Operand, RegId};

use super::{Blocked, Run, Step, Touch, TouchKind, Want};
use crate::memory::Touched;
use crate::state::HeldLock;

impl Run<'_, '_> {
    pub(super) fn lock(&mut self, mutex: Operand, wait: bool) -> Step {
        let (touched, want, word) = match self.mutex(mutex) {
            Ok(found) => found,
            Err(stop) => return stop,
        };
        if word != 0 {
            let touch = self.touch(want, touched.shared, Access::default());
            let touch = Touch { kind: TouchKind::Mutex, read: true, write: false, ..touch };
            self.effect.touches.push(touch);
            return Step::Blocked(Blocked::Lock(want.address));
        }
        let own = u128::from(self.thread().id.0);
        self.set_mutex(touched, want, word, own);
        self.acquired(want.address);
        self.count_lock(wait);
        self.thread_mut().marks.entered = wait.then_some(want.address);
        self.done()
    }

    pub(super) fn unlock(&mut self, mutex: Operand, wait: bool) -> Step {
        let (touched, want, word) = match self.mutex(mutex) {
            Ok(found) => found,
            Err(stop) => return stop,
        };
        self.set_mutex(touched, want, word, 0);
        self.thread_mut().locks.retain(|l| l.address != want.address);
        self.count_lock(wait);
        if wait {
            let marks = &mut self.thread_mut().marks;
            (marks.wait_mutex, marks.looks_before_wait) = (want.address, marks.looks_outside);
        }
        self.done()
    }

    pub(super) fn try_lock(&mut self, dst: RegId, mutex: Operand) -> Step {
        let (touched, want, word) = match self.mutex(mutex) {
            Ok(found) => found,
            Err(stop) => return stop,
        };
        if word == 0 {
            self.set_mutex(touched, want, word, u128::from(self.thread().id.0));
            self.acquired(want.address);
            self.count_lock(false);
            self.set(dst, 1);
        } else {
            self.set_mutex(touched, want, word, word);
            self.set(dst, 0);
        }
        self.done()
    }

    fn mutex(&mut self, mutex: Operand) -> Result<(Touched, Want, u128), Step> {
        let want = Want { address: self.address(mutex), bytes: 4, write: true };
        let touched = self.check(want)?;
        let word = self.read(touched, want);
        Ok((touched, want, word))
    }

    fn set_mutex(&mut self, touched: Touched, want: Want, old: u128, new: u128) {
        let touch = Touch {
            kind: TouchKind::Mutex,
            read: true,
            write: old != new || new == 0,
            old,
            new,
            ..self.touch(want, touched.shared, Access::default())
        };
        self.effect.touches.push(touch);
        self.state.memory.write(touched, want.address, want.bytes, new);
    }

    fn acquired(&mut self, address: u64) {
        let place = self.thread().site(self.program).place;
        self.thread_mut().locks.push(HeldLock { address, place });
    }

    fn count_lock(&mut self, wait: bool) {
        let marks = &mut self.thread_mut().marks;
        marks.entered = None;
        if wait {
            marks.waits += 1;
        } else {
            marks.effects += 1;
        }
    }
}
