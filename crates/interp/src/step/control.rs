//! Where a thread goes next: calls, jumps, returns.

use std::rc::Rc;

use raddle_ir::{BlockId, Callee, Operand, RegId, Terminator};
use smallvec::SmallVec;

use super::{Run, Step};
use crate::loops;
use crate::memory::Life;
use crate::state::{Frame, State, Stopped};
use crate::thread::ThreadId;

impl<'p> Run<'_, 'p> {
    pub(super) fn call(&mut self, dst: Option<RegId>, callee: Callee, args: &[Operand]) -> Step {
        let func = match callee {
            Callee::Direct(f) => Some(f),
            Callee::Indirect(o) => self.code.function_at(self.address(o)),
        };
        let args: SmallVec<[u128; 6]> = args.iter().map(|a| self.get(*a)).collect();
        let Some(func) = func.filter(|f| self.program.function(*f).params.len() <= args.len())
        else {
            return match callee {
                Callee::Direct(_) => self.stop(Stopped::Undefined),
                Callee::Indirect(o) => self.not_a_function(self.address(o)),
            };
        };
        self.frame_mut().index += 1;
        let frame = Frame::new(self.program, func, &args, dst);
        let enters_model = self.program.function(func).is_model
            && !self.program.function(self.frame().func).is_model;
        let thread = self.thread_mut();
        thread.frames.push(frame);
        if enters_model {
            thread.marks.looks_outside = thread.marks.looks;
        }
        Step::Done
    }

    pub(super) fn terminate(&mut self, end: &'p Terminator) -> Step {
        match end {
            Terminator::Goto(to) => self.jump(*to),
            Terminator::Branch { cond, then, other } => {
                let to = if self.get(*cond) != 0 { *then } else { *other };
                self.jump(to)
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.get(*value);
                let to = cases.iter().find(|(v, _)| *v == value).map_or(*default, |(_, b)| *b);
                self.jump(to)
            }
            Terminator::Return(value) => self.ret(*value),
            Terminator::Stop => self.stop(Stopped::Undefined),
        }
    }

    fn jump(&mut self, to: BlockId) -> Step {
        let frame = self.frame_mut();
        let from = frame.block;
        frame.block = to;
        frame.index = 0;
        if self.state.watch_loops {
            let State { threads, memory, .. } = &mut *self.state;
            let thread = Rc::make_mut(&mut threads[self.index]);
            let arrival = loops::arrive(self.code, thread, memory, from, to);
            self.effect.arrival = arrival;
        }
        Step::Done
    }

    fn ret(&mut self, value: Option<Operand>) -> Step {
        let value = value.map(|v| self.get(v));
        let last = self.thread().frames.len() == 1;
        if last && self.thread().id == ThreadId::MAIN {
            return self.exit(true);
        }
        let bases = std::mem::take(&mut self.frame_mut().stack);
        self.bury(&bases, Life::Returned);
        if last {
            return self.end(value.unwrap_or(0) as u64);
        }
        let frame = self.thread_mut().frames.pop().expect("there are at least two");
        if let (Some(dst), Some(value)) = (frame.dst, value) {
            self.set(dst, value);
        }
        Step::Done
    }
}
