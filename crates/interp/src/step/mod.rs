//! One step: executes exactly one instruction or terminator of one thread.
//!
//! This is the executable form of `docs/semantics.md`; every other part of raddle is tested against
//! it. A step either happens ([`Step::Done`]), cannot happen now ([`Step::Blocked`], the state is
//! unchanged), or violates a property ([`Step::Violation`], the state is unchanged). What it
//! touched is reported in an [`Effect`]. Deterministic given the oracle.
//!
//! Inside an atomic section a failed assumption blocks like a lock: the caller runs sections on a
//! copy of the state ([`crate::section`]) and keeps the copy only if the section was completed.
//!
//! Here is the match over all instructions; what they do to memory, objects, threads and mutexes is
//! in the files below.

mod access;
mod control;
mod effect;
mod mutexes;
mod objects;
mod threads;

pub use effect::{Arrival, Effect, Sync, Touch, TouchKind};

use std::rc::Rc;

use raddle_ir::expr::mask;
use raddle_ir::{Expr, InputKind, InstrRef, Op, Operand, Program, Property, RegId};

use crate::finding::{Finding, FindingKind};
use crate::oracle::{InputAsk, Oracle};
use crate::state::{Code, Frame, State, Status, Stopped, Thread};
use crate::value::arith;

/// What became of a step.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// It happened.
    Done,
    /// It cannot happen in this state.
    Blocked(Blocked),
    /// It would violate a property.
    Violation(Box<Finding>),
    /// The oracle gave an impossible answer, in words.
    BadAnswer(String),
}

/// Why a step cannot happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// The mutex at this address is held.
    Lock(u64),
    /// That thread has not ended (or does not exist).
    Join(u64),
    /// A condition does not hold.
    Condition,
    /// An assumption inside an atomic section does not hold.
    Assumption,
    /// A loop inside an atomic section does not end.
    Loop,
    /// Another thread is inside an atomic section.
    Section,
    /// The thread or the program has ended or the thread is stopped.
    Over,
}

/// Executes one instruction of the thread with that index. `effect` is cleared first.
pub fn step(
    code: &Code<'_>,
    state: &mut State,
    index: usize,
    oracle: &mut dyn Oracle,
    effect: &mut Effect,
) -> Step {
    effect.clear();
    if state.exited || !state.threads[index].is_running() {
        return Step::Blocked(Blocked::Over);
    }
    if state.in_section.is_some_and(|i| i != index) {
        return Step::Blocked(Blocked::Section);
    }
    let mut run = Run { code, program: code.program, state, index, oracle, effect };
    let step = run.execute();
    if run.state.watch_loops && step == Step::Done {
        run.count_looks();
    }
    step
}

/// A step in the making.
struct Run<'a, 'p> {
    code: &'a Code<'p>,
    program: &'p Program,
    state: &'a mut State,
    /// The thread that makes the step.
    index: usize,
    oracle: &'a mut dyn Oracle,
    effect: &'a mut Effect,
}

/// An access to memory to be checked.
#[derive(Clone, Copy)]
struct Want {
    address: u64,
    bytes: u64,
    write: bool,
}

impl Run<'_, '_> {
    /// Counts a step that others could notice, lock operations apart.
    fn count_looks(&mut self) {
        let is_look = |t: &Touch| t.shared && t.kind != TouchKind::Mutex;
        if self.effect.sync.is_some() || self.effect.touches.iter().any(is_look) {
            let marks = &mut self.thread_mut().marks;
            marks.looks += 1;
            marks.entered = None;
        }
    }

    fn execute(&mut self) -> Step {
        let at = self.thread().at();
        let block = self.program.function(at.func).block(at.block);
        let Some(instr) = block.instrs.get(at.index as usize) else {
            return self.terminate(&block.end);
        };
        match &instr.op {
            Op::Assign { dst, value } => self.assign(*dst, value),
            Op::Load { dst, addr, access } => self.load(*dst, *addr, *access),
            Op::Store { addr, value, width, access } => self.store(*addr, *value, *width, *access),
            Op::Rmw { dst, op, addr, value, width, access } => {
                let value = self.get(*value);
                let update = |_: &mut Self, old| Some(arith::rmw(*op, old, value, *width));
                self.update(*addr, *width, *access, &update).map_or_else(
                    |stop| stop,
                    |touch| {
                        self.set(*dst, touch.old);
                        self.done()
                    },
                )
            }
            Op::CompareExchange { old, ok, addr, expected, new, width, access, weak } => {
                let (expected, new) = (self.get(*expected), self.get(*new));
                let update = |run: &mut Self, old| {
                    let fails = old != expected || *weak && run.fails_spuriously(at);
                    (!fails).then_some(new)
                };
                self.update(*addr, *width, *access, &update).map_or_else(
                    |stop| stop,
                    |touch| {
                        self.set(*old, touch.old);
                        self.set(*ok, u128::from(touch.write));
                        self.done()
                    },
                )
            }
            Op::Fence { .. } => self.done(),
            Op::Alloc { dst, size, align, kind, zeroed, .. } => {
                let size = self.get(*size) as u64;
                self.alloc(at, *dst, size, *align, *kind, *zeroed)
            }
            Op::Free { addr } => self.free(self.address(*addr)),
            Op::ObjectSize { dst, addr } => self.object_size(*dst, self.address(*addr)),
            Op::ThreadLocal { dst, global } => self.thread_local(*dst, *global),
            Op::Call { dst, callee, args } => self.call(*dst, *callee, args),
            Op::Create { dst, func, args } => self.create(at, *dst, *func, args),
            Op::Join { dst, thread } => self.join(*dst, self.get(*thread) as u64),
            Op::ThreadExit { value } => {
                self.bury_frames();
                self.end(self.get(*value) as u64)
            }
            Op::ThreadSelf { dst, place } => {
                let trusted = *place && self.program.function(at.func).is_model;
                self.effect.own_number = (!trusted).then_some(at);
                self.set(*dst, u128::from(self.thread().id.0));
                self.done()
            }
            Op::Lock { mutex, wait } => self.lock(*mutex, *wait),
            Op::Unlock { mutex, wait } => self.unlock(*mutex, *wait),
            Op::TryLock { dst, mutex } => self.try_lock(*dst, *mutex),
            Op::AtomicBegin => self.enter_section(),
            Op::AtomicEnd => self.end_section(),
            Op::Block { cond, spurious } => self.block(at, *cond, *spurious),
            Op::Assume { cond } => self.assume(*cond),
            Op::Check { property, cond, message } => self.assert(*property, *cond, message),
            Op::Input { dst, kind, name } => self.input(at, *dst, *kind, name),
            Op::Exit { leaks } => self.exit(*leaks),
            Op::Unsupported { .. } => self.unsupported(),
        }
    }

    fn assign(&mut self, dst: RegId, value: &Expr) -> Step {
        let frame = self.frame();
        let program = self.program;
        match arith::eval(value, &mut |o| frame.get_wide(program, o)) {
            Ok(result) => self.set(dst, result),
            Err(arith::UndefinedDivision) => return self.stop(Stopped::Undefined),
        }
        self.done()
    }

    fn enter_section(&mut self) -> Step {
        self.thread_mut().atomic += 1;
        self.state.in_section = Some(self.index);
        self.done()
    }

    fn end_section(&mut self) -> Step {
        self.thread_mut().atomic = self.thread().atomic.saturating_sub(1);
        if self.thread().atomic == 0 {
            self.state.in_section = None;
        }
        self.done()
    }

    fn assume(&mut self, cond: Operand) -> Step {
        if self.get(cond) != 0 {
            self.done()
        } else if self.thread().atomic > 0 {
            Step::Blocked(Blocked::Assumption)
        } else {
            self.stop(Stopped::Assumption)
        }
    }

    fn assert(&mut self, property: Property, cond: Operand, message: &str) -> Step {
        if self.get(cond) != 0 {
            self.done()
        } else if self.program.checked.contains(property) {
            self.violation(property, FindingKind::Check { message: message.to_string() })
        } else if property.unchecked_failure_stops() {
            self.stop(Stopped::Check)
        } else {
            self.done()
        }
    }

    fn input(&mut self, at: InstrRef, dst: RegId, kind: InputKind, name: &str) -> Step {
        let width = self.program.function(at.func).reg(dst).width;
        let nth = self.thread().asked.inputs;
        let ask = InputAsk { thread: self.thread().id, nth, at, width, kind, name };
        let mut value = self.oracle.input(&ask) & mask(width);
        if let InputKind::Choice(n) = kind {
            value %= u128::from(n.max(1));
        }
        self.thread_mut().asked.inputs += 1;
        self.set(dst, value);
        self.done()
    }

    fn unsupported(&mut self) -> Step {
        self.effect.unsupported = true;
        self.stop(Stopped::Unsupported)
    }

    fn thread(&self) -> &Thread {
        &self.state.threads[self.index]
    }

    fn thread_mut(&mut self) -> &mut Thread {
        Rc::make_mut(&mut self.state.threads[self.index])
    }

    fn frame(&self) -> &Frame {
        self.thread().frame()
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.thread_mut().frames.last_mut().expect("a running thread has an activation")
    }

    fn get(&self, operand: Operand) -> u128 {
        self.frame().get(self.program, operand)
    }

    fn address(&self, operand: Operand) -> u64 {
        self.get(operand) as u64
    }

    fn set(&mut self, reg: RegId, value: u128) {
        let width = self.program.function(self.frame().func).reg(reg).width;
        self.frame_mut().regs[reg.index()] = value & mask(width);
    }

    fn done(&mut self) -> Step {
        self.frame_mut().index += 1;
        Step::Done
    }

    fn stop(&mut self, why: Stopped) -> Step {
        self.thread_mut().status = Status::Stopped(why);
        self.leave_section();
        Step::Done
    }

    fn leave_section(&mut self) {
        self.thread_mut().atomic = 0;
        if self.state.in_section == Some(self.index) {
            self.state.in_section = None;
        }
    }

    fn violation(&self, property: Property, kind: FindingKind) -> Step {
        let sites = vec![self.thread().site(self.program)];
        Step::Violation(Box::new(Finding { property, kind, sites }))
    }
}
