//! Condition waits in vain: iterations that release a mutex, acquire it again, and find nothing new.
//!
//! Such an iteration is pure (`pure.rs`) if the thread might as well have acquired the mutex later. Two
//! cases are known (`raddle_ir::cfg`), both about the iteration before, which waited with the same
//! mutex: it came to the head directly from acquiring it, so it would come there in the same state
//! from a later acquisition; or it did nothing but wait once, and this one begins with the release, so
//! that the thread could have released the mutex where the one before did and acquire it where this one
//! does. What a library function looks at before it releases the mutex is part of the release.
//!
//! The order of events is remembered in registers: whether anything was looked at, whether that
//! was so before the library was called, which mutex was released and acquired, and what was so at the
//! last arrival.
//! We differ from the interpreter: each load counts as a look, also one of private memory.
//! Invariant: a wait that does not fit (a second one, another mutex, an acquisition without a release)
//! is a trace.

use raddle_ir::{FuncId, Op, RegId};
use raddle_term::TermId;

use crate::build::{Builder, Path};
use crate::contexts::ContextId;
use crate::machine::Position;

/// What a thread remembers of condition waits in an iteration, and of those in the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitRegisters {
    /// 0: none; 1: it has released a mutex; 2: and acquired it again, and no more.
    phase: RegId,
    /// The mutex.
    mutex: RegId,
    /// Whether an acquisition by a wait was the last that others could notice of the iteration.
    pub direct: RegId,
    /// Whether something was looked at in the iteration.
    looked: RegId,
    /// Whether that was so when the library function was called that released the mutex.
    early: RegId,
    /// Whether the iteration that came to the last arrival ended with the acquisition.
    direct_before: RegId,
    /// Whether it did nothing but wait once.
    once_before: RegId,
    /// Its mutex.
    mutex_before: RegId,
}

impl WaitRegisters {
    /// New ones.
    pub fn new(fresh: &mut dyn FnMut() -> RegId) -> WaitRegisters {
        WaitRegisters {
            phase: fresh(),
            mutex: fresh(),
            direct: fresh(),
            looked: fresh(),
            early: fresh(),
            direct_before: fresh(),
            once_before: fresh(),
            mutex_before: fresh(),
        }
    }

    /// All of them, with what each says.
    pub fn registers(&self) -> [(RegId, &'static str); 8] {
        [
            (self.phase, "waits"),
            (self.mutex, "mutex"),
            (self.direct, "just woken"),
            (self.looked, "looked"),
            (self.early, "looked before wait"),
            (self.direct_before, "just woken at head"),
            (self.once_before, "only waited before"),
            (self.mutex_before, "mutex before"),
        ]
    }
}

impl Builder<'_> {
    /// Whether an iteration that ends has not waited, or in vain; with whether it comes from inside
    /// the loop, and whether it has left a trace otherwise.
    pub fn end_waits(
        &mut self,
        context: ContextId,
        wait: WaitRegisters,
        (comes_back, trace): (bool, TermId),
        path: &mut Path,
    ) -> TermId {
        let bits = self.program.pointer_bits;
        let phase = self.value(path, context, wait.phase, 2);
        let [direct, early, direct_before, once_before] =
            [wait.direct, wait.early, wait.direct_before, wait.once_before]
                .map(|reg| self.value(path, context, reg, 1));
        let [mutex, mutex_before] =
            [wait.mutex, wait.mutex_before].map(|reg| self.value(path, context, reg, bits));
        let [none, both] = [0, 2].map(|n| self.terms.constant(n, 2));
        let (no_wait, one_wait) = (self.terms.eq(phase, none), self.terms.eq(phase, both));
        let same = self.terms.eq(mutex, mutex_before);
        let at_once = self.terms.not(early);
        let again = self.terms.and(once_before, at_once);
        let later = self.terms.or(direct_before, again);
        let in_vain = self.terms.and_all(&[one_wait, same, later]);
        let rested = self.terms.not(trace);
        let once = self.terms.and(rested, one_wait);
        let fals = self.terms.fals();
        let (direct, once) = if comes_back { (direct, once) } else { (fals, fals) };
        self.remember(path, context, wait.direct_before, direct);
        self.remember(path, context, wait.once_before, once);
        self.remember(path, context, wait.mutex_before, mutex);
        for reg in [wait.direct, wait.looked, wait.early] {
            self.remember(path, context, reg, fals);
        }
        self.remember(path, context, wait.phase, none);
        self.terms.or(no_wait, in_vain)
    }

    /// Notes that a condition wait releases a mutex, or acquires it.
    pub fn note_wait_step(
        &mut self,
        here: Position,
        path: &mut Path,
        address: TermId,
        acquires: bool,
    ) {
        if !self.watches() {
            return;
        }
        for (context, watched) in self.under_watch(here) {
            let Some(wait) = watched.wait else { continue };
            let phase = self.value(path, context, wait.phase, 2);
            let known = self.value(path, context, wait.mutex, self.program.pointer_bits);
            let [first, next] =
                [u128::from(acquires), u128::from(acquires) + 1].map(|n| self.terms.constant(n, 2));
            let mut fits = self.terms.eq(phase, first);
            if acquires {
                let same = self.terms.eq(known, address);
                fits = self.terms.and(fits, same);
            }
            let more = self.terms.not(fits);
            let done = self.value(path, context, watched.done, 1);
            let done = self.terms.or(done, more);
            self.remember(path, context, watched.done, done);
            self.remember(path, context, wait.phase, next);
            self.remember(path, context, wait.mutex, address);
            let direct = self.terms.constant(u128::from(acquires), 1);
            self.remember(path, context, wait.direct, direct);
        }
    }

    /// Notes that an instruction is executed that others could notice.
    pub fn note_look(&mut self, here: Position, path: &mut Path, op: &Op) {
        let (tru, fals) = (self.terms.tru(), self.terms.fals());
        let waits = matches!(op, Op::Lock { wait: true, .. } | Op::Unlock { wait: true, .. });
        for (context, watched) in self.under_watch(here) {
            let Some(wait) = watched.wait else { continue };
            self.remember(path, context, wait.direct, fals);
            if waits {
                continue;
            }
            self.remember(path, context, wait.looked, tru);
            // A loop of the library itself is entered after its call.
            if self.program.function(self.layout.contexts.get(context).func).is_model {
                self.note_early(context, wait, path);
            }
        }
    }

    /// Notes that a function is called: where it is one of the library, what was looked at so far was
    /// before it.
    pub fn note_call(&mut self, here: Position, path: &mut Path, callee: FuncId) {
        let enters =
            self.program.function(callee).is_model && !self.program.function(here.at.func).is_model;
        if !enters || !self.watches() {
            return;
        }
        for (context, watched) in self.under_watch(here) {
            if let Some(wait) = watched.wait {
                self.note_early(context, wait, path);
            }
        }
    }

    /// What was looked at so far came early, unless the mutex has been released.
    fn note_early(&mut self, context: ContextId, wait: WaitRegisters, path: &mut Path) {
        let phase = self.value(path, context, wait.phase, 2);
        let none = self.terms.constant(0, 2);
        let before = self.terms.eq(phase, none);
        let [looked, early] =
            [wait.looked, wait.early].map(|reg| self.value(path, context, reg, 1));
        let early = self.terms.ite(before, looked, early);
        self.remember(path, context, wait.early, early);
    }
}
