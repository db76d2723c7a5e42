//! The lives of threads and of the program: creation, joining, waiting for a condition, ends.

use std::rc::Rc;

use raddle_ir::{InstrRef, Operand, Property, RegId};
use smallvec::SmallVec;

use super::{Blocked, Run, Step, Sync};
use crate::finding::FindingKind;
use crate::leak;
use crate::memory::Life;
use crate::oracle::Ask;
use crate::state::{Status, Thread};
use crate::thread::ThreadId;

impl Run<'_, '_> {
    pub(super) fn create(
        &mut self,
        at: InstrRef,
        dst: Option<RegId>,
        func: Operand,
        args: &[Operand],
    ) -> Step {
        let target = self.address(func);
        let Some(func) = self.code.function_at(target) else {
            return self.not_a_function(target);
        };
        let nth = self.thread().asked.threads;
        let ask = Ask { thread: self.thread().id, nth, at };
        let threads = &self.state.threads;
        let number = match self.oracle.thread_number(&ask) {
            Some(n) if n == 0 || threads.iter().any(|t| t.id.0 == n) => {
                return Step::BadAnswer(format!("thread number {n} is in use"));
            }
            Some(n) => n,
            None => threads.iter().map(|t| t.id.0).max().unwrap_or(0) + 1,
        };
        let args: SmallVec<[u128; 4]> = args.iter().map(|a| self.get(*a)).collect();
        for value in &args {
            self.state.memory.escape(*value as u64);
        }
        let id = ThreadId(number);
        self.state.threads.push(Rc::new(Thread::new(self.code, id, func, &args)));
        self.thread_mut().asked.threads += 1;
        self.thread_mut().marks.effects += 1;
        self.effect.sync = Some(Sync::Create(id));
        if let Some(dst) = dst {
            self.set(dst, u128::from(number));
        }
        self.done()
    }

    pub(super) fn join(&mut self, dst: Option<RegId>, number: u64) -> Step {
        self.effect.joins = true;
        let target = self.state.threads.iter().find(|t| u64::from(t.id.0) == number);
        let Some((id, Status::Ended(value))) = target.map(|t| (t.id, t.status.clone())) else {
            return Step::Blocked(Blocked::Join(number));
        };
        self.effect.sync = Some(Sync::Join(id));
        if let Some(dst) = dst {
            self.set(dst, u128::from(value));
        }
        self.done()
    }

    pub(super) fn block(&mut self, at: InstrRef, cond: Operand, spurious: bool) -> Step {
        let holds = self.get(cond) != 0;
        if !spurious {
            return if holds { self.done() } else { Step::Blocked(Blocked::Condition) };
        }
        let nth = self.thread().asked.wakeups;
        if !holds {
            if !self.oracle.spurious(&Ask { thread: self.thread().id, nth, at }) {
                return Step::Blocked(Blocked::Condition);
            }
            self.effect.woke = true;
        }
        self.thread_mut().asked.wakeups += 1;
        self.done()
    }

    /// The end of the thread, and of its copies of thread-local globals.
    pub(super) fn end(&mut self, value: u64) -> Step {
        self.state.memory.escape(value);
        let locals: SmallVec<[u64; 4]> = self.thread().locals.iter().map(|l| l.1).collect();
        self.bury(&locals, Life::Ended);
        self.thread_mut().status = Status::Ended(value);
        self.effect.sync = Some(Sync::End);
        self.leave_section();
        Step::Done
    }

    pub(super) fn exit(&mut self, leaks: bool) -> Step {
        let checked = self.program.checked;
        let all = checked.contains(Property::Leaks);
        let lost = checked.contains(Property::LostMemory);
        if leaks && (all || lost) {
            let mut objects = leak::leaked(self.program, self.state);
            if all && !objects.is_empty() {
                return self.violation(Property::Leaks, FindingKind::Leak { objects });
            }
            objects.retain(|o| o.lost);
            if lost && !objects.is_empty() {
                return self.violation(Property::LostMemory, FindingKind::Leak { objects });
            }
        }
        self.state.exited = true;
        self.effect.sync = Some(Sync::Exit);
        self.leave_section();
        Step::Done
    }
}
