//! One step: executes exactly one instruction or terminator of one thread.
//!
//! This is the executable form of `docs/semantics.md`; every other part of raddle is tested against
//! it. A step either happens ([`Step::Done`]), cannot happen now ([`Step::Blocked`], the state is
//! unchanged), or violates a property ([`Step::Violation`], the state is unchanged). What it
//! touched is reported in an [`Effect`]. Deterministic given the oracle.
//!
//! Inside an atomic section a failed assumption blocks like a lock: the caller runs sections on a copy
//! of the state ([`crate::section`]) and keeps the copy only if the section was completed.
//!
//! The file is longer than others because it is one match over all instructions.

use std::rc::Rc;

use raddle_ir::expr::mask;
use raddle_ir::{
    Access, AllocKind, BlockId, Callee, FuncId, InputKind, InstrRef, Op, Operand, Program,
    Property, RegId, Terminator,
};
use smallvec::SmallVec;

use crate::describe;
use crate::finding::{FaultKind, Finding, FindingKind};
use crate::leak;
use crate::loops;
use crate::memory::{Fault, Life, Object, ObjectKind, Touched};
use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use crate::state::{Code, Frame, HeldLock, State, Status, Stopped, Thread};
use crate::thread::ThreadId;
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

/// Why memory was touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchKind {
    /// An access of the program.
    Data,
    /// A mutex operation.
    Mutex,
    /// The end of an object.
    Life,
    /// An access that is not valid.
    Invalid,
}

/// Memory touched by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The instruction.
    pub at: InstrRef,
    /// Why.
    pub kind: TouchKind,
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Whether it reads.
    pub read: bool,
    /// Whether it writes (a failed compare-exchange does not).
    pub write: bool,
    /// Whether the access is atomic, by itself or by its section.
    pub atomic: bool,
    /// Whether it takes no part in races.
    pub hidden: bool,
    /// Whether other threads can reach it.
    pub shared: bool,
    /// The value before.
    pub old: u128,
    /// The value after.
    pub new: u128,
}

/// Synchronisation by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sync {
    /// Created a thread.
    Create(ThreadId),
    /// Saw the end of a thread.
    Join(ThreadId),
    /// The thread ended.
    End,
    /// The program ended.
    Exit,
    /// A heap object was allocated or freed.
    Heap,
}

/// An arrival at a loop head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The head.
    pub head: BlockId,
    /// Iterations completed.
    pub iterations: u32,
    /// Whether the last iteration was pure.
    pub pure: bool,
}

/// What a step did.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Memory it touched.
    pub touches: SmallVec<[Touch; 2]>,
    /// Synchronisation.
    pub sync: Option<Sync>,
    /// Arrival at a loop head.
    pub arrival: Option<Arrival>,
    /// It read memory that was never written.
    pub unknown: bool,
    /// It touched an object owned by another thread.
    pub foreign: bool,
    /// It went on although its condition was false.
    pub woke: bool,
    /// It reached something that is not modelled.
    pub unsupported: bool,
}

impl Effect {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.sync = None;
        self.arrival = None;
        self.unknown = false;
        self.foreign = false;
        self.woke = false;
        self.unsupported = false;
    }
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
    Run { code, program: code.program, state, index, oracle, effect }.execute()
}

struct Run<'a, 'p> {
    code: &'a Code<'p>,
    program: &'p Program,
    state: &'a mut State,
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

impl<'p> Run<'_, 'p> {
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

    fn execute(&mut self) -> Step {
        let at = self.thread().at();
        let block = self.program.function(at.func).block(at.block);
        let Some(instr) = block.instrs.get(at.index as usize) else {
            return self.terminate(&block.end);
        };
        match &instr.op {
            Op::Assign { dst, value } => {
                let frame = self.frame();
                let program = self.program;
                match arith::eval(value, &mut |o| frame.get_wide(program, o)) {
                    Ok(result) => self.set(*dst, result),
                    Err(arith::UndefinedDivision) => return self.stop(Stopped::Undefined),
                }
                self.done()
            }
            Op::Load { dst, addr, access } => {
                let width = self.program.function(at.func).reg(*dst).width;
                self.load(*dst, *addr, u64::from(width.div_ceil(8)), *access)
            }
            Op::Store { addr, value, width, access } => {
                let value = self.get(*value);
                self.store(*addr, value, u64::from(width.div_ceil(8)), *access)
            }
            Op::Rmw { dst, op, addr, value, width, access } => {
                let value = self.get(*value);
                let update = |old| Some(arith::rmw(*op, old, value, *width));
                self.update(*addr, *width, *access, &update).map_or_else(
                    |stop| stop,
                    |touch| {
                        self.set(*dst, touch.old);
                        self.done()
                    },
                )
            }
            Op::CompareExchange { old, ok, addr, expected, new, width, access } => {
                let (expected, new) = (self.get(*expected), self.get(*new));
                let update = |old| (old == expected).then_some(new);
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
            Op::ThreadLocal { dst, global } => {
                match self.thread().locals.iter().find(|(g, _)| g == global) {
                    Some(&(_, base)) => {
                        self.set(*dst, u128::from(base));
                        self.done()
                    }
                    None => self.thread_local(*dst, *global),
                }
            }
            Op::Call { dst, callee, args } => {
                let func = match *callee {
                    Callee::Direct(f) => Some(f),
                    Callee::Indirect(o) => self.code.function_at(self.address(o)),
                };
                let args: SmallVec<[u128; 6]> = args.iter().map(|a| self.get(*a)).collect();
                match func.filter(|f| self.program.function(*f).params.len() <= args.len()) {
                    Some(func) => self.call(func, &args, *dst),
                    None => {
                        let Callee::Indirect(o) = *callee else {
                            return self.stop(Stopped::Undefined);
                        };
                        self.not_a_function(self.address(o))
                    }
                }
            }
            Op::Create { dst, func, args } => self.create(at, *dst, *func, args),
            Op::Join { dst, thread } => self.join(*dst, self.get(*thread) as u64),
            Op::ThreadExit { value } => {
                let value = self.get(*value) as u64;
                self.end(value)
            }
            Op::ThreadSelf { dst } => {
                self.set(*dst, u128::from(self.thread().id.0));
                self.done()
            }
            Op::Lock { mutex, wait } => self.lock(*mutex, *wait),
            Op::Unlock { mutex, wait } => self.unlock(*mutex, *wait),
            Op::TryLock { dst, mutex } => self.try_lock(*dst, *mutex),
            Op::AtomicBegin => {
                self.thread_mut().atomic += 1;
                self.state.in_section = Some(self.index);
                self.done()
            }
            Op::AtomicEnd => {
                self.thread_mut().atomic = self.thread().atomic.saturating_sub(1);
                if self.thread_mut().atomic == 0 {
                    self.state.in_section = None;
                }
                self.done()
            }
            Op::Block { cond, spurious } => self.block(at, *cond, *spurious),
            Op::Assume { cond } => {
                if self.get(*cond) != 0 {
                    self.done()
                } else if self.thread().atomic > 0 {
                    Step::Blocked(Blocked::Assumption)
                } else {
                    self.stop(Stopped::Assumption)
                }
            }
            Op::Check { property, cond, message } => {
                if self.get(*cond) != 0 {
                    self.done()
                } else if self.program.checked.contains(*property) {
                    self.violation(*property, FindingKind::Check { message: message.clone() })
                } else if property.unchecked_failure_stops() {
                    self.stop(Stopped::Check)
                } else {
                    self.done()
                }
            }
            Op::Input { dst, kind, name } => {
                let width = self.program.function(at.func).reg(*dst).width;
                let nth = self.thread().asked.inputs;
                let ask = InputAsk { thread: self.thread().id, nth, at, width, kind: *kind, name };
                let mut value = self.oracle.input(&ask) & mask(width);
                if let InputKind::Choice(n) = *kind {
                    value %= u128::from(n.max(1));
                }
                self.thread_mut().asked.inputs += 1;
                self.set(*dst, value);
                self.done()
            }
            Op::Exit { leaks } => self.exit(*leaks),
            Op::Unsupported { .. } => {
                self.effect.unsupported = true;
                self.stop(Stopped::Unsupported)
            }
        }
    }

    fn violation(&self, property: Property, kind: FindingKind) -> Step {
        let sites = vec![self.thread().site(self.program)];
        Step::Violation(Box::new(Finding { property, kind, sites }))
    }

    /// An invalid access: a violation, or the end of the thread.
    fn fault(&mut self, fault: Fault, want: Want) -> Step {
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

    fn not_a_function(&mut self, address: u64) -> Step {
        let fault = Fault { kind: FaultKind::NotAFunction, object: None };
        self.fault(fault, Want { address, bytes: 0, write: false })
    }

    fn check(&mut self, want: Want) -> Result<Touched, Step> {
        let id = self.thread().id;
        match self.state.memory.check(id, want.address, want.bytes, want.write) {
            Ok(touched) => {
                self.effect.foreign |= touched.foreign;
                Ok(touched)
            }
            Err(fault) => Err(self.fault(fault, want)),
        }
    }

    fn read(&mut self, touched: Touched, want: Want) -> u128 {
        let (value, asked) = self.state.memory.read(touched, want.address, want.bytes, self.oracle);
        self.effect.unknown |= asked;
        value
    }

    fn touch(&self, want: Want, shared: bool, access: Access) -> Touch {
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

    fn load(&mut self, dst: RegId, addr: Operand, bytes: u64, access: Access) -> Step {
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

    fn store(&mut self, addr: Operand, value: u128, bytes: u64, access: Access) -> Step {
        let want = Want { address: self.address(addr), bytes, write: true };
        let touched = match self.check(want) {
            Ok(touched) => touched,
            Err(stop) => return stop,
        };
        let old = self.state.memory.peek(want.address, want.bytes).unwrap_or(0);
        let touch = Touch { old, new: value, ..self.touch(want, touched.shared, access) };
        self.effect.touches.push(touch);
        self.write(touched, want, value);
        self.done()
    }

    /// Reads, computes and writes in one step; no write if `change` gives nothing.
    fn update(
        &mut self,
        addr: Operand,
        width: u32,
        access: Access,
        change: &dyn Fn(u128) -> Option<u128>,
    ) -> Result<Touch, Step> {
        let bytes = u64::from(width.div_ceil(8));
        let want = Want { address: self.address(addr), bytes, write: true };
        let touched = self.check(want)?;
        let old = self.read(touched, want) & mask(width);
        let new = change(old);
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

    fn alloc(
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
            Ok(None) => {
                self.effect.unsupported = true;
                return self.stop(Stopped::Unsupported);
            }
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
            return if base != 0 && inside && memory.is_free(base, size) {
                Ok(Some(base))
            } else {
                Err(format!("an object of {size} bytes cannot be at {base:#x}"))
            };
        }
        let (_, region_end) = self.code.region(self.thread().id);
        let base = memory.place(self.thread().next_address, region_end, size, align);
        if let Some(base) = base {
            self.thread_mut().next_address = base + size + crate::memory::GAP;
            return Ok(Some(base));
        }
        Ok(memory.place_last(limit, size, align))
    }

    fn free(&mut self, address: u64) -> Step {
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

    fn object_size(&mut self, dst: RegId, address: u64) -> Step {
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

    fn thread_local(&mut self, dst: RegId, global: raddle_ir::GlobalId) -> Step {
        let id = self.thread().id;
        let (size, align) = {
            let g = self.program.global(global);
            (g.size, g.align)
        };
        let chosen = self.oracle.thread_local_address(id, global);
        let base = match self.choose_address(chosen, size, align) {
            Ok(Some(base)) => base,
            Ok(None) => {
                self.effect.unsupported = true;
                return self.stop(Stopped::Unsupported);
            }
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

    fn call(&mut self, func: FuncId, args: &[u128], dst: Option<RegId>) -> Step {
        self.frame_mut().index += 1;
        let frame = Frame::new(self.program, func, args, dst);
        self.thread_mut().frames.push(frame);
        Step::Done
    }

    fn create(
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

    fn join(&mut self, dst: Option<RegId>, number: u64) -> Step {
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

    /// The end of the thread, and of its copies of thread-local globals.
    fn end(&mut self, value: u64) -> Step {
        self.state.memory.escape(value);
        let locals: SmallVec<[u64; 4]> = self.thread().locals.iter().map(|l| l.1).collect();
        self.bury(&locals, Life::Ended);
        self.thread_mut().status = Status::Ended(value);
        self.effect.sync = Some(Sync::End);
        self.leave_section();
        Step::Done
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

    fn lock(&mut self, mutex: Operand, wait: bool) -> Step {
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
        self.done()
    }

    fn unlock(&mut self, mutex: Operand, wait: bool) -> Step {
        let (touched, want, word) = match self.mutex(mutex) {
            Ok(found) => found,
            Err(stop) => return stop,
        };
        self.set_mutex(touched, want, word, 0);
        self.thread_mut().locks.retain(|l| l.address != want.address);
        self.count_lock(wait);
        self.done()
    }

    fn try_lock(&mut self, dst: RegId, mutex: Operand) -> Step {
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

    fn count_lock(&mut self, wait: bool) {
        if wait {
            self.thread_mut().marks.waits += 1;
        } else {
            self.thread_mut().marks.effects += 1;
        }
    }

    fn block(&mut self, at: InstrRef, cond: Operand, spurious: bool) -> Step {
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

    fn exit(&mut self, leaks: bool) -> Step {
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

    fn terminate(&mut self, end: &'p Terminator) -> Step {
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
    /// Ends local objects.
    fn bury(&mut self, bases: &[u64], life: Life) {
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
